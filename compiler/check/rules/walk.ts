/** One walk over a template: which variables are set where, what was read, what is to be reported. The rooms of the checker share it. */
import { cacheVariable } from '../../diagnostics/codes/cache-variable.ts'
import { oldName } from '../../diagnostics/codes/old-name.ts'
import { reservedName } from '../../diagnostics/codes/reserved-name.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { NameNode } from '../../model/ast.ts'
import { INTEGER, NEVER, NIL, type Type, UNKNOWN } from '../../model/type.ts'
import type { Span } from '../../source/span.ts'
import { property } from '../../types/lookup.ts'
import { inContext, oldVariableOf } from '../../types/old-variables.ts'
import { isMutable, join, unshared } from '../../types/relate.ts'
import type { Environment, Input, OutgoingCall, OutgoingQuery, PlacedNote, SharedCache } from './facts.ts'
import { forgetShared, meet, type TextPattern, type Variables } from './state.ts'
import type { Piece } from '../piece.ts'

/**
 * How a value is used: `value` where nil is of no use, `test` where it is an answer, `default` where it is replaced,
 * `pass` where it is handed to another file, `need` where what runs with it fails without a value.
 */
export type Use = 'value' | 'test' | 'default' | 'pass' | 'need'

/** Reads of a name that this template does not set before. */
export interface FreeReads {
  readonly span: Span
  /** Some read stands where this template has not set the name on any way. */
  foreign: boolean
  plain: boolean
  guarded: boolean
  /** Some read is one of a value that something fails without. */
  needed: boolean
  /** Some read asks whether there is a value, or replaces it. */
  asked: boolean
  /** Names that this template was not given wherever it reads it plainly; null where it never does. */
  instead: readonly string[] | null
  /** Names that this template was given wherever it reads it plainly; null where it never does. */
  onlyWith: readonly string[] | null
  /** The first read through `default`. */
  defaulted: Span | null
  /** The part of the request that it may mean, from the first read that is no test. */
  part: string | null
}

interface LoopScope {
  readonly types: Map<string, Type>
}

const RESERVED: ReadonlySet<string> = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank'])
const SNAKE_CASE = /^[a-z0-9_]+$/

export class Walk {
  readonly env: Environment
  readonly piece: Piece
  readonly broken: boolean
  variables: Variables = new Map()
  /** Nothing behind this place runs. */
  dead = false
  /** Names of loops, innermost last. */
  readonly scopes: LoopScope[] = []
  /** Where `break` and `continue` lead: the variables at each, of the innermost loop last. */
  readonly exits: Variables[][] = []
  /** Open `cache` tags. */
  readonly caches: Span[] = []
  /** Those of them whose key is the same for every visitor, with what their bodies read of the visitor. */
  readonly sharedCaches: (SharedCache & { readonly reads: Map<string, Span> })[] = []
  transactions = 0
  tries = 0
  /** Blocks around this place that may not run. */
  conditions = 0
  /** Names from outside without which alone this place runs: another branch is for where they are given. */
  readonly notGiven: string[] = []
  /** Names from outside that conditions around this place say are given. */
  readonly given: string[] = []
  /** Something before this place may have ended the template. */
  mayHaveEnded = false

  diagnostics: Diagnostic[] = []
  calls: OutgoingCall[] = []
  queries: OutgoingQuery[] = []
  notes: PlacedNote[] = []
  readonly ports = new Map<string, Span>()
  readonly requestReads = new Map<string, Span>()
  /** Parts of `context` that are the visitor's own, with the first read of each. */
  readonly visitorReads = new Map<string, Span>()
  /** Filters around this place that may be given a template. */
  bracesMeant = 0
  /** Such a filter was given braces. */
  fillsBraces = false
  /** Texts with `{{ }}` that stay as they are, by where they begin. */
  readonly braces = new Map<number, { readonly span: Span; readonly braces: string }>()
  readonly free = new Map<string, FreeReads>()
  /** Free names that are surely nil, with the first read. */
  readonly undefined_ = new Map<string, Span>()
  /** Names of the frame that are read anywhere. */
  readonly used = new Set<string>()
  /** Names that are set, with the first place. */
  /** Tags that do something beside giving a value: a mutation, a filter that changes what it is given. */
  readonly doing: Span[] = []
  readonly setAt = new Map<string, Span>()
  /** Names that only an included partial sets, which stay there. */
  readonly includeWrites = new Map<string, { readonly partial: string; readonly span: Span }>()
  readonly readAfterInclude = new Map<
    string,
    { readonly span: Span; readonly partial: string; readonly included: Span }
  >()
  /** Names that are not in snake_case. */
  readonly oddNames = new Map<string, Span>()
  /** Parts of values that a test or a default asks for somewhere in the template, as they are written. */
  readonly tested = new Set<string>()
  readonly writes = new Set<string>()
  readsAll = false
  /** Reads `context.exports` or `context.session`. */
  readsRequest = false
  mutates = false
  /** A value that somebody else may hold was changed in place, so that one that was passed may be another. */
  inputsChanged = false
  halts = false
  registers = false
  result: Type = NEVER
  returned: Span | null = null
  /** Some end of the template gives no value. */
  endsWithout = false
  /** Results of functions that return nothing, by the very type that stands for them. */
  readonly nothings = new Map<Type, { readonly span: Span; readonly partial: string }>()
  place: Span

