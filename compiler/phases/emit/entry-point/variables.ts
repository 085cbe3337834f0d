/**
 * The variables of an entry point. Variables of the frame become locals, which are declared at the start of the function when they are first used.
 * Loop variables hide them. A counter, which is read if the variable of its name is not set, is stored in a register.
 */
import type { Accessor, WriteTarget } from '../../../core/tree/ast.ts'
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
import { joinValues, optional, UNKNOWN_VALUE, type ValueType } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Expressions } from '../expression.ts'
import type { SelfCode } from '../resolver.ts'
import { requestCode } from '../host-values.ts'
import { hiddenKey, isPlainVariable, type Names, variableEntry, variableKey } from '../names.ts'
import { valueOf } from '../value-types.ts'
import { isSetByIncludes } from './callee.ts'
import type { Draft } from './draft.ts'
import type { EntryPointInput } from './input.ts'
import { directKey, literalKey } from '../../../language/types/accessors.ts'
import { oldVariableOf } from '../../../language/types/old-variables.ts'
import { HOST_GLOBALS } from '../imports.ts'
import { asAssigned, asSetVariables, asShared, unsetToNil, oldKeys, readsOldNames } from './old-names.ts'
import { asFields, type Local, Locals, readOf } from './locals.ts'
import { LoopVariables } from './loop-variables.ts'
import type { EntryPointParameter } from '../signatures.ts'
import { SelfView } from './self-view.ts'
import { VariableUses } from './variable-uses.ts'

const REGISTERS = ident('registers')
const DATA = member(ident('r'), 'data')

/** A name of the frame that callers pass as a parameter. */
export interface ParameterUse extends EntryPointParameter {
  readonly js: string
  readonly isWritten: boolean
}

export class Variables {
  readonly #input: EntryPointInput
  readonly #draft: Draft
  readonly #names: Names
  readonly #expressions: Expressions
  readonly #locals: Locals
  /** The parameter with the variables from the caller. */
  readonly #carrier: 'frame' | 'scope'
  /** The used variables of the frame. */
  readonly #frame = new Map<string, Local>()
  /** The values that the caller passes as separate arguments, in parameter order. */
  readonly #parameters: ParameterUse[] = []
  readonly #hoisted: Statement[] = []
  readonly #counters = new Map<string, { readonly local: Code; readonly declaration: Statement }>()
  /** Names that are declared where they are set, so that they are definitely set after that. */
  readonly #definitelySet = new Set<string>()
  /** How this pass uses the variables of the function. */
  readonly uses = new VariableUses()
  /** The variables and objects of the surrounding loops. */
  readonly loops: LoopVariables
  /** The view for base Liquid's `self`; null unless this function, or a function that shares its variables, reads `self`. */
  readonly #view: SelfView | null
  /** The local that contains the request object, if `context` is a variable of the template. */
  #request: Code | null = null
  #usesRegisters = false

