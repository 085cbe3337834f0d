/** Infers the types that are certain in one template: a pure function of the template and its environment. */
import {
  type Accessor,
  type Expression,
  type NamedArgument,
  type NameNode,
  type TagNode,
  type WriteTarget,
  stringOf,
} from '../../../core/tree/ast.ts'
import type { Dialect } from '../../../core/model/dialect.ts'
import type { Effects } from '../../../core/model/effects.ts'
import type { Binding, TemplateFacts } from '../../../core/model/facts.ts'
import { operationOf, type Operations } from '../../../core/model/operation.ts'
import { baseName } from '../../../core/model/outline.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import type { Site } from '../../../core/model/site.ts'
import { INTEGER, NEVER, NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Template } from '../../../core/model/unit.ts'
import type { AnyTag, DetachedKind, HaltKind, LoopLocal, PartialCall, QueryUse } from '../../../language/tags/tag.ts'
import { type FilterRegistry, isFallible } from '../../../language/types/fallible.ts'
import { oldVariableOf } from '../../../language/types/old-variables.ts'
import { asPart, elementOf, falsy, isMutable, join, members, truthy } from '../../../language/types/relate.ts'
import { type BranchEffects, type Domain, Engine, type LoopEffects, type Place } from '../engine.ts'
import { narrow } from '../narrow.ts'
import { CertainValues } from './certain-values.ts'
import { type CertainState, CertainVariables } from './certain-variables.ts'
import { literalKey } from '../../../language/types/accessors.ts'

/** The effects of a call of a template on its caller. */
export interface CallEffects {
  /** The type of the value that the tag `function` receives. */
  readonly result: Type
  /** Whether the template may change a value of the caller in place. */
  readonly mayMutate: boolean
  /** Whether the template may end the file that includes it, or a loop of that file. */
  readonly mayLeave: boolean
}

/** A call of a partial by a literal name, with the types of the arguments. */
interface KnownCall {
  readonly target: string
  readonly passedTypes: ReadonlyMap<string, Type>
}

export interface Inferred extends CallEffects {
  readonly facts: TemplateFacts
  readonly calls: readonly KnownCall[]
}

export interface Surroundings {
  readonly site: Site
  readonly operations: Operations
  readonly tags: ReadonlyMap<string, AnyTag>
  readonly filters: ReadonlyMap<string, FilterSignature>
  /** Returns the effects of a call of a file; undefined while they are unknown. */
  readonly callEffects: (file: string) => CallEffects | undefined
  readonly effects: (file: string) => Effects | undefined
  /** Names that are counters in the template or in the files that it includes. */
  readonly counters: ReadonlySet<string>
}

export interface Outside {
  /** Types of the arguments that every caller passes; null if some caller is unknown. */
  readonly parameters: ReadonlyMap<string, Type> | null
  /** Whether other templates call the template. */
  readonly isCalled: boolean
  /** Whether a name that neither the template nor a caller sets is certainly nil. */
  readonly isClosed: boolean
  /** Types of the values that the host sets, by name. */
  readonly host: ReadonlyMap<string, Type>
}

/** Infers the types of a template. */
export function inferTemplate(template: Template, surroundings: Surroundings, outside: Outside): Inferred {
  const engine = new Engine(
    surroundings.tags,
    (place: Place<CertainState>) => new CertainTypes(surroundings, outside, place),
  )
  engine.body(template.nodes)
  return engine.domain.result()
}

/** A value of a template. */
interface CertainValue {
  readonly type: Type
  /** The expression that was read; null for other values. */
  readonly source: Expression | null
  /** Whether nothing refers to the value yet. */
  readonly isNew: boolean
}

class CertainTypes implements Domain<CertainValue, CertainState> {
  readonly dialect: Dialect
  readonly reports = false
  readonly skipsDead = false
  readonly #surroundings: Surroundings
  readonly #outside: Outside
  readonly #place: Place<CertainState>
  readonly #variables: CertainVariables
  readonly #values: CertainValues
  readonly #registry: FilterRegistry
  readonly #calls: KnownCall[] = []
  #result: Type = NEVER
  #mayEndWithoutValue = false
  #mayLeave = false
  /** Whether the value of the current tag may fail, in which case the template continues without that value. */
  #mayFail = false

