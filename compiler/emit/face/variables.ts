/**
 * The variables of a face. Those of the frame become locals that the function's head declares as they are met; a loop's own
 * hide them; counters, which stand behind them, are kept in registers.
 */
import type { Accessor, WriteTarget } from '../../model/ast.ts'
import {
  all,
  assign,
  binary,
  branch,
  choice,
  type Code,
  constant,
  create,
  declare,
  ident,
  invoke,
  member,
  method,
  NULL,
  number,
  object,
  property,
  run,
  type Statement,
  string,
  typed,
  typeNamed,
  UNDEFINED,
  variable,
  when,
} from '../../model/code.ts'
import type { Type } from '../../model/type.ts'
import type { Span } from '../../source/span.ts'
import type { Expressions } from '../expression.ts'
import { isPlainVariable, type Names, variableEntry, variableKey } from '../names.ts'
import { isScalar } from '../scalars.ts'
import type { Draft } from './draft.ts'
import type { FaceInput } from './input.ts'
import { oldVariableOf } from '../../types/old-variables.ts'
import { asGiven, asSet, asShared, oldKeys, readsOldNames } from './old-names.ts'

/** What `forloop` and `tablerowloop` mean: a code for each field, and one for the whole object. */
export interface LoopObject {
  readonly name: 'forloop' | 'tablerowloop'
  readonly fields: Readonly<Record<string, Code>>
  readonly whole: () => Code
}

const UNKNOWN = typeNamed('unknown')
const REGISTERS = ident('registers')
const REQUEST = member(ident('r'), 'context')

export class Variables {
  readonly #input: FaceInput
  readonly #draft: Draft
  readonly #names: Names
  readonly #expressions: Expressions
  /** The parameter that carries what the caller handed in. */
  readonly #from: 'frame' | 'scope'
  /** JavaScript names of the frame's variables, as they are met. */
  readonly #frame = new Map<string, string>()
  readonly #hoisted: Statement[] = []
  readonly #locals = new Map<string, { readonly local: Code; readonly declared: Statement }>()
  readonly #scopes: Map<string, string>[] = []
  readonly #loops: LoopObject[] = []
  /** Names that are declared where they are set, so that they always are, with the type of those that are set only there. */
  readonly #begun = new Map<string, Type | undefined>()
  /** The local of the request's object, where `context` is a variable. */
  #request: Code | null = null
  #usesRegisters = false

  constructor(input: FaceInput, draft: Draft, names: Names, expressions: Expressions) {
    this.#input = input
    this.#draft = draft
    this.#names = names
    this.#expressions = expressions
    this.#from = input.face === 'shared' ? 'frame' : 'scope'
  }

