/**
 * One walk over a template: where it stands (`flow`), what it has found (`findings`) and which names were read (`reads`). Each of the
 * three alone changes what it holds; what concerns several of them is done here.
 */
import { cacheVariable } from '../../../core/diagnostics/codes/values/cache-variable.ts'
import { oldName } from '../../../core/diagnostics/codes/values/old-name.ts'
import { undefinedVariable } from '../../../core/diagnostics/codes/values/undefined-variable.ts'
import { reservedName } from '../../../core/diagnostics/codes/values/reserved-name.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { NameNode } from '../../../core/model/ast.ts'
import { INTEGER, NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import { property } from '../../../language/types/lookup.ts'
import { ASSET_URLS, inContext, oldVariableOf } from '../../../language/types/old-variables.ts'
import { type ChangedKeys, withChangedKeys } from '../../../language/types/changed-keys.ts'
import { join } from '../../../language/types/relate.ts'
import type { TemplateEnvironment, TemplateInput } from './facts.ts'
import { Findings } from './findings.ts'
import { Flow } from './flow.ts'
import { Reads, type ReadPurpose } from './reads.ts'
import type { TextPattern } from './state.ts'
import type { Piece } from '../piece.ts'

export class Walk {
  readonly env: TemplateEnvironment
  readonly piece: Piece
  readonly flow: Flow
  readonly findings: Findings
  readonly reads = new Reads()

  constructor(env: TemplateEnvironment, piece: Piece) {
    this.env = env
    this.piece = piece
    this.flow = new Flow({ file: piece.unit.file.path, start: 0, end: 0 }, (name) => this.absent(name))
    this.findings = new Findings(this.flow, {
      isPlatform: this.platform,
      isPartial: this.isPartial,
      isBroken: piece.template.broken,
    })
  }

  /** Whether others call the template. A block of `background` is told its names where it stands. */
  get isPartial(): boolean {
    return this.env.isPartial
  }

  get platform(): boolean {
    return this.env.site.dialect === 'platform'
  }

  report(diagnostic: Diagnostic): void {
    this.findings.report(diagnostic)
  }

  source(span: Span): string {
    return this.piece.unit.file.text.slice(span.start, span.end)
  }

  // ---- reading ----------------------------------------------------------------------------------------------------

  /** The type of a variable, which counts as read. */
  name(name: string, span: Span, purpose: ReadPurpose): Type {
    const local = this.flow.local(name)
    if (local !== undefined) return local
    this.reads.use(name)
    const variable = this.flow.variables.get(name)
    if (variable !== undefined) {
      if (variable.cache !== null && !this.flow.isInside(variable.cache)) {
        this.report(cacheVariable(span, name, variable.cache))
        this.flow.set(name, { ...variable, cache: null })
      }
      // On some path it still has the value from outside, which may be nil.
      if (!variable.certain) this.freeRead(name, span, 'test', false)
      if (variable.visitor !== null) this.readVisitor(variable.visitor, span)
      return variable.type
    }
    if (this.piece.bound.counters.has(name)) return join(INTEGER, this.absent(name))
    const global = this.env.globals.get(name)
    if (global !== undefined) {
      // What the host gives to all may be an argument, too.
      if (this.env.site.globals.has(name) || this.env.site.globalsAreAll) this.freeRead(name, span, 'test', false)
      return global
    }
    const meant = this.env.misspelt.get(name)
    if (meant !== undefined) return this.misspelt(name, meant, span)
    const oldType = this.oldType(name)
    const keys = this.oldKeys(name)
    if (keys !== null && name !== ASSET_URLS) this.report(oldName(span, name, inContext(name) ?? name, true))
    // The name of a field of `context` has a value without being passed.
    this.freeRead(name, span, oldType === null ? purpose : 'test', oldType === null)
    const included = this.flow.includeWrites.get(name)
    if (included !== undefined) {
      if (!this.flow.dead) this.reads.addAfterInclude(name, span, included.partial, included.span)
      return UNKNOWN
    }
    const isPassed = this.env.params?.has(name) === true
    const isSetSomewhere = isPassed || oldType !== null || this.piece.bound.writes.has(name)
    if (this.env.closed && !isSetSomewhere && !this.flow.dead)
      this.reads.addUndefined(name, span, purpose === 'default')
    return this.absent(name)
  }

  /** A name that nothing sets and nobody gives stands for a variable of this template: told once, and nothing follows from it. */
  private misspelt(name: string, meant: string, span: Span): Type {
    this.reads.use(meant)
    if (!this.flow.dead && this.reads.addMisspelt(name))
      this.report(
        undefinedVariable(span, name, [meant], /^(?:true|false|nil)$/.test(meant) ? meant : null, this.setAt(meant)),
      )
    return UNKNOWN
  }

  /** Where this template sets a variable; null for one of a loop. */
  private setAt(name: string): Span | null {
    return this.flow.variables.get(name)?.span ?? this.reads.setAt.get(name) ?? null
  }

  freeRead(name: string, span: Span, purpose: ReadPurpose, foreign: boolean, alsoGiven: readonly string[] = []): void {
    const { given, notGiven } = this.flow
    this.reads.addFree(name, span, purpose, foreign, { given: [...given, ...alsoGiven], notGiven })
  }

  /** An included partial reads a name that this template, itself a partial, has not set. */
  readByInclude(
    name: string,
    call: Span,
    { needed, required, part, span, alternatives, onlyWith }: TemplateInput,
    passed: ReadonlyMap<string, unknown>,
  ): void {
    const isOld = this.possibleKeys(name) !== null
    const isMissed = required && !alternatives.some((other) => passed.has(other))
    const alsoGiven = onlyWith.filter((other) => !passed.has(other) && !this.isSet(other))
    // Whoever includes this one tells of an old name, and where it is written.
    this.freeRead(name, isOld ? span : call, needed ? 'need' : isMissed ? 'value' : 'test', !isOld, alsoGiven)
    if (part !== null) this.readPart(name, part, span)
  }

  /** An included partial reads a part of `context` by a name that nothing sets before this call; other callers may set it. */
  readByOldName(name: string, { span, part }: TemplateInput): void {
    if (name !== ASSET_URLS) this.report(oldName(span, name, inContext(name) ?? name, false))
    if (part !== null) this.readPart(name, part, span)
  }

  /** A read of a part of the request, by a name that may be a variable of whoever includes the template. */
  readPart(name: string, part: string, span: Span): void {
    if (this.flow.dead) return
    if (name !== 'context' && this.oldKeys(name) === null) this.reads.addFreePart(name, part)
    else this.reads.addRequestPart(part, span)
  }

  /** A read of what is the visitor's own, by whatever name. */
  readVisitor(part: string, span: Span): void {
    if (this.flow.dead) return
    this.reads.addVisitorPart(part, span)
    this.flow.readVisitor(part, span)
  }

  /** The type of a name that this template has not set. */
  absent(name: string): Type {
    const global = this.env.globals.get(name)
    if (global !== undefined) return global
    // An iteration before this one may have set it.
    if (this.flow.inLoop && this.piece.bound.writes.has(name)) return UNKNOWN
    const { params } = this.env
    const oldType = this.oldType(name)
    if (params !== null) {
      const passed = params.get(name)
      if (passed === undefined) return oldType ?? NIL
      // Some caller may not pass it.
      const type = oldType === null ? passed : join(passed, oldType)
      return withChangedKeys(type, this.flow.changedKeys)
    }
    if (oldType !== null && !this.isPartial) return oldType
    const likely = oldType === null ? this.env.likely?.get(name) : undefined
    if (likely !== undefined) return withChangedKeys(likely, this.flow.changedKeys)
    return this.env.closed ? NIL : UNKNOWN
  }

  /** The type of the field of `context` that a name means where nothing sets it; null where it means none. */
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

  /** The type of a name here, without counting it as read. */
  typeNow(name: string): Type {
    const local = this.flow.local(name)
    if (local !== undefined) return local
    const variable = this.flow.variables.get(name)
    if (variable === undefined) return this.absent(name)
    return variable.certain ? variable.type : join(variable.type, this.absent(name))
  }

  /** All names that have a value here, as far as it is known, with their types. */
  namesNow(): ReadonlyMap<string, Type> {
    const { globals, params } = this.env
    const documented = this.piece.template.doc?.params.map(({ name }) => name) ?? []
    const names = new Set([...globals.keys(), ...(params?.keys() ?? []), ...documented, ...this.flow.names()])
    return new Map([...names].map((name) => [name, this.typeNow(name)]))
  }

  /** Whether the name of a variable or loop stands for a value here, as far as this template knows. */
  isSet(name: string): boolean {
    return this.isOwn(name) || this.env.globals.has(name)
  }

  /** Whether this template itself has set the name. */
  isOwn(name: string): boolean {
    return this.flow.variables.has(name) || this.flow.local(name) !== undefined
  }

  texts(name: string): readonly TextPattern[] | null {
    return this.flow.local(name) !== undefined ? null : (this.flow.variables.get(name)?.texts ?? null)
  }

  // ---- writing ----------------------------------------------------------------------------------------------------

  /** `visitor`: the part of `context` that the value was read from, where that is the visitor's own. */
  set(name: NameNode, type: Type, owned: boolean, texts: readonly TextPattern[] | null, visitor: string | null): void {
    this.checkName(name)
    const before = this.flow.variables.get(name.name)
    const { cache } = this.flow
    this.flow.set(name.name, {
      type,
      certain: true,
      span: name.span,
      owned,
      partsShared: false,
      cache: before === undefined || before.cache !== null ? cache : null,
      texts,
      visitor,
    })
    this.reads.addSet(name)
    this.env.observer?.set(name, type)
  }

  checkName(name: NameNode): void {
    if (this.reads.addName(name, this.platform)) this.report(reservedName(name.span, name.name))
  }

  /** A new type for a variable into whose value these keys were written, or into a part of it. */
  change(
    name: NameNode,
    type: Type,
    { keys, intoPart }: { readonly keys: ChangedKeys; readonly intoPart: boolean },
  ): void {
    const variable = this.flow.variables.get(name.name)
    if (this.flow.local(name.name) !== undefined) {
      this.flow.changeShared(keys, null)
      this.flow.setLocal(name.name, type)
      return
    }
    if (variable?.owned !== true || (intoPart && variable.partsShared)) this.flow.changeShared(keys, name.name)
    if (variable !== undefined) this.flow.set(name.name, { ...variable, type })
    else if (!this.env.globals.has(name.name) && this.oldKeys(name.name) === null) {
      // From here on the template has changed what it was passed.
      this.flow.set(name.name, {
        type,
        certain: true,
        span: name.span,
        owned: false,
        partsShared: true,
        cache: null,
        texts: null,
        visitor: null,
      })
    }
  }
}