  constructor(env: Environment, piece: Piece) {
    this.env = env
    this.piece = piece
    this.broken = piece.template.broken
    this.place = { file: piece.unit.file.path, start: 0, end: 0 }
  }

  /** Whether others call the template. A block of `background` is told its names where it stands. */
  get isPartial(): boolean {
    return this.env.isPartial
  }

  get platform(): boolean {
    return this.env.site.dialect === 'platform'
  }

  /** Base Liquid refuses nothing but syntax: there every finding is a warning. Code that never runs is not looked at. */
  report(diagnostic: Diagnostic): void {
    if (this.dead) return
    this.diagnostics.push(
      diagnostic.severity === 'error' && !this.platform ? { ...diagnostic, severity: 'warning' } : diagnostic,
    )
  }

  /**
   * Reports what fails when it runs. In a partial, a place behind a condition may be one that never runs with the types that
   * its callers pass today; in a `try` the author waits for it. Neither refuses a site.
   */
  reportFault(diagnostic: Diagnostic): void {
    const sure = this.tries === 0 && (this.conditions === 0 || !this.isPartial)
    this.report(sure ? diagnostic : { ...diagnostic, severity: 'warning' })
  }

  /** Reports that something is missing, which a template that could not be read to its end does not show. */
  reportMissing(diagnostic: Diagnostic): void {
    if (!this.broken) this.report(diagnostic)
  }

  source(span: Span): string {
    return this.piece.unit.file.text.slice(span.start, span.end)
  }

  // ---- reading ----------------------------------------------------------------------------------------------------

  /** The type of a variable, which counts as read. */
  name(name: string, span: Span, use: Use): Type {
    for (let at = this.scopes.length - 1; at >= 0; at--) {
      const type = this.scopes[at]?.types.get(name)
      if (type !== undefined) return type
    }
    this.used.add(name)
    const variable = this.variables.get(name)
    if (variable !== undefined) {
      if (variable.cache !== null && !this.caches.includes(variable.cache)) {
        this.report(cacheVariable(span, name, variable.cache))
        this.variables.set(name, { ...variable, cache: null })
      }
      // On some way it is still what came from outside, which then may be nil.
      if (!variable.certain) this.freeRead(name, span, 'test', false)
      if (variable.visitor !== null) this.readVisitor(variable.visitor, span)
      return variable.type
    }
    if (this.piece.bound.counters.has(name)) return join(INTEGER, this.absent(name))
    const given = this.env.globals.get(name)
    if (given !== undefined) return given
    const old = this.oldType(name)
    const keys = this.oldKeys(name)
    if (keys !== null) this.report(oldName(span, name, inContext(name) ?? name))
    // A name for what every template sees needs nobody to pass it.
    this.freeRead(name, span, old === null ? use : 'test', old === null)
    const included = this.includeWrites.get(name)
    if (included !== undefined) {
      if (!this.readAfterInclude.has(name) && !this.dead)
        this.readAfterInclude.set(name, { span, partial: included.partial, included: included.span })
      return UNKNOWN
    }
    const isPassed = this.env.params?.has(name) === true
    const isSomewhere = isPassed || old !== null || this.piece.bound.writes.has(name)
    if (this.env.closed && !isSomewhere && !this.undefined_.has(name) && !this.dead) this.undefined_.set(name, span)
    return this.absent(name)
  }