  constructor(surroundings: Surroundings, outside: Outside, place: Place<CertainState>) {
    const { site, filters } = surroundings
    const { dialect, strictVariables, strictFilters } = site
    this.dialect = dialect
    this.#surroundings = surroundings
    this.#outside = outside
    this.#place = place
    this.#registry = { dialect, filters, strictVariables, strictFilters }
    this.#variables = new CertainVariables(
      (name) => this.#absentType(name),
      () => place.exits,
    )
    const isInTry = () => place.open.try > 0
    this.#values = new CertainValues(
      { site, filters, isInTry, bindingOf: (name) => this.#bindingOf(name) },
      this.#variables,
    )
  }

  result(): Inferred {
    const { host, parameters, isClosed } = this.#outside
    const alwaysReturnsValue = this.#result.kind !== 'never' && this.#place.isDead && !this.#mayEndWithoutValue
    const result = alwaysReturnsValue ? this.#result : join(this.#result, NIL)
    return {
      facts: {
        types: this.#values.types,
        bindings: this.#values.bindings,
        variables: this.#variables.assignedTypes,
        signature: { parameters: isClosed ? new Map([...host, ...(parameters ?? [])]) : null, result },
      },
      calls: this.#calls,
      result,
      mayMutate: this.#variables.hasForgotten,
      mayLeave: this.#mayLeave,
    }
  }

  // ---- names that the template does not set -----------------------------------------------------------------------

  #absentType(name: string): Type {
    const { site, counters } = this.#surroundings
    const { host, parameters, isClosed } = this.#outside
    const hostType = host.get(name)
    if (hostType !== undefined) return hostType
    // On some sites, an unset name is an alias of a part of `context`.
    if (oldVariableOf(site, name) !== null) return UNKNOWN
    if (counters.has(name)) return site.dialect === 'platform' && isClosed ? join(INTEGER, NIL) : UNKNOWN
    return parameters?.get(name) ?? (isClosed ? NIL : UNKNOWN)
  }

  #bindingOf(name: string): Binding | null {
    const { site, counters } = this.#surroundings
    const { host, parameters, isCalled, isClosed } = this.#outside
    if (host.has(name)) return 'host'
    if (oldVariableOf(site, name) !== null) return null
    if (counters.has(name)) return isClosed ? 'counter' : null
    if (isCalled) return parameters === null ? null : parameters.has(name) ? 'parameter' : 'unset'
    return isClosed ? 'unset' : null
  }

  // ---- values -----------------------------------------------------------------------------------------------------

  read(expression: Expression): CertainValue {
    const type = this.#values.typeOf(expression, true)
    this.#mayFail ||= isFallible(expression, this.#registry)
    return { type, source: expression, isNew: false }
  }

  test(condition: Expression): void {
    this.#values.typeOf(condition, false)
  }

  typeOf({ type }: CertainValue): Type {
    return type
  }

  valueOf(type: Type): CertainValue {
    return { type, source: null, isNew: false }
  }

  elementOf({ type }: CertainValue): CertainValue {
    return this.valueOf(elementOf(type))
  }

  #isOwned({ source, isNew }: CertainValue): boolean {
    return isNew || (source !== null && this.#values.isFresh(source))
  }

  // ---- states and nodes -------------------------------------------------------------------------------------------

  save(): CertainState {
    return this.#variables.save()
  }

  restore(state: CertainState): void {
    this.#variables.restore(state)
  }

  join(paths: readonly CertainState[]): void {
    this.#variables.join(paths)
  }

  text(): void {}

  output({ value }: Parameters<Domain<CertainValue, CertainState>['output']>[0]): void {
    if (value !== null) this.#values.typeOf(value, false)
  }

  tag(_node: TagNode, _tag: AnyTag, check: () => void): void {
    const outer = this.#mayFail
    this.#mayFail = false
    check()
    this.#mayFail = outer
  }

  unreachable(): boolean {
    return true
  }

  // ---- flow -------------------------------------------------------------------------------------------------------

  /** Whether faults end the code here. Otherwise they are printed, and the code continues. */
  get #raises(): boolean {
    return this.#surroundings.site.raise || this.#place.open.try > 0
  }

  /** Whether the template continues after a failure of the current tag, with the old values. */
  get #keepsOldValue(): boolean {
    return this.#mayFail && !this.#raises
  }

  /** If faults are printed, a condition that fails selects no branch. */
  get runsSomeBranch(): boolean {
    return this.#raises
  }

  branch(condition: Expression | null, holds: boolean): BranchEffects {
    if (condition === null) return { take() {}, skip() {} }
    this.test(condition)
    const narrowName = (name: string, isTrue: boolean) => this.#variables.narrow(name, isTrue ? truthy : falsy)
    return {
      take: () => narrow(condition, holds, narrowName),
      skip: () => narrow(condition, !holds, narrowName),
    }
  }

  loop(locals: readonly LoopLocal[]): LoopEffects<CertainState> {
    return this.#variables.loop(
      locals.map(({ name, span, type }) => ({ name, type: settled(type), isFixed: span === null })),
    )
  }

  enterDetached(kind: DetachedKind): void {
    if (kind !== 'content_for') this.#variables.enterUncertain()
  }

  leaveDetached(kind: DetachedKind, before: CertainState): void {
    if (kind !== 'content_for') this.#variables.leaveUncertain(before)
  }

  halt(kind: HaltKind, value: CertainValue | null): boolean {
    if (kind !== 'return') {
      if (this.#place.loopDepth === 0) {
        this.#mayLeave = true
        this.#mayEndWithoutValue = true
      }
      return true
    }
    if (value === null) this.#mayEndWithoutValue = true
    else this.#result = join(this.#result, value.type)
    this.#mayLeave = true
    if (!this.#keepsOldValue) return true
    this.#mayEndWithoutValue = true
    return false
  }

  // ---- writes -----------------------------------------------------------------------------------------------------

  assign({ name }: NameNode, value: CertainValue): void {
    this.#variables.set(name, settled(value.type), this.#isOwned(value), this.#keepsOldValue)
  }

  write({ name, path }: WriteTarget, value: CertainValue, push: boolean): void {
    const root = this.#values.typeOfTarget(name)
    for (const accessor of path) if (accessor.kind === 'index') this.#values.typeOf(accessor.value, false)
    this.#variables.change(name.name, typeAfterWrite(root, path, value.type, push), !this.#raises)
    // From here on, another value may refer to a part of this one.
    if (isMutable(value.type) && !this.#isOwned(value)) this.#variables.share(name.name)
  }

  counter(): void {}
  register(): void {}

  port(): void {
    this.#mayFail = true
  }

  note(): void {}

  source(): string {
    return ''
  }

  report(): void {}

  // ---- calls ------------------------------------------------------------------------------------------------------

  job(args: readonly NamedArgument[]): void {
    this.#mayFail = true
    for (const { value } of args) this.#values.typeOf(value, false)
  }

  call(call: PartialCall): CertainValue {
    return this.valueOf(this.#callPartial(call))
  }

  #callPartial(call: PartialCall): Type {
    const { site } = this.#surroundings
    const variables = this.#variables
    this.#mayFail = true
    this.#values.typeOf(call.name, false)
    const passedTypes = new Map<string, Type>()
    const literal = stringOf(call.name)
    if (call.bindingClause !== null) {
      const type = this.#values.typeOf(call.bindingClause.value, true)
      const name = call.bindingClause.alias?.name ?? baseName(literal ?? '')
      passedTypes.set(name, call.bindingClause.isForEach ? elementArgument(type) : type)
      if (call.bindingClause.isForEach) passedTypes.set('forloop', UNKNOWN)
    }
    const earlierArguments = new Map<string, Type>()
    const readsEarlier = call.kind === 'include' && site.dialect === 'liquid'
    for (const { name, value } of call.arguments) {
      const read = () => this.#values.typeOf(value, true)
      earlierArguments.set(name.name, readsEarlier ? variables.withLocals(earlierArguments, read) : read())
    }
    for (const [name, type] of earlierArguments) passedTypes.set(name, type)
    const unit = literal === null || call.kind === 'theme' ? undefined : site.partials.get(literal)
    // A job receives copies.
    if (call.kind === 'background') return UNKNOWN
    const file = unit?.file.path
    const callEffects = file === undefined ? undefined : this.#surroundings.callEffects(file)
    if (file !== undefined) this.#calls.push({ target: file, passedTypes })
    if (callEffects?.mayMutate !== false) variables.forget()
    if (call.kind === 'include') this.#noteInclude(file, callEffects, passedTypes)
    return call.kind === 'function' && callEffects !== undefined ? callEffects.result : UNKNOWN
  }

  #noteInclude(
    file: string | undefined,
    callEffects: CallEffects | undefined,
    passedTypes: ReadonlyMap<string, Type>,
  ): void {
    const effects = file === undefined ? undefined : this.#surroundings.effects(file)
    // The included file may keep a reference to any value that it reads by name.
    this.#variables.shareAll()
    if (effects === undefined || effects.spills || effects.recursive) this.#variables.overwriteAll()
    else {
      for (const name of effects.frameWrites)
        if (this.dialect === 'liquid' || !passedTypes.has(name)) this.#variables.overwrite(name)
    }
    if (callEffects?.mayLeave === false) return
    this.#mayLeave = true
    // A `return` in the included file ends this template, with a value that is not inferred here.
    this.#result = UNKNOWN
    this.#mayEndWithoutValue = true
    this.#place.mayExitLoop()
  }

  // ---- queries ----------------------------------------------------------------------------------------------------

  query(use: QueryUse): CertainValue {
    const { operations } = this.#surroundings
    if (use.name !== null) this.#values.typeOf(use.name, false)
    if (use.spread !== null) this.#values.typeOf(use.spread, true)
    for (const { value } of use.arguments) this.#values.typeOf(value, true)
    this.#place.body(use.body)
    this.#mayFail = true
    const type = operationOf(operations, use)?.result ?? UNKNOWN
    const result = this.#values.typeAfterFilters(type, use.filters, null)
    // Each run returns a new value.
    return { type: result, source: null, isNew: use.filters.length === 0 }
  }
}

