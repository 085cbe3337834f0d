/**
 * The types of variables that are certain at the current place of a template. They hold on every path to it, in every iteration of the
 * enclosing loops, and even if values are changed through another name.
 */
import { isUnknown, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { isMutable, join, same, unshared } from '../../../language/types/relate.ts'
import { CopyOnWriteMap } from '../copy-on-write-map.ts'
import type { LoopEffects } from '../engine.ts'

export interface VariableState {
  readonly type: Type
  /** Whether the variable is set on every path to this place. */
  readonly isCertain: boolean
  /** Whether no other variable or value refers to this value, so that it can only be changed through this variable. */
  readonly isOwned: boolean
}

export interface Local {
  readonly name: string
  readonly type: Type
  /** Whether the language sets the variable, with a new value for each iteration. */
  readonly isFixed: boolean
}

export type CertainState = CopyOnWriteMap<string, VariableState>

/**
 * Number of iterations after which a type that still changes becomes unknown. In loops nested at least `WIDENING_DEPTH` deep, this happens
 * after the first iteration.
 */
const MAX_ITERATIONS = 2
const WIDENING_DEPTH = 3

export class CertainVariables {
  readonly #inputs: (name: string) => Type
  /** Returns the states at each `break` and `continue` of the innermost loop so far. */
  readonly #exits: () => readonly CertainState[]
  #variables: CertainState = new CopyOnWriteMap()
  readonly #locals: Map<string, Type>[] = []
  /** For each open body that may end anywhere, the names that it sets, and the number of forgotten values before it. */
  readonly #uncertainBodies: { readonly names: Set<string>; readonly forgotten: number }[] = []
  readonly #assignedTypes = new Map<string, Type>()
  #forgetCount = 0
  #mayHaveAnyName = false

  /** `inputs` returns the type of a name that the template has not set. */
  constructor(inputs: (name: string) => Type, exits: () => readonly CertainState[]) {
    this.#inputs = inputs
    this.#exits = exits
  }

  /** Whether a value was changed in place that another variable or value may refer to. */
  get hasForgotten(): boolean {
    return this.#forgetCount > 0
  }

  /** Returns the join of all types that were assigned to each variable. */
  get assignedTypes(): ReadonlyMap<string, Type> {
    return this.#assignedTypes
  }

  // ---- reading ----------------------------------------------------------------------------------------------------

  /** Returns the type of a loop variable; undefined for another name. */
  localType(name: string): Type | undefined {
    for (let at = this.#locals.length - 1; at >= 0; at--) {
      const type = this.#locals[at]?.get(name)
      if (type !== undefined) return type
    }
    return undefined
  }

  variable(name: string): VariableState | undefined {
    return this.#variables.get(name)
  }

  typeOf(name: string): Type {
    return this.localType(name) ?? this.#variables.get(name)?.type ?? this.absentType(name)
  }

  /** Returns the type of a name that the template has not set. */
  absentType(name: string): Type {
    if (this.#mayHaveAnyName) return UNKNOWN
    const type = this.#inputs(name)
    return this.#forgetCount > 0 ? unshared(type) : type
  }

  // ---- writing ----------------------------------------------------------------------------------------------------

  /** Sets a variable. `keeps`: the variable keeps its old value if the new value fails. */
  set(name: string, type: Type, isOwned: boolean, keeps: boolean): void {
    const before = this.#variables.get(name)
    this.#write(
      name,
      keeps
        ? {
            type: join(before?.type ?? this.absentType(name), type),
            isCertain: before?.isCertain ?? false,
            isOwned: isOwned && before?.isOwned === true,
          }
        : { type, isCertain: true, isOwned },
    )
  }

  /** Notes that another file sets the name: as a variable of this template, or as a new one. */
  overwrite(name: string): void {
    const at = this.#locals.findLastIndex((each) => each.has(name))
    if (at >= 0) this.#locals[at]?.set(name, UNKNOWN)
    this.#write(name, { type: UNKNOWN, isCertain: this.#variables.get(name)?.isCertain ?? false, isOwned: false })
  }

  /** Notes that another file may set any name. */
  overwriteAll(): void {
    this.#mayHaveAnyName = true
    for (const name of [...this.#variables.keys()]) this.overwrite(name)
    for (const locals of this.#locals) for (const name of locals.keys()) locals.set(name, UNKNOWN)
    this.forget()
  }

  /** Changes the value of a variable in place. `fails`: the change may fail and leave the old value. */
  change(name: string, type: Type, fails: boolean): void {
    const knownState = this.#variables.get(name)
    if (this.localType(name) !== undefined || knownState?.isOwned !== true) this.forget()
    else this.#write(name, { ...knownState, type: fails ? join(knownState.type, type) : type })
  }

  #write(name: string, knownState: VariableState): void {
    this.#variables.set(name, knownState)
    const assignedType = this.#assignedTypes.get(name)
    this.#assignedTypes.set(name, assignedType === undefined ? knownState.type : join(assignedType, knownState.type))
    for (const { names } of this.#uncertainBodies) names.add(name)
    // An interrupt inside of `capture` takes effect after it, when its variable is set.
    for (const exit of this.#exits()) {
      const exitState = exit.get(name)
      exit.set(name, {
        type: join(exitState?.type ?? this.absentType(name), knownState.type),
        isCertain: exitState?.isCertain ?? false,
        isOwned: exitState?.isOwned === true && knownState.isOwned,
      })
    }
  }

  /** Notes that from now on another variable or value also refers to the value of this name. */
  share(name: string): void {
    const knownState = this.#variables.get(name)
    if (knownState?.isOwned === true) this.#variables.set(name, { ...knownState, isOwned: false })
  }

  shareAll(): void {
    for (const name of [...this.#variables.keys()]) this.share(name)
  }

  /** Forgets the types of all values that may have been changed in place through another name. */
  forget(): void {
    this.#forgetCount++
    this.#forgetIn(this.#variables)
    for (const locals of this.#locals) for (const [name, type] of locals) locals.set(name, unshared(type))
  }

  #forgetIn(variables: CertainState): void {
    for (const [name, knownState] of variables) {
      if (knownState.isOwned || isUnknown(knownState.type) || !isMutable(knownState.type)) continue
      variables.set(name, { ...knownState, type: UNKNOWN })
      this.#assignedTypes.set(name, UNKNOWN)
    }
  }

  /** Applies a condition to the type of a variable. */
  narrow(name: string, by: (type: Type) => Type): void {
    const knownState = this.#variables.get(name)
    if (knownState === undefined || this.localType(name) !== undefined) return
    const type = by(knownState.type)
    if (type !== knownState.type) this.#variables.set(name, { ...knownState, type })
  }

  // ---- paths ------------------------------------------------------------------------------------------------------

  save(): CertainState {
    return this.#variables.copy()
  }

  restore(state: CertainState): void {
    this.#variables = state.copy()
  }

  join(paths: readonly CertainState[]): void {
    this.#variables = this.#joinPaths(paths)
  }

  /** Returns the result of `body`, in which these names hide variables. */
  withLocals<Result>(locals: ReadonlyMap<string, Type>, body: () => Result): Result {
    this.#locals.push(new Map(locals))
    const result = body()
    this.#locals.pop()
    return result
  }

  /** Interprets a body one or more times, until a further iteration would change no type. */
  loop(locals: readonly Local[]): LoopEffects<CertainState> {
    let isShared = false
    let forgotten = 0
    return {
      enter: () => {
        forgotten = this.#forgetCount
        const types = locals.map(({ name, type, isFixed }): [string, Type] => [
          name,
          isShared && !isFixed ? unshared(type) : type,
        ])
        this.#locals.push(new Map(types))
      },
      leave: () => void this.#locals.pop(),
      repeat: (from, iteration) => {
        const next = this.#joinPaths([from, this.#variables])
        const changed = this.#changedNames(from, next)
        // If an iteration changes a value in place, a later iteration may receive that value as its element.
        const isNewlyShared = this.#forgetCount > forgotten && !isShared
        if (changed.length === 0 && !isNewlyShared) return null
        if (isNewlyShared) {
          isShared = true
          this.#forgetIn(next)
        }
        if (iteration >= MAX_ITERATIONS || this.#locals.length >= WIDENING_DEPTH) {
          for (const name of changed) {
            next.set(name, { type: UNKNOWN, isCertain: next.get(name)?.isCertain ?? false, isOwned: false })
            this.#assignedTypes.set(name, UNKNOWN)
          }
        }
        return next
      },
      end() {},
    }
  }

  /** Begins a body that may end anywhere or not run at all. */
  enterUncertain(): void {
    this.#uncertainBodies.push({ names: new Set(), forgotten: this.#forgetCount })
  }

  /** Ends such a body: the types of the variables that it sets are unknown. The current state joins the paths through and around it. */
  leaveUncertain(before: CertainState): void {
    const body = this.#uncertainBodies.pop()
    if (body === undefined) return
    if (this.#forgetCount > body.forgotten) this.#forgetIn(this.#variables)
    for (const name of body.names)
      this.#variables.set(name, { type: UNKNOWN, isCertain: before.get(name)?.isCertain ?? false, isOwned: false })
  }

  #joinPaths(paths: readonly CertainState[]): CertainState {
    const [first, ...otherVariables] = paths
    if (first === undefined) return new CopyOnWriteMap()
    const joined = first.copy()
    for (const way of otherVariables) {
      if (way.isUnchangedFrom(joined)) continue
      for (const [name, knownState] of joined) {
        const other = way.get(name)
        if (other === knownState) continue
        joined.set(name, other === undefined ? this.#uncertainState(name, knownState) : joinStates(knownState, other))
      }
      for (const [name, knownState] of way)
        if (!joined.has(name)) joined.set(name, this.#uncertainState(name, knownState))
    }
    return joined
  }

  #uncertainState(name: string, knownState: VariableState): VariableState {
    const type = join(knownState.type, this.absentType(name))
    return knownState.isCertain || type !== knownState.type || knownState.isOwned
      ? { type, isCertain: false, isOwned: false }
      : knownState
  }

  /** Returns the names whose type or state a further iteration would change. */
  #changedNames(earlierVariables: CertainState, laterVariables: CertainState): readonly string[] {
    if (laterVariables.isUnchangedFrom(earlierVariables)) return []
    return [...laterVariables].flatMap(([name, knownState]) => {
      const earlier = earlierVariables.get(name)
      const isSame =
        earlier !== undefined && earlier.isCertain === knownState.isCertain && earlier.isOwned === knownState.isOwned
      return isSame && same(earlier.type, knownState.type) ? [] : [name]
    })
  }
}

function joinStates(a: VariableState, b: VariableState): VariableState {
  return { type: join(a.type, b.type), isCertain: a.isCertain && b.isCertain, isOwned: a.isOwned && b.isOwned }
}