  constructor(input: EntryPointInput, draft: Draft, names: Names, expressions: Expressions) {
    this.#input = input
    this.#draft = draft
    this.#names = names
    this.#expressions = expressions
    this.#locals = new Locals(input, draft, names)
    this.#carrier = input.entryPoint === 'shared' ? 'frame' : 'scope'
    this.#view = input.effects.readsSelf ? new SelfView(names) : null
    this.loops = new LoopVariables(input, draft, this.#locals, this.uses, this.#view)
  }

  /** Returns the declarations at the start of the function. */
  head(): readonly Statement[] {
    const view = this.#viewHead()
    return [
      ...(this.#usesRegisters ? [this.#registersDeclaration()] : []),
      ...this.#hoisted,
      ...[...this.#counters.values()].map(({ declaration }) => declaration),
      ...view,
    ]
  }

  /** Returns the declarations of the view of the variables for `self`. */
  #viewHead(): readonly Statement[] {
    if (this.#view === null) return []
    const { imports, context } = this.#input
    const frame = new Map(this.knownNames().map((name) => [name, this.frameVariable(name)]))
    const host = context.site.globals.size === 0 ? [] : [imports.host(HOST_GLOBALS)]
    return this.#view.head(frame, this.registers(), [ident(this.#carrier), ...host], imports)
  }

  /** Returns the code of base Liquid's `self`: the variable of this name, and the view that replaces it if the variable is not set. */
  self(): SelfCode {
    const variable = this.hides('self') ? this.read('self') : this.frameVariable('self')
    return { variable, view: () => this.#view?.self ?? NULL }
  }

  /** Returns the statements that restore `self` after an included partial. */
  showAgain(): readonly Statement[] {
    return this.#view === null ? [] : [this.#view.showAgain(this.registers())]
  }

  #registersDeclaration(): Statement {
    const { entryPoint, imports } = this.#input
    const isShared = entryPoint === 'shared'
    const value = isShared ? invoke(imports.use('registersOf'), ident('frame')) : create(imports.use('Registers'))
    return constant('registers', value)
  }

  // ---- reading --------------------------------------------------------------------------------------------------------

  /** Returns the code of a variable or of a loop object's field. `depth`: its number of path accessors. `isSet`: it is definitely set. */
  variable(
    name: string,
    path: readonly Accessor[],
  ): { readonly code: Code; readonly depth: number; readonly isSet: boolean } {
    const loop = this.loops.findObject(name)
    if (loop === null || this.hides(name)) {
      const isSet = this.hides(name) || this.#definitelySet.has(name) || this.#isContext(name)
      return { code: this.read(name, directKey(path[0]) !== null), depth: 0, isSet }
    }
    const field = literalKey(path[0])
    if (field === null) return { code: loop.whole(), depth: 0, isSet: true }
    return { code: Object.hasOwn(loop.fields, field) ? (loop.fields[field]?.() ?? NULL) : NULL, depth: 1, isSet: true }
  }

  /**
   * Returns the code that reads a name: a loop variable, a variable of the frame, its counter, or a field of `context`. `field`: only one
   * of its fields is read.
   */
  read(name: string, field = false): Code {
    const hidden = this.loops.read(name, field)
    if (hidden !== undefined) return hidden
    const keys = this.#oldKeysOf(name)
    if (keys === null) return this.#frameValue(name, field)
    // The field is read here each time and not stored in a local, because tags can change the request.
    const part = keys.reduce((object, key) => this.#expressions.partUnder(object, key), this.#requestContext())
    return this.#frameValue(name, false, part)
  }

  /** Returns the keys below `context` that an unset older name refers to; null if the name is definitely set, or is not an older name. */
  #oldKeysOf(name: string): readonly string[] | null {
    return this.#definitelySet.has(name) ? null : oldKeys(this.#input, name)
  }

  /** Returns the variable of the frame, with a fallback if it is not set: its counter, then `fallback`, or the data of the render. */
  #frameValue(name: string, field = false, fallback: Code | null = null): Code {
    this.uses.read(name, this.#draft.blocks, field)
    const value = readOf(this.#localOf(name), field)
    const unsetValue = this.#isCounted(name) ? this.#counterValue(name, fallback) : fallback
    if (unsetValue === null || value.kind === 'undefined') return unsetValue ?? value
    return choice(binary(value, '===', UNDEFINED), unsetValue, value)
  }

  /** Returns whether the name has a counter, which is read if the variable is not set. */
  #isCounted(name: string): boolean {
    return this.#input.effects.counters.has(name)
  }

  #counterValue(name: string, fallback: Code | null): Code {
    const counter = method(this.registers(), 'counter', string(name))
    const unsetValue = fallback ?? (this.#input.context.site.dialect === 'liquid' ? this.member(DATA, name) : null)
    return unsetValue === null ? counter : binary(counter, '??', unsetValue)
  }

  /** Returns the local of a frame variable, and declares it on first use. */
  #localOf(name: string): Local {
    return this.#frame.get(name) ?? (this.#isContext(name) ? this.#hoistContext() : this.#hoist(name))
  }

  /** Returns the loop variable that hides the frame variable; undefined if the frame variable is not hidden. */
  hidingVariable(name: string): Code | undefined {
    return this.loops.read(name, false)
  }

  hides(name: string): boolean {
    return this.loops.hides(name)
  }

  /** Returns the value that is passed on for a name. An unset variable stays unset. */
  passedVariable(name: string): Code {
    if (oldVariableOf(this.#input.context.site, name) === null) return this.variable(name, []).code
    const hidden = this.hidingVariable(name)
    // If this entry point does not read older names, unset variables become nil for the other file.
    if (hidden === undefined && readsOldNames(this.#input)) return this.#frameValue(name)
    return asShared(this.#input, name, hidden ?? this.#frameValue(name))
  }

  /** Returns the frame variable, even if it is hidden. */
  frameVariable(name: string): Code {
    this.uses.read(name, this.#draft.blocks, false)
    return readOf(this.#frame.get(name) ?? this.#hoist(name), false)
  }

  /** Returns the variable to set after a call: the loop variable if it hides the frame variable and `inLoops` is set. */
  copyBackTarget(name: string, inLoops: boolean): Code {
    const hidden = inLoops ? this.loops.copyBackTarget(name) : undefined
    if (hidden !== undefined) return hidden
    this.uses.set(name, UNKNOWN_VALUE, this.#draft.blocks)
    return this.frameVariable(name)
  }

  /** Reads a variable from an object of variables. */
  member(carrier: Code, name: string): Code {
    const key = variableKey(name)
    return isPlainVariable(name) ? member(carrier, key) : invoke(this.#input.imports.use('own'), carrier, string(key))
  }

  knows(name: string): boolean {
    const { outline } = this.#input
    return this.hides(name) || outline.reads.has(name) || outline.writes.has(name) || this.#frame.has(name)
  }

  /** Returns the names of the frame that are known in the entry point. */
  knownNames(): readonly string[] {
    const { context, effects } = this.#input
    return [...new Set([...this.#frame.keys(), ...effects.frame])].filter(
      (name) => name !== 'context' || context.site.dialect === 'liquid',
    )
  }

  /** Returns all visible variables as one object, for an `include` with a computed name. */
  allVariables(passedValues: ReadonlyMap<string, Code>): Code {
    const entries = new Map<string, Code>()
    for (const name of this.knownNames()) entries.set(name, this.frameVariable(name))
    for (const [name, code] of this.loops.all()) entries.set(name, asShared(this.#input, name, code))
    for (const [name, code] of passedValues) entries.set(name, code)
    const ownEntries = [...entries].map(([name, code]) => variableEntry(name, code))
    const { imports, context } = this.#input
    const globals = context.site.globals.size === 0 ? [] : [all(imports.host(HOST_GLOBALS))]
    const data = this.#hasData() ? [all(DATA)] : []
    const carriers = [...globals, ...data, all(ident(this.#carrier))]
    const whole = object([...carriers, ...ownEntries, ...this.#sharedState()])
    return readsOldNames(this.#input) ? whole : asSetVariables(this.#input, whole)
  }

  /** Returns the state that an included partial shares in addition to variables. */
  #sharedState(): readonly Entry[] {
    const registers = property('$registers', this.registers())
    return this.#input.effects.asksParent ? [registers, property('$parentloop', this.loops.parent()())] : [registers]
  }

  /** Returns whether the name definitely refers to the request object, or is an older name for a field of it that is not set here. */
  isSupplied(name: string): boolean {
    if (this.hides(name)) return false
    if (this.#isContext(name)) return true
    return (
      this.#oldKeysOf(name) !== null && this.#input.entryPoint === 'render' && !this.#input.outline.writes.has(name)
    )
  }

  /** Returns whether the name refers to the request object. */
  #isContext(name: string): boolean {
    const { outline, context } = this.#input
    return name === 'context' && context.site.dialect === 'platform' && !outline.writes.has(name)
  }

  #hoistContext(): Local {
    const byParts = this.#input.uses.of('context')?.wholeReads === 0
    return this.#declare('context', 'const', requestCode(this.#input.context.site, byParts), UNKNOWN_VALUE)
  }

  /** Returns the request object, even if a variable is called `context`. */
  #requestContext(): Code {
    if (this.#isContext('context')) {
      this.uses.read('context', this.#draft.blocks, true)
      return readOf(this.#localOf('context'), true)
    }
    if (this.#request === null) {
      const js = this.#names.fresh('context')
      const value = asFields(this.#input.imports, requestCode(this.#input.context.site, true))
      this.#hoisted.push(constant(js, value))
      this.#request = typed(ident(js), valueOf(value))
    }
    return this.#request
  }

  /** Declares a name of the frame at the start of the function, with the value from the caller. */
  #hoist(name: string): Local {
    const { effects, outline, passedNames, parameters, context } = this.#input
    const isWritten = effects.spills || effects.frameWrites.has(name) || outline.writes.has(name)
    const ownType = this.#input.uses.of(name)?.type ?? null
    const keyword = isWritten ? 'let' : 'const'
    const isOld = oldVariableOf(context.site, name) !== null
    const isGlobal = context.site.globals.has(name)
    if (passedNames !== null && !passedNames.has(name) && !isOld && !isGlobal && this.#input.entryPoint !== 'shared') {
      // Uses `undefined` and not nil, because a query must not receive an unset variable.
      if (!isWritten) return this.#addLocal(name, { code: UNDEFINED, fields: null, isFields: false })
      return this.#declare(name, keyword, UNDEFINED, ownType === null ? UNKNOWN_VALUE : optional(ownType))
    }
    if (parameters !== null) {
      const passedType = parameters.get(name) ?? UNKNOWN_VALUE
      return this.#declareParameter(name, ownType === null ? passedType : joinValues(passedType, ownType), isWritten)
    }
    const form = isWritten ? null : this.#formOf(name)
    if (form !== null) return this.#declare(name, keyword, form, UNKNOWN_VALUE)
    const passed = this.#passedValue(name)
    const hostValue = isGlobal ? this.member(this.#input.imports.host(HOST_GLOBALS), name) : null
    const value = hostValue === null ? passed : choice(binary(passed, '===', UNDEFINED), hostValue, passed)
    // In this file, `context` is the request object until it is set.
    const isContext = name === 'context' && context.site.dialect === 'platform'
    return this.#declare(
      name,
      keyword,
      isContext ? choice(binary(value, '===', UNDEFINED), requestCode(context.site, false), value) : value,
      UNKNOWN_VALUE,
    )
  }

  /** Returns the form object of the file with the types of its fields; null if the name has another meaning. */
  #formOf(name: string): Code | null {
    const { form, entryPoint, imports } = this.#input
    if (form === null || entryPoint !== 'render' || (name !== 'form' && name !== 'form_builder')) return null
    return typed(invoke(imports.use('formParts'), imports.form, member(ident(this.#carrier), name)), form)
  }

  /** Returns the value from the caller. In base Liquid, the data of the render are the fallback. */
  #passedValue(name: string): Code {
    const from = ident(this.#carrier)
    const value = this.member(from, name)
    const isPlain = isPlainVariable(name)
    const isPassed = binary(string(name), 'in', from)
    const isShared = this.#input.entryPoint === 'shared'
    if (this.#isCounted(name)) {
      // Variables and arguments hide a counter, even if they are nil. Inherited properties and the data of the render do not.
      const argument = isShared ? value : choice(isPassed, binary(value, '??', NULL), UNDEFINED)
      const setValue = isPlain ? argument : binary(value, '??', UNDEFINED)
      return this.#isBaseEntry() ? choice(binary(from, '===', DATA), UNDEFINED, setValue) : setValue
    }
    if (!this.#hasData()) return value
    const data = this.member(DATA, name)
    return isPlain ? choice(isPassed, value, data) : binary(value, '??', data)
  }

  #isBaseEntry(): boolean {
    return this.#input.context.site.dialect === 'liquid' && this.#input.entryPoint === 'render'
  }

  /** Returns whether the data of the render are the fallback for values from the caller. */
  #hasData(): boolean {
    return this.#isBaseEntry() && this.#input.effects.rendered
  }

  /** Declares a name of the frame as a parameter. */
  #declareParameter(name: string, type: ValueType, isWritten: boolean): Local {
    const js = this.#names.fresh(name)
    this.#parameters.push({ name, js, type, isWritten })
    const use = isWritten ? undefined : this.#input.uses.of(name)
    return this.#addLocal(name, this.#locals.parameter(name, js, type, use, this.#hoisted))
  }

  /** Returns whether a name in JavaScript is a parameter that the function does not set. */
  isUnchangedParameter(name: string): boolean {
    return this.#parameters.some(({ js, isWritten }) => js === name && !isWritten)
  }

  /** The parameters for the values that callers pass as separate arguments. */
  get parameters(): readonly ParameterUse[] {
    return this.#parameters
  }

  #addLocal(name: string, local: Local): Local {
    this.#frame.set(name, local)
    return local
  }

  #declare(name: string, keyword: 'const' | 'let', value: Code, type: ValueType): Local {
    const use = this.#input.uses.of(name)
    return this.#addLocal(name, this.#locals.declare({ name, keyword, value, type, use, span: null }, this.#hoisted))
  }

  /** Stores a value in a constant. */
  constant(hint: string, value: Code, span: Span): Code {
    const statements: Statement[] = []
    const code = this.#locals.constant(hint, value, span, statements)
    this.#draft.add(...statements)
    return code
  }

  // ---- writing --------------------------------------------------------------------------------------------------------

  assign(name: string, value: Code, span: Span): void {
    const { context, entryPoint, imports } = this.#input
    const hidesUnset = this.#isCounted(name) || this.#view !== null
    const code = hidesUnset ? unsetToNil(this.#input, value) : asAssigned(this.#input, name, value)
    this.uses.set(name, valueOf(code), this.#draft.blocks)
    let local = this.#frame.get(name)
    if (local === undefined) {
      if (this.#isDeclaredHere(name)) return this.#declareHere(name, code, span)
      local = this.#hoist(name)
    }
    const assignment = assign(local.code, local.isFields ? asFields(imports, code) : code, span)
    if (context.site.dialect !== 'liquid' || entryPoint !== 'shared') return this.#draft.add(assignment)
    // If a variable hides the name where the partial is included, it keeps hiding it. The assignment sets the hidden variable.
    const key = hiddenKey(name)
    const toHidden = assign(member(ident('frame'), key), code, span)
    this.#draft.add(when(branch(binary(string(key), 'in', ident('frame')), [toHidden]), branch(null, [assignment])))
  }

  /** Returns whether the variable is declared where it is set, because it is not read before it or after the block. */
  #isDeclaredHere(name: string): boolean {
    const { entryPoint, uses } = this.#input
    return entryPoint !== 'shared' && this.#view === null && !this.#isCounted(name) && uses.of(name)?.begins === true
  }

  /** Declares the variable where it is set, as a constant if it is not set again. */
  #declareHere(name: string, code: Code, span: Span): void {
    const use = this.#input.uses.of(name)
    const statements: Statement[] = []
    const keyword = use?.isSetOnce === true && !isSetByIncludes(this.#input, name) ? 'const' : 'let'
    const type = keyword === 'const' ? valueOf(code) : (use?.type ?? UNKNOWN_VALUE)
    const local = this.#locals.declare({ name, keyword, value: code, type, use, span }, statements)
    this.#addLocal(name, local)
    this.#definitelySet.add(name)
    this.#draft.add(...statements)
  }

  /** Assigns to a variable or to a key in a hash or array, or appends to an array (`push`). */
  store(target: WriteTarget, code: Code, push: boolean, span: Span): void {
    if (target.path.length === 0 && !push) this.assign(target.name.name, code, span)
    else this.#writeInto(target, code, push, span)
  }

  #writeInto(target: WriteTarget, code: Code, push: boolean, span: Span): void {
    const { context, imports } = this.#input
    const { name, path } = target
    // Faults show the container as it is written in the template.
    const sourceText = (at: number) =>
      string(context.source(target.span.file, target.span.start, (path[at - 1] ?? name).span.end))
    const readOnly = () => invoke(imports.use('refuse'), string('context is read-only: write to a copy'))
    if (this.#isContext(name.name) && !this.hides('context')) return this.#draft.add(run(readOnly(), span))
    const hidden = this.hidingVariable(name.name)
    let container = hidden ?? this.#frameValue(name.name)
    if (hidden === undefined && this.#oldKeysOf(name.name) !== null)
      container = choice(binary(container, '===', UNDEFINED), readOnly(), container)
    const last = push ? path.length : path.length - 1
    for (const [at, accessor] of path.slice(0, last).entries())
      container = invoke(imports.use('step'), container, this.#key(accessor), sourceText(at))
    const accessor = path.at(-1)
    const call =
      push || accessor === undefined
        ? invoke(imports.use('push'), container, code, sourceText(last))
        : invoke(imports.use('writeKey'), container, this.#key(accessor), code, sourceText(last))
    this.#draft.add(run(call, span))
  }

  #key(accessor: Accessor): Code {
    return accessor.kind === 'key' ? string(accessor.name) : this.#expressions.value(accessor.value)
  }

  // ---- state that tags share ------------------------------------------------------------------------------------------

  registers(): Code {
    this.#usesRegisters = true
    return REGISTERS
  }

  /** Returns a counter of the function that starts at 0. Calls with the same key share it. */
  local(hint: string, key: string): Code {
    const existing = this.#counters.get(key)
    if (existing !== undefined) return existing.local
    const js = this.#names.fresh(hint)
    this.#counters.set(key, { local: ident(js), declaration: variable(js, number(0)) })
    return ident(js)
  }
}