  /** What the function's head declares. */
  head(): readonly Statement[] {
    return [
      ...(this.#usesRegisters ? [this.#declaredRegisters()] : []),
      ...this.#hoisted,
      ...[...this.#locals.values()].map(({ declared }) => declared),
    ]
  }

  #declaredRegisters(): Statement {
    const { face, imports } = this.#input
    const shared = face === 'shared'
    const given = shared ? invoke(imports.use('registersOf'), ident('frame')) : create(imports.use('Registers'))
    return constant('registers', given)
  }

  // ---- reading --------------------------------------------------------------------------------------------------------

  /** The code of a variable; a field of a loop's object when `path` begins with one, with the number of accessors used up. */
  variable(name: string, path: readonly Accessor[]): { readonly code: Code; readonly used: number } {
    const loop = this.loopNamed(name)
    if (loop === null || this.hides(name)) return { code: this.read(name), used: 0 }
    const field = literalKey(path[0])
    if (field === null) return { code: loop.whole(), used: 0 }
    return { code: Object.hasOwn(loop.fields, field) ? (loop.fields[field] as Code) : NULL, used: 1 }
  }

  loopNamed(name: string): LoopObject | null {
    return this.#loops.findLast((loop) => loop.name === name) ?? null
  }

  /** The code that reads a name: a loop's variable, the frame's, a counter behind it, or the part of `context` that it means. */
  read(name: string): Code {
    const hidden = this.hiding(name)
    if (hidden !== undefined) return hidden
    const own = this.#own(name)
    const old = this.#old(name)
    if (old === null) return own
    // Read where it stands: tags change what the request has.
    const part = old.reduce(
      (object, key) => member(invoke(this.#input.imports.use('fields'), object), key),
      this.#requestContext(),
    )
    return this.#input.bound.counters.has(name)
      ? binary(own, '??', part)
      : choice(binary(own, '===', UNDEFINED), part, own)
  }

  /** The keys below `context` that the name means wherever nothing has set it; null where something surely has. */
  #old(name: string): readonly string[] | null {
    return this.#begun.has(name) ? null : oldKeys(this.#input, name)
  }

  /** The variable of the frame, with a counter behind it. */
  #own(name: string): Code {
    const local = ident(this.#frame.get(name) ?? (this.#isContext(name) ? this.#hoistContext() : this.#hoist(name)))
    const type = this.#begun.get(name)
    const js = type === undefined ? local : typed(local, type)
    if (!this.#input.bound.counters.has(name)) return js
    // A counter stands behind an assigned variable and before the render's data.
    return binary(binary(js, '??', this.counter(name)), '??', this.member(ident(this.#from), name))
  }

  /** The local of a loop's variable that hides the frame's. */
  hiding(name: string): Code | undefined {
    const js = this.#scopes.findLast((scope) => scope.has(name))?.get(name)
    return js === undefined ? undefined : ident(js)
  }

  hides(name: string): boolean {
    return this.hiding(name) !== undefined
  }

  /** What is handed on under a name: a variable that is not set stays so. */
  handed(name: string): Code {
    if (oldVariableOf(this.#input.context.site, name) === null) return this.variable(name, []).code
    const hidden = this.hiding(name)
    // Where such a name means nothing, what is not set is nil for the other file, too.
    if (hidden === undefined && readsOldNames(this.#input)) return this.#own(name)
    return asShared(this.#input, name, hidden ?? this.#own(name))
  }

  /** The frame's variable, hidden or not. */
  framed(name: string): Code {
    return ident(this.#frame.get(name) ?? this.#hoist(name))
  }

  /** Reads a variable from the object that carries it. */
  member(carrier: Code, name: string): Code {
    const key = variableKey(name)
    return isPlainVariable(name) ? member(carrier, key) : invoke(this.#input.imports.use('own'), carrier, string(key))
  }

  /** The render's own data of that name, or `null`. */
  data(name: string): Code {
    return this.#input.face === 'render' ? this.member(ident('scope'), name) : NULL
  }

  knows(name: string): boolean {
    const { bound } = this.#input
    return this.hides(name) || bound.reads.has(name) || bound.writes.has(name) || this.#frame.has(name)
  }

  /** Names of the frame that the face can know. */
  known(): readonly string[] {
    const { context, effects } = this.#input
    return [...new Set([...this.#frame.keys(), ...effects.frame])].filter(
      (name) => name !== 'context' || context.site.dialect === 'liquid',
    )
  }

  /** Every visible name as one object: what a computed `include` may read. */
  everything(passed: ReadonlyMap<string, Code>): Code {
    const entries = new Map<string, Code>()
    for (const name of this.known()) entries.set(name, this.framed(name))
    for (const scope of this.#scopes)
      for (const [name, js] of scope) entries.set(name, asShared(this.#input, name, ident(js)))
    const loop = this.loopNamed('forloop')
    if (loop !== null) entries.set('forloop', loop.whole())
    for (const [name, code] of passed) entries.set(name, code)
    const own = [...entries].map(([name, code]) => variableEntry(name, code))
    const whole = object([all(ident(this.#from)), ...own, property('$registers', this.registers())])
    return readsOldNames(this.#input) ? whole : asSet(this.#input, whole)
  }

  /** Whether the name surely means the object of the request, or an old name for a part of it that nothing here sets. */
  isSupplied(name: string): boolean {
    if (this.hides(name)) return false
    if (this.#isContext(name)) return true
    return this.#old(name) !== null && this.#input.face === 'render' && !this.#input.bound.writes.has(name)
  }

  /** Whether the name means the one object of the request. */
  #isContext(name: string): boolean {
    return name === 'context' && this.#input.context.site.dialect === 'platform' && !this.#input.bound.writes.has(name)
  }

  #hoistContext(): string {
    return this.#declare('context', 'const', REQUEST)
  }

  /** The object of the request, also where a variable is called `context`. */
  #requestContext(): Code {
    if (this.#isContext('context')) return ident(this.#frame.get('context') ?? this.#hoistContext())
    if (this.#request === null) {
      const js = this.#names.fresh('context')
      this.#hoisted.push(constant(js, REQUEST, null, UNKNOWN))
      this.#request = ident(js)
    }
    return this.#request
  }

  /** Declares a name of the frame at the function's top, with what the caller handed in. */
  #hoist(name: string): string {
    const { effects, bound } = this.#input
    const written = effects.spills || effects.frameWrites.has(name) || bound.writes.has(name)
    const given = this.member(ident(this.#from), name)
    // What this file calls `context` is the object of the request until it is set.
    const isContext = name === 'context' && this.#input.context.site.dialect === 'platform'
    const unset = isContext ? choice(binary(given, '===', UNDEFINED), REQUEST, given) : given
    return this.#declare(name, written ? 'let' : 'const', bound.counters.has(name) ? NULL : unset)
  }

  #declare(name: string, how: 'const' | 'let', value: Code): string {
    const js = this.#names.fresh(name)
    this.#frame.set(name, js)
    this.#hoisted.push(declare(how, js, value, null, UNKNOWN))
    return js
  }

  // ---- writing --------------------------------------------------------------------------------------------------------

  assign(name: string, value: Code, span: Span): void {
    const { context, face } = this.#input
    const code = asGiven(this.#input, name, value)
    let js = this.#frame.get(name)
    if (js === undefined) {
      if (this.#beginsHere(name)) return this.#begin(name, code, span)
      js = this.#hoist(name)
    }
    const set = assign(ident(js), code, span)
    if (context.site.dialect !== 'liquid' || face !== 'shared') return this.#draft.add(set)
    // What hides the name at the call keeps hiding it; the assignment goes behind it.
    const key = behindKey(name)
    const behind = assign(member(ident('frame'), key), code, span)
    this.#draft.add(when(branch(binary(string(key), 'in', ident('frame')), [behind]), branch(null, [set])))
  }

  /** Whether the variable is set at the top of the function before anything reads it. */
  #beginsHere(name: string): boolean {
    return this.#draft.depth === 0 && this.#input.face !== 'shared' && !this.#input.bound.counters.has(name)
  }

  /** Declares it where it is set, once and for all where nothing sets it again. */
  #begin(name: string, code: Code, span: Span): void {
    const js = this.#names.fresh(name)
    this.#frame.set(name, js)
    const again = (this.#input.bound.writes.get(name) ?? 0) > 1 || this.#writtenByIncludes(name)
    this.#begun.set(name, again ? undefined : code.type)
    this.#draft.add(declare(again ? 'let' : 'const', js, code, span, !again && isScalar(code) ? null : UNKNOWN))
  }

  /** How a loop declares its variable: `let` where an included partial may set it, else `const`. */
  declares(name: string): 'const' | 'let' {
    return this.#input.context.site.dialect === 'platform' && this.#writtenByIncludes(name) ? 'let' : 'const'
  }

  #writtenByIncludes(name: string): boolean {
    const { bound, context } = this.#input
    return bound.calls.some((call) => {
      if (call.kind !== 'include') return false
      if (call.literal === null) return true
      const unit = context.site.partials.get(call.literal)
      const effects = unit === undefined ? undefined : context.effects.get(unit.file.path)
      return effects !== undefined && (effects.spills || effects.frameWrites.has(name))
    })
  }

  /** Writes a variable, a place in a hash or array, or with `push` onto an array. */
  store(target: WriteTarget, code: Code, push: boolean, span: Span): void {
    if (target.path.length === 0 && !push) this.assign(target.name.name, code, span)
    else this.#writeInto(target, code, push, span)
  }

  #writeInto(target: WriteTarget, code: Code, push: boolean, span: Span): void {
    const { context, imports } = this.#input
    const { name, path } = target
    // Faults name the container as the author wrote it.
    const written = (at: number) =>
      string(context.source(target.span.file, target.span.start, (path[at - 1] ?? name).span.end))
    const readOnly = () => invoke(imports.use('refuse'), string('context is read-only: write to a copy'))
    if (this.#isContext(name.name) && !this.hides('context')) return this.#draft.add(run(readOnly(), span))
    const hidden = this.hiding(name.name)
    let container = hidden ?? this.#own(name.name)
    if (hidden === undefined && this.#old(name.name) !== null)
      container = choice(binary(container, '===', UNDEFINED), readOnly(), container)
    const last = push ? path.length : path.length - 1
    for (const [at, accessor] of path.slice(0, last).entries())
      container = invoke(imports.use('step'), container, this.#key(accessor), written(at))
    const call = push
      ? invoke(imports.use('push'), container, code, written(last))
      : invoke(imports.use('writeKey'), container, this.#key(path.at(-1) as Accessor), code, written(last))
    this.#draft.add(run(call, span))
  }

  #key(accessor: Accessor): Code {
    return accessor.kind === 'key' ? string(accessor.name) : this.#expressions.value(accessor.value)
  }

  // ---- names of loops, and what stays between tags --------------------------------------------------------------------

  /** Names of a loop: gives the JavaScript names to declare, valid while `body` is written. */
  scope(names: readonly string[], body: (js: readonly string[]) => void): void {
    const js = names.map((name) => this.#names.fresh(name))
    this.#scopes.push(new Map(names.map((name, at) => [name, js[at] as string])))
    body(js)
    this.#scopes.pop()
  }

  /** What the loop's object means while `body` is written. */
  loopObject(loop: LoopObject, body: () => void): void {
    this.#loops.push(loop)
    body()
    this.#loops.pop()
  }

  /** The loop object around this one, as a value. */
  parentLoop(): Code {
    return this.loopNamed('forloop')?.whole() ?? NULL
  }

  counter(name: string): Code {
    return method(this.registers(), 'counter', string(name))
  }

  registers(): Code {
    this.#usesRegisters = true
    return REGISTERS
  }

  /** A counter that only one place of the function uses, from 0 on; all that ask with the same key share it. */
  local(hint: string, key: string): Code {
    const known = this.#locals.get(key)
    if (known !== undefined) return known.local
    const js = this.#names.fresh(hint)
    this.#locals.set(key, { local: ident(js), declared: variable(js, number(0)) })
    return ident(js)
  }
}

/** Base Liquid: where the frame carries the variable behind one that hides it at the call. */
export function behindKey(name: string): string {
  return `$behind:${name}`
}

function literalKey(accessor: Accessor | undefined): string | null {
  if (accessor?.kind === 'key') return accessor.name
  if (accessor?.kind !== 'index') return null
  const { value } = accessor
  return value.kind === 'literal' && value.value.type === 'string' ? value.value.value : null
}