/** Returns the type of a variable that receives a value of this type. */
function settled(type: Type): Type {
  return type.kind === 'never' ? UNKNOWN : type
}

/** Returns the type that is passed for each element of a list; unknown for a value that may not be a list. */
function elementArgument(type: Type): Type {
  const isList = members(type).every(({ kind }) => kind === 'list')
  return isList ? elementOf(type) : UNKNOWN
}

/** Returns the type of a value after a write to a path in it. */
function typeAfterWrite(type: Type, path: readonly Accessor[], value: Type, push: boolean): Type {
  const [accessor, ...rest] = path
  if (accessor === undefined)
    return push && type.kind === 'list' ? { kind: 'list', element: join(type.element, asPart(value)) } : UNKNOWN
  const typeOfPart = (part: Type): Type =>
    rest.length === 0 && !push ? asPart(value) : typeAfterWrite(part, rest, value, push)
  const key = literalKey(accessor)
  // A write beyond the end of a list fills the gap with nil.
  if (type.kind === 'list') return { kind: 'list', element: join(join(type.element, typeOfPart(type.element)), NIL) }
  if (type.kind !== 'record') return UNKNOWN
  if (key === null) return { kind: 'hash', element: UNKNOWN }
  return { ...type, fields: new Map(type.fields).set(key, typeOfPart(type.fields.get(key) ?? UNKNOWN)) }
}