  freeRead(name: string, span: Span, use: Use, foreign: boolean): void {
    let reads = this.free.get(name)
    if (reads === undefined) {
      reads = {
        span,
        foreign: false,
        plain: false,
        guarded: false,
        needed: false,
        asked: false,
        instead: null,
        onlyWith: null,
        defaulted: null,
        part: null,
      }
      this.free.set(name, reads)
    }
    if (foreign) reads.foreign = true
    if (use === 'value' || use === 'need') {
      reads.plain = true
      reads.instead = common(reads.instead, this.notGiven)
      reads.onlyWith = common(reads.onlyWith, this.given)
    } else reads.guarded = true
    if (use === 'need') reads.needed = true
    if (use === 'test' || use === 'default') reads.asked = true
    if (use === 'default') reads.defaulted ??= span
  }

  /** An included partial reads a name that this template, itself a partial, has not set. */
  passedOn(
    name: string,
    call: Span,
    { needed, required, part, span, instead, onlyWith }: Input,
    passed: ReadonlyMap<string, unknown>,
  ): void {
    const isOld = this.possibleKeys(name) !== null
    const isMissed = required && !instead.some((other) => passed.has(other))
    const given = this.given.length
    this.given.push(...onlyWith.filter((other) => !passed.has(other) && !this.isSet(other)))
    this.freeRead(name, call, needed ? 'need' : isMissed ? 'value' : 'test', !isOld)
    this.given.length = given
    if (part !== null) this.readPart(name, part, span)
  }

  /** An included partial reads a part of `context` by a name that nothing sets before this call. */
  readByOldName(name: string, { span, part }: Input): void {
    this.report(oldName(span, name, inContext(name) ?? name))
    if (part !== null) this.readPart(name, part, span)
  }

  /** A read of a part of the request, by a name that may be a variable of whoever includes the template. */
  readPart(name: string, part: string, span: Span): void {
    if (this.dead) return
    const reads = this.free.get(name)
    if (name !== 'context' && this.oldKeys(name) === null) {
      if (reads !== undefined) reads.part ??= part
    } else if (!this.requestReads.has(part)) this.requestReads.set(part, span)
  }

  /** A read of what is the visitor's own, by whatever name. */
  readVisitor(part: string, span: Span): void {
    if (this.dead) return
    if (!this.visitorReads.has(part)) this.visitorReads.set(part, span)
    const cache = this.sharedCaches.at(-1)
    if (cache !== undefined && !cache.told.has(part) && !cache.reads.has(part)) cache.reads.set(part, span)
  }

  /** What a name is that this template has not set. */
  absent(name: string): Type {
    const given = this.env.globals.get(name)
    if (given !== undefined) return given
    if (this.piece.bound.writes.has(name)) return UNKNOWN
    const { params } = this.env
    const old = this.oldType(name)
    if (params !== null) {
      const passed = params.get(name)
      if (passed === undefined) return old ?? NIL
      // Some caller may not pass it.
      const type = old === null ? passed : join(passed, old)
      return this.inputsChanged ? unshared(type) : type
    }
    if (old !== null && !this.isPartial) return old
    return this.env.closed ? NIL : UNKNOWN
  }

  /** The type of what a name means where nothing sets it, on a site that reads the fields of `context` bare; null for other names. */
  private oldType(name: string): Type | null {
    const keys = this.possibleKeys(name)
    if (keys === null) return null
    return keys.reduce((type, key) => property(type, key, true).type, this.env.globals.get('context') ?? UNKNOWN)
  }

  /** The keys below `context` that such a name may mean where nothing sets it. */
  possibleKeys(name: string): readonly string[] | null {
    return this.env.oldNames === 'never' ? null : oldVariableOf(this.env.site, name)
  }

  /** The keys below `context` that such a name surely means here: neither this template nor its callers set it. */
  oldKeys(name: string): readonly string[] | null {
    if (this.env.oldNames !== 'always') return null
    if (this.isOwn(name) || this.env.globals.has(name) || this.piece.bound.counters.has(name)) return null
    const { params } = this.env
    const isPassed = params === null ? this.isPartial : params.has(name)
    return isPassed ? null : oldVariableOf(this.env.site, name)
  }

  /** What a name is here, without counting as read. */
  typeNow(name: string): Type {
    const scope = this.scopes.findLast((each) => each.types.has(name))
    if (scope !== undefined) return scope.types.get(name) ?? UNKNOWN
    const variable = this.variables.get(name)
    if (variable === undefined) return this.absent(name)
    return variable.certain ? variable.type : join(variable.type, this.absent(name))
  }

