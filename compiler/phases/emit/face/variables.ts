/**
 * The variables of a face. Those of the frame become locals that the function's head declares as they are met; a loop's own
 * hide them; counters, which stand behind them, are kept in registers.
 */
import type { Accessor, WriteTarget } from '../../../core/model/ast.ts'
import {
  all,
  assign,
  binary,
  branch,
  choice,
  type Code,
  constant,
  create,
  type Entry,
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
  UNDEFINED,
  variable,
  when,
} from '../../../core/model/code.ts'
import { joinValues, NIL_VALUE, optional, UNKNOWN_VALUE, type ValueType } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Expressions } from '../expression.ts'
import type { SelfCode } from '../resolver.ts'
import { requestCode } from '../host-values.ts'
import { isPlainVariable, type Names, variableEntry, variableKey } from '../names.ts'
import { valueOf } from '../value-types.ts'
import { isSetByIncludes } from './callee.ts'
import type { Draft } from './draft.ts'
import type { FaceInput } from './input.ts'
import { directKey, literalKey } from '../../../language/types/accessors.ts'
import { oldVariableOf } from '../../../language/types/old-variables.ts'
import { HOST_GLOBALS } from '../imports.ts'
import { asGiven, asSet, asShared, neverUnset, oldKeys, readsOldNames } from './old-names.ts'
import { asFields, type Local, Locals, readOf } from './locals.ts'
import { LoopVariables } from './loop-variables.ts'
import { SelfView } from './self-view.ts'
import { NO_USES, VariableUses } from './variable-uses.ts'

const REGISTERS = ident('registers')
const DATA = member(ident('r'), 'data')

/** A name of the frame that callers hand over by itself. */
export interface ParameterUse {
  readonly name: string
  readonly js: string
  readonly type: ValueType
}

export class Variables {
  readonly #input: FaceInput
  readonly #draft: Draft
  readonly #names: Names
  readonly #expressions: Expressions
  readonly #declared: Locals
  /** The parameter that carries what the caller handed in. */
  readonly #from: 'frame' | 'scope'
  /** The frame's variables, as they are met. */
  readonly #frame = new Map<string, Local>()
  /** What the caller hands over one by one, in the order of the parameters. */
  readonly #parameters: ParameterUse[] = []
  readonly #hoisted: Statement[] = []
  readonly #locals = new Map<string, { readonly local: Code; readonly declared: Statement }>()
  /** Names that are declared where they are set, so that they always are. */
  readonly #begun = new Set<string>()
  /** How this writing of the function uses its variables. */
  readonly uses = new VariableUses()
  /** The variables and objects of the loops around the place that is written. */
  readonly loops: LoopVariables
  /** Where base Liquid's `self` is read, by this function or one that shares its variables. */
  readonly #view: SelfView | null
  /** The local of the request's object, where `context` is a variable. */
  #context: Code | null = null
  #usesRegisters = false

