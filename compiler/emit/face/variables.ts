/**
 * The variables of a face. Those of the frame become locals that the function's head declares as they are met; a loop's own
 * hide them; counters, which stand behind them, are kept in registers.
 */
import type { Accessor, Target } from '../../model/ast.ts'
import type { Span } from '../../source/span.ts'
import type { Code } from '../../tags/tag.ts'
import type { Expressions } from '../expression.ts'
import { isPlainVariable, type Names, variableEntry, variableKey, variableMember } from '../names.ts'
import { annotation, quoted } from '../writer.ts'
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

const LIQUID = annotation(': Liquid')

export class Variables {
  readonly #input: FaceInput
  readonly #draft: Draft
  readonly #names: Names
  readonly #expressions: Expressions
  /** The parameter that carries what the caller handed in. */
  readonly #from: 'frame' | 'scope'
  /** JavaScript names of the frame's variables, as they are met. */
  readonly #frame = new Map<string, string>()
  readonly #hoisted: string[] = []
  readonly #locals = new Map<string, string>()
  readonly #scopes: Map<string, string>[] = []
  readonly #loops: LoopObject[] = []
  /** Names that are declared where they are set, so that they always are. */
  readonly #begun = new Set<string>()
  /** The local of the request's object, where `context` is a variable. */
  #request: string | null = null
  #usesRegisters = false

  constructor(input: FaceInput, draft: Draft, names: Names, expressions: Expressions) {
    this.#input = input
    this.#draft = draft
    this.#names = names
    this.#expressions = expressions
    this.#from = input.face === 'shared' ? 'frame' : 'scope'
  }

  /** What the function's head declares. */
  head(): readonly string[] {
    return [...(this.#usesRegisters ? [this.#registersLine()] : []), ...this.#hoisted, ...this.#locals.values()]
  }

  #registersLine(): string {
    const { face, imports } = this.#input
    const given = face === 'shared' ? `${imports.use('registersOf')}(frame)` : `new ${imports.use('Registers')}()`
    return `const registers = ${given}`
  }

  // ---- reading --------------------------------------------------------------------------------------------------------

  /** The code of a variable; a field of a loop's object when `path` begins with one, with the number of accessors used up. */
  variable(name: string, path: readonly Accessor[]): { readonly code: Code; readonly used: number } {
    const loop = this.loopNamed(name)
    if (loop === null || this.hides(name)) return { code: this.read(name), used: 0 }
    const field = literalKey(path[0])
    if (field === null) return { code: loop.whole(), used: 0 }
    return { code: Object.hasOwn(loop.fields, field) ? (loop.fields[field] as Code) : 'null', used: 1 }
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
    const part = old.reduce((code, key) => `${code}?.${key}`, this.#requestContext())
    return this.#input.bound.counters.has(name) ? `(${own} ?? ${part})` : `(${own} === undefined ? ${part} : ${own})`
  }

  /** The keys below `context` that the name means wherever nothing has set it; null where something surely has. */
  #old(name: string): readonly string[] | null {
    return this.#begun.has(name) ? null : oldKeys(this.#input, name)
  }

  /** The variable of the frame, with a counter behind it. */
  #own(name: string): Code {
    const js = this.#frame.get(name) ?? (this.#isContext(name) ? this.#hoistContext() : this.#hoist(name))
    if (!this.#input.bound.counters.has(name)) return js
    // A counter stands behind an assigned variable and before the render's data.
    return `(${js} ?? ${this.counter(name)} ?? ${this.member(this.#from, name)})`
  }

  /** The local of a loop's variable that hides the frame's. */
  hiding(name: string): string | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name)
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

  /** The local of the frame's variable, hidden or not. */
  framed(name: string): string {
    return this.#frame.get(name) ?? this.#hoist(name)
  }

  /** Reads a variable from the object that carries it. */
  member(object: string, name: string): Code {
    if (isPlainVariable(name)) return object + variableMember(name)
    const key = variableKey(name)
    return `${this.#input.imports.use('own')}(${object}, ${key.startsWith("'") ? key : quoted(key)})`
  }