  /** Whether the name of a variable or loop stands for a value here, as far as this template knows. */
  isSet(name: string): boolean {
    return this.scopes.some((scope) => scope.types.has(name)) || this.variables.has(name) || this.env.globals.has(name)
  }

  /** Whether this template itself has set the name. */
  isOwn(name: string): boolean {
    return this.variables.has(name) || this.scopes.some((scope) => scope.types.has(name))
  }

  texts(name: string): readonly TextPattern[] | null {
    return this.scopes.some((scope) => scope.types.has(name)) ? null : (this.variables.get(name)?.texts ?? null)
  }

  /** Somebody else now holds the value of this name too. */
  share(name: string): void {
    const variable = this.variables.get(name)
    if (variable?.owned === true) this.variables.set(name, { ...variable, owned: false })
  }

  // ---- writing ----------------------------------------------------------------------------------------------------

  /** `visitor`: the part of `context` that the value was read from, where that is the visitor's own. */
  set(name: NameNode, type: Type, owned: boolean, texts: readonly TextPattern[] | null, visitor: string | null): void {
    this.checkName(name)
    const before = this.variables.get(name.name)
    const cache = this.caches.at(-1) ?? null
    this.variables.set(name.name, {
      type,
      certain: true,
      span: name.span,
      owned,
      cache: before === undefined || before.cache !== null ? cache : null,
      texts,
      visitor,
    })
    this.writes.add(name.name)
    if (!this.setAt.has(name.name)) this.setAt.set(name.name, name.span)
  }

  checkName(name: NameNode): void {
    if (RESERVED.has(name.name)) {
      this.report(reservedName(name.span, name.name))
      this.used.add(name.name)
    }
    if (this.platform && !SNAKE_CASE.test(name.name) && !this.oddNames.has(name.name))
      this.oddNames.set(name.name, name.span)
  }

  /** A new type for a variable whose value was changed in place. */
  change(name: NameNode, type: Type): void {
    const scope = this.scopes.findLast((each) => each.types.has(name.name))
    const variable = this.variables.get(name.name)
    if (scope !== undefined) {
      this.forgetShared(null)
      scope.types.set(name.name, type)
      return
    }
    if (variable?.owned !== true) this.forgetShared(name.name)
    if (variable !== undefined) this.variables.set(name.name, { ...variable, type })
    else if (!this.env.globals.has(name.name) && this.oldKeys(name.name) === null) {
      // What was passed is from here on what this template made of it.
      this.variables.set(name.name, {
        type,
        certain: true,
        span: name.span,
        owned: false,
        cache: null,
        texts: null,
        visitor: null,
      })
    }
  }

  /** A call or a filter changes values in place that it was given under these names. */
  changedElsewhere(names: Iterable<string>): void {
    this.forgetShared(null)
    for (const name of names) {
      const variable = this.variables.get(name)
      if (variable !== undefined && isMutable(variable.type)) this.variables.set(name, { ...variable, type: UNKNOWN })
    }
  }

  private forgetShared(except: string | null): void {
    this.mutates = true
    this.inputsChanged = true
    forgetShared(this.variables, except)
    for (const scope of this.scopes) {
      for (const [name, type] of scope.types) if (name !== 'forloop' && isMutable(type)) scope.types.set(name, UNKNOWN)
    }
  }

  // ---- ways -------------------------------------------------------------------------------------------------------

  /** Runs something from these variables and gives the variables behind it, or null where nothing goes on. */
  run(from: Variables, body: () => void): Variables | null {
    const { dead } = this
    this.variables = new Map(from)
    this.dead = dead
    body()
    const after = this.dead && !dead ? null : this.variables
    this.dead = dead
    return after
  }

  /** Goes on from where several ways meet; none of them going on makes what follows dead. */
  goOn(ends: readonly (Variables | null)[], from: Variables): void {
    const alive = ends.filter((end) => end !== null)
    this.variables = alive.length === 0 ? from : meet(alive, (name) => this.absent(name))
    if (alive.length === 0) this.dead = true
  }
}

/** Names that a further place has in common with those before it; null stands for no place before. */
function common(before: readonly string[] | null, names: readonly string[]): readonly string[] {
  return before === null ? [...names] : before.filter((name) => names.includes(name))
}