  constructor(input: FaceInput, draft: Draft, names: Names, expressions: Expressions) {
    this.#input = input
    this.#draft = draft
    this.#names = names
    this.#expressions = expressions
    this.#declared = new Locals(input, names)
    this.#from = input.face === 'shared' ? 'frame' : 'scope'
    this.#view = input.effects.readsSelf ? new SelfView(names) : null
    this.loops = new LoopVariables(input, draft, this.#declared, this.uses, this.#view)
  }

  /** What the function's head declares. */
  head(): readonly Statement[] {
    const view = this.#viewHead()
    return [
      ...(this.#usesRegisters ? [this.#declaredRegisters()] : []),
      ...this.#hoisted,
      ...[...this.#locals.values()].map(({ declared }) => declared),
      ...view,
    ]
  }

  /** What shows the variables as `self`. */
  #viewHead(): readonly Statement[] {
    if (this.#view === null) return []
    const { imports, context } = this.#input
    const frame = new Map(this.known().map((name) => [name, this.framed(name)]))
    const host = context.site.globals.size === 0 ? [] : [imports.host(HOST_GLOBALS)]
    return this.#view.head(frame, this.registers(), [ident(this.#from), ...host], imports)
  }

  /** Base Liquid's `self`: the variable of that name, and what it means where nothing set it. */
  self(): SelfCode {
    const variable = this.hides('self') ? this.read('self') : this.framed('self')
    return { variable, view: () => this.#view?.self ?? NULL }
  }

  /** Behind an included partial, `self` means the variables of this function again. */
  shownAgain(): readonly Statement[] {
    return this.#view === null ? [] : [this.#view.again(this.registers())]
  }

  #declaredRegisters(): Statement {
    const { face, imports } = this.#input
    const shared = face === 'shared'
    const given = shared ? invoke(imports.use('registersOf'), ident('frame')) : create(imports.use('Registers'))
    return constant('registers', given)
  }

  // ---- reading --------------------------------------------------------------------------------------------------------

  /** The code of a variable; a field of a loop's object when `path` begins with one, with the number of accessors used up. `isSet`: surely something set it. */
  variable(
    name: string,
    path: readonly Accessor[],
  ): { readonly code: Code; readonly used: number; readonly isSet: boolean } {
    const loop = this.loops.named(name)
    if (loop === null || this.hides(name)) {
      const isSet = this.hides(name) || this.#begun.has(name) || this.#isContext(name)
      return { code: this.read(name, directKey(path[0]) !== null), used: 0, isSet }
    }
    const field = literalKey(path[0])
    if (field === null) return { code: loop.whole(), used: 0, isSet: true }
    return { code: Object.hasOwn(loop.fields, field) ? (loop.fields[field]?.() ?? NULL) : NULL, used: 1, isSet: true }
  }

  /**
   * The code that reads a name: a loop's variable, the frame's, a counter behind it, or the part of `context` that it means. `field`: only
   * one of its fields is read.
   */
  read(name: string, field = false): Code {
    const hidden = this.loops.read(name, field)
    if (hidden !== undefined) return hidden
    const old = this.#old(name)
    if (old === null) return this.#own(name, field)
    // Read where it stands: tags change what the request has.
    const part = old.reduce((object, key) => this.#expressions.partUnder(object, key), this.#requestContext())
    return this.#own(name, false, part)
  }

  /** The keys below `context` that the name means wherever nothing has set it; null where something surely has. */
  #old(name: string): readonly string[] | null {
    return this.#begun.has(name) ? null : oldKeys(this.#input, name)
  }

  /** The variable of the frame, with what stands behind one that is not set: its counter, then `last`, or the render's data. */
  #own(name: string, field = false, last: Code | null = null): Code {
    this.uses.read(name, this.#draft.blocks, field)
    const js = readOf(this.#known(name), field)
    const behind = this.#counts(name) ? this.#behindCounter(name, last) : last
    if (behind === null || js.kind === 'undefined') return behind ?? js
    return choice(binary(js, '===', UNDEFINED), behind, js)
  }

  /** Whether the name is counted, so that the variable stands before a counter. */
  #counts(name: string): boolean {
    return this.#input.effects.counters.has(name)
  }

  #behindCounter(name: string, last: Code | null): Code {
    const counter = method(this.registers(), 'counter', string(name))
    const known = last ?? (this.#input.context.site.dialect === 'liquid' ? this.member(DATA, name) : null)
    return known === null ? counter : binary(counter, '??', known)
  }

  /** The variable of the frame; what is met for the first time is declared at the function's top. */
  #known(name: string): Local {
    return this.#frame.get(name) ?? (this.#isContext(name) ? this.#hoistContext() : this.#hoist(name))
  }

  /** The local of a loop's variable that hides the frame's. */
  hiding(name: string): Code | undefined {
    return this.loops.read(name, false)
  }

  hides(name: string): boolean {
    return this.loops.hides(name)
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
    this.uses.read(name, this.#draft.blocks, false)
    return readOf(this.#frame.get(name) ?? this.#hoist(name), false)
  }

  /** The variable that another template sets: the loop's where that hides the frame's and `inLoops` says so. */
  taken(name: string, inLoops: boolean): Code {
    const hidden = inLoops ? this.loops.taken(name) : undefined
    if (hidden !== undefined) return hidden
    this.uses.set(name, UNKNOWN_VALUE, this.#draft.blocks)
    return this.framed(name)
  }

  /** Reads a variable from the object that carries it. */
  member(carrier: Code, name: string): Code {
    const key = variableKey(name)
    return isPlainVariable(name) ? member(carrier, key) : invoke(this.#input.imports.use('own'), carrier, string(key))
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
    for (const [name, code] of this.loops.all()) entries.set(name, asShared(this.#input, name, code))
    for (const [name, code] of passed) entries.set(name, code)
    const own = [...entries].map(([name, code]) => variableEntry(name, code))
    const { imports, context } = this.#input
    const globals = context.site.globals.size === 0 ? [] : [all(imports.host(HOST_GLOBALS))]
    const data = this.#seesData() ? [all(DATA)] : []
    const carried = [...globals, ...data, all(ident(this.#from))]
    const whole = object([...carried, ...own, ...this.#carriedState()])
    return readsOldNames(this.#input) ? whole : asSet(this.#input, whole)
  }

  /** What an included partial shares beside variables. */
  #carriedState(): readonly Entry[] {
    const registers = property('$registers', this.registers())
    return this.#input.effects.asksParent ? [registers, property('$parentloop', this.loops.parent()())] : [registers]
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

  #hoistContext(): Local {
    const byParts = this.#input.uses.of('context')?.wholeReads === 0
    return this.#declare('context', 'const', requestCode(this.#input.context.site, byParts), UNKNOWN_VALUE)
  }

  /** The object of the request, also where a variable is called `context`. */
  #requestContext(): Code {
    if (this.#isContext('context')) {
      this.uses.read('context', this.#draft.blocks, true)
      return readOf(this.#known('context'), true)
    }
    if (this.#context === null) {
      const js = this.#names.fresh('context')
      const value = asFields(this.#input.imports, requestCode(this.#input.context.site, true))
      this.#hoisted.push(constant(js, value))
      this.#context = typed(ident(js), valueOf(value))
    }
    return this.#context
  }

  /** Declares a name of the frame at the function's top, with what the caller handed in. */
  #hoist(name: string): Local {
    const { effects, bound, given, parameters, context } = this.#input
    const written = effects.spills || effects.frameWrites.has(name) || bound.writes.has(name)
    const own = this.#input.uses.of(name)?.type ?? null
    const how = written ? 'let' : 'const'
    const isOld = oldVariableOf(context.site, name) !== null
    const isGlobal = context.site.globals.has(name)
    if (given !== null && !given.has(name) && !isOld && !isGlobal && this.#input.face !== 'shared') {
      // A variable that is not set is nil, but a query is not given it.
      if (!written) return this.#keep(name, { code: UNDEFINED, fields: null, isFields: false })
      this.uses.startsAs(name, NIL_VALUE)
      return this.#declare(name, how, UNDEFINED, own === null ? UNKNOWN_VALUE : optional(own))
    }
    if (parameters !== null) {
      const handed = parameters.get(name) ?? UNKNOWN_VALUE
      this.uses.startsAs(name, handed)
      return this.#parameter(name, own === null ? handed : joinValues(handed, own), written)
    }
    const form = written ? null : this.#formOf(name)
    if (form !== null) return this.#declare(name, how, form, UNKNOWN_VALUE)
    const handedIn = this.#handedIn(name)
    const value = isGlobal ? this.#orGlobal(name, handedIn) : handedIn
    // What this file calls `context` is the object of the request until it is set.
    const isContext = name === 'context' && context.site.dialect === 'platform'
    return this.#declare(
      name,
      how,
      isContext ? choice(binary(value, '===', UNDEFINED), requestCode(context.site, false), value) : value,
      UNKNOWN_VALUE,
    )
  }

  /** The object of the file's form with the types of its parts; null where the name means something else. */
  #formOf(name: string): Code | null {
    const { form, face, imports } = this.#input
    if (form === null || face !== 'render' || (name !== 'form' && name !== 'form_builder')) return null
    return typed(invoke(imports.use('formParts'), imports.form, member(ident(this.#from), name)), form)
  }

  /** What the caller handed in under a name, or else what the host gives to every template. */
  #orGlobal(name: string, value: Code): Code {
    return choice(binary(value, '===', UNDEFINED), this.member(this.#input.imports.host(HOST_GLOBALS), name), value)
  }

  /** What the caller hands in under a name. In base Liquid the render's data stand behind that. */
  #handedIn(name: string): Code {
    const { context, face } = this.#input
    const from = ident(this.#from)
    const value = this.member(from, name)
    if (this.#counts(name)) {
      // A counter stands behind a variable that is not set, and data are no variable.
      const set = isPlainVariable(name) ? value : binary(value, '??', UNDEFINED)
      const isEntry = context.site.dialect === 'liquid' && face === 'render'
      return isEntry ? choice(binary(from, '===', DATA), UNDEFINED, set) : set
    }
    if (!this.#seesData()) return value
    const data = this.member(DATA, name)
    return isPlainVariable(name) ? choice(binary(string(name), 'in', from), value, data) : binary(value, '??', data)
  }

  /** Whether the render's data stand behind what the caller hands in. */
  #seesData(): boolean {
    const { context, effects, face } = this.#input
    return context.site.dialect === 'liquid' && face === 'render' && effects.rendered
  }

  /** A name of the frame that the caller hands over by itself. */
  #parameter(name: string, type: ValueType, written: boolean): Local {
    const js = this.#names.fresh(name)
    this.#parameters.push({ name, js, type })
    const use = written ? undefined : this.#input.uses.of(name)
    return this.#keep(name, this.#declared.parameter(name, js, type, use, this.#hoisted))
  }

  /** What the function takes from its callers one by one. */
  get parameters(): readonly ParameterUse[] {
    return this.#parameters
  }

  #keep(name: string, local: Local): Local {
    // While nothing is known of the variable's other values, its type is a question.
    const kept =
      this.#input.uses === NO_USES && local.code.kind === 'name'
        ? { ...local, code: typed(local.code, { kind: 'variable', name }) }
        : local
    this.#frame.set(name, kept)
    return kept
  }

  #declare(name: string, how: 'const' | 'let', value: Code, type: ValueType): Local {
    const use = this.#input.uses.of(name)
    return this.#keep(name, this.#declared.declare({ name, how, value, type, use, span: null }, this.#hoisted))
  }

  /** Keeps a value in a constant. */
  constant(hint: string, value: Code, span: Span): Code {
    const statements: Statement[] = []
    const code = this.#declared.constant(hint, value, span, statements)
    this.#draft.add(...statements)
    return code
  }

  // ---- writing --------------------------------------------------------------------------------------------------------

  assign(name: string, value: Code, span: Span): void {
    const { context, face, imports } = this.#input
    const isGiven = this.#counts(name) || this.#view !== null
    const code = isGiven ? neverUnset(this.#input, value) : asGiven(this.#input, name, value)
    this.uses.set(name, valueOf(code), this.#draft.blocks)
    let local = this.#frame.get(name)
    if (local === undefined) {
      if (this.#beginsHere(name)) return this.#begin(name, code, span)
      local = this.#hoist(name)
    }
    const set = assign(local.code, local.isFields ? asFields(imports, code) : code, span)
    if (context.site.dialect !== 'liquid' || face !== 'shared') return this.#draft.add(set)
    // What hides the name at the call keeps hiding it; the assignment goes behind it.
    const key = behindKey(name)
    const behind = assign(member(ident('frame'), key), code, span)
    this.#draft.add(when(branch(binary(string(key), 'in', ident('frame')), [behind]), branch(null, [set])))
  }

  /** Whether the variable is declared where it is set: nothing reads it before, or behind the block. */
  #beginsHere(name: string): boolean {
    const { face, uses } = this.#input
    return face !== 'shared' && this.#view === null && !this.#counts(name) && uses.of(name)?.begins === true
  }

  /** Declares it where it is set, once and for all where nothing sets it again. */
  #begin(name: string, code: Code, span: Span): void {
    const use = this.#input.uses.of(name)
    const statements: Statement[] = []
    const how = use?.once === true && !isSetByIncludes(this.#input, name) ? 'const' : 'let'
    const local = this.#declared.declare(
      { name, how, value: code, type: how === 'const' ? valueOf(code) : (use?.type ?? UNKNOWN_VALUE), use, span },
      statements,
    )
    this.#keep(name, local)
    this.#begun.add(name)
    this.#draft.add(...statements)
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
    const accessor = path.at(-1)
    const call =
      push || accessor === undefined
        ? invoke(imports.use('push'), container, code, written(last))
        : invoke(imports.use('writeKey'), container, this.#key(accessor), code, written(last))
    this.#draft.add(run(call, span))
  }

  #key(accessor: Accessor): Code {
    return accessor.kind === 'key' ? string(accessor.name) : this.#expressions.value(accessor.value)
  }

  // ---- what stays between tags ----------------------------------------------------------------------------------------

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