  /** The render's own data of that name, or `null`. */
  data(name: string): Code {
    return this.#input.face === 'render' ? this.member('scope', name) : 'null'
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
    for (const scope of this.#scopes) for (const [name, js] of scope) entries.set(name, asShared(this.#input, name, js))
    const loop = this.loopNamed('forloop')
    if (loop !== null) entries.set('forloop', loop.whole())
    for (const [name, code] of passed) entries.set(name, code)
    const own = [...entries].map(([name, code]) => variableEntry(name, code))
    const all = `{ ...${this.#from}${own.length > 0 ? `, ${own.join(', ')}` : ''}, $registers: ${this.registers()} }`
    return readsOldNames(this.#input) ? all : asSet(this.#input, all)
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
    return this.#declare('context', (js) => `const ${js}${LIQUID} = r.context`)
  }

  /** The object of the request, also where a variable is called `context`. */
  #requestContext(): string {
    if (this.#isContext('context')) return this.#frame.get('context') ?? this.#hoistContext()
    if (this.#request === null) {
      this.#request = this.#names.fresh('context')
      this.#input.imports.types.add('Liquid')
      this.#hoisted.push(`const ${this.#request}${LIQUID} = r.context`)
    }
    return this.#request
  }

  /** Declares a name of the frame at the function's top, with what the caller handed in. */
  #hoist(name: string): string {
    const { effects, bound } = this.#input
    const written = effects.spills || effects.frameWrites.has(name) || bound.writes.has(name)
    const given = this.member(this.#from, name)
    // What this file calls `context` is the object of the request until it is set.
    const isContext = name === 'context' && this.#input.context.site.dialect === 'platform'
    const unset = isContext ? `${given} === undefined ? r.context : ${given}` : given
    const initial = bound.counters.has(name) ? 'null' : unset
    return this.#declare(name, (js) => `${written ? 'let' : 'const'} ${js}${LIQUID} = ${initial}`)
  }

  #declare(name: string, line: (js: string) => string): string {
    const js = this.#names.fresh(name)
    this.#frame.set(name, js)
    this.#input.imports.types.add('Liquid')
    this.#hoisted.push(line(js))
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
    if (context.site.dialect !== 'liquid' || face !== 'shared') return this.#draft.statement(`${js} = ${code}`, span)
    // What hides the name at the call keeps hiding it; the assignment goes behind it.
    const behind = behindKey(name)
    this.#draft.block(`if (${behind} in frame)`, null, () => this.#draft.statement(`frame[${behind}] = ${code}`, span))
    this.#draft.block('else', null, () => this.#draft.statement(`${js} = ${code}`, span))
  }

  /** Whether the variable is set at the top of the function before anything reads it. */
  #beginsHere(name: string): boolean {
    return this.#draft.depth === 0 && this.#input.face !== 'shared' && !this.#input.bound.counters.has(name)
  }

  /** Declares it where it is set, once and for all where nothing sets it again. */
  #begin(name: string, code: Code, span: Span): void {
    const js = this.#names.fresh(name)
    this.#frame.set(name, js)
    this.#begun.add(name)
    const again = (this.#input.bound.writes.get(name) ?? 0) > 1 || this.#writtenByIncludes(name)
    this.#input.imports.types.add('Liquid')
    this.#draft.statement(`${again ? 'let' : 'const'} ${js}${LIQUID} = ${code}`, span)
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
  store(target: Target, code: Code, push: boolean, span: Span): void {
    if (target.path.length === 0 && !push) this.assign(target.name.name, code, span)
    else this.#writeInto(target, code, push, span)
  }

  #writeInto(target: Target, code: Code, push: boolean, span: Span): void {
    const { context, imports } = this.#input
    const { name, path } = target
    // Faults name the container as the author wrote it.
    const written = (at: number) =>
      quoted(context.source(target.span.file, target.span.start, (path[at - 1] ?? name).span.end))
    const readOnly = () => `${imports.use('refuse')}('context is read-only: write to a copy')`
    if (this.#isContext(name.name) && !this.hides('context')) return this.#draft.statement(readOnly(), span)
    let container = this.hiding(name.name) ?? this.#own(name.name)
    if (this.#old(name.name) !== null && !this.hides(name.name))
      container = `(${container} === undefined ? ${readOnly()} : ${container})`
    const last = push ? path.length : path.length - 1
    for (const [at, accessor] of path.slice(0, last).entries())
      container = `${imports.use('step')}(${container}, ${this.#key(accessor)}, ${written(at)})`
    const call = push
      ? `${imports.use('push')}(${container}, ${code}, ${written(last)})`
      : `${imports.use('writeKey')}(${container}, ${this.#key(path.at(-1) as Accessor)}, ${code}, ${written(last)})`
    this.#draft.statement(call, span)
  }

  #key(accessor: Accessor): Code {
    return accessor.kind === 'key' ? quoted(accessor.name) : this.#expressions.value(accessor.value)
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
    return this.loopNamed('forloop')?.whole() ?? 'null'
  }

  counter(name: string): Code {
    return `${this.registers()}.counter(${quoted(name)})`
  }

  registers(): Code {
    this.#usesRegisters = true
    return 'registers'
  }

  /** A counter that only one place of the function uses. */
  local(hint: string, initial: Code): Code {
    const known = this.#locals.get(hint)
    if (known !== undefined) return /let (\S+)/.exec(known)?.[1] as string
    const name = this.#names.fresh(hint.split(':')[0] ?? hint)
    this.#locals.set(hint, `let ${name} = ${initial}`)
    return name
  }
}

/** Base Liquid: where the frame carries the variable behind one that hides it at the call. A literal. */
export function behindKey(name: string): Code {
  return quoted(`$behind:${name}`)
}

function literalKey(accessor: Accessor | undefined): string | null {
  if (accessor?.kind === 'key') return accessor.name
  if (accessor?.kind !== 'index') return null
  const { value } = accessor
  return value.kind === 'literal' && value.value.type === 'string' ? value.value.value : null
}
