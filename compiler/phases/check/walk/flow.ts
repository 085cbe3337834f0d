/** The state of the walk at a place in the template: the variables with their types, the enclosing blocks, and whether it is reachable. */
import { NEVER, NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { HaltKind, LoopLocal } from '../../../language/tags/tag.ts'
import { type ChangedKeys, joinKeys, NO_KEYS, withChangedKeys } from '../../../language/types/changed-keys.ts'
import { join } from '../../../language/types/relate.ts'
import { CopyOnWriteMap } from '../../analyze/copy-on-write-map.ts'
import type { LoopEffects, Place } from '../../analyze/engine.ts'
import type { SharedCache, TagPlace } from './facts.ts'
import { changedNames, changeShared, joinPaths, type Variable, type Variables, withUnknownTypes } from './state.ts'

/** What is known at a place: the variables with their types, and what the conditions around the place imply. */
export interface FlowState {
  readonly variables: Variables
  readonly implied: readonly ImpliedPresence[]
}

/** A `cache` that all visitors share, with the visitor-specific parts of `context` that are read in it. */
export interface SharedReads {
  readonly cache: SharedCache
  readonly reads: Map<string, Span>
}

/** Names that the template has not set and that are certainly passed, or certainly not passed, because of a condition. */
export interface ImpliedPresence {
  readonly givenNames: readonly string[]
  readonly notGiven: readonly string[]
}

/** Maximum number of times that the body of a loop is walked with inferred types. After that, changed variables have unknown types. */
const TYPED_ITERATIONS = 3
/** If at least this many loops enclose a loop, its changed variables have unknown types from the second iteration on. */
const DEEP_NESTING = 3

export class Flow {
  readonly #file: string
  readonly #place: Place<FlowState>
  /** Returns the type of a name that the template has not set. */
  readonly #absentType: (name: string) => Type
  #variables: Variables = new CopyOnWriteMap()
  #implied: readonly ImpliedPresence[] = []
  /** The variables of the open loops, innermost last. */
  readonly #scopes: Map<string, Type>[] = []
  /** The open `cache` tags, innermost last. `shared`: null if the cache is not shared by all visitors. */
  readonly #caches: { readonly span: Span; readonly shared: SharedReads | null }[] = []
  /** For each open `try` and `transaction`, the joined types of all values that were set in it, since it may end anywhere. */
  readonly #trails: Map<string, Type>[] = []
  #mayHaveEnded = false
  /** The keys that were written to values that may be shared. */
  changedKeys: ChangedKeys = NO_KEYS
  /** Whether the template may also end a template that includes it. */
  halts = false
  #result: Type = NEVER
  #mayReturnNothing = false
  /** The first `return` with a value. */
  returned: Span | null = null
  /** The first `return` without a value. */
  emptyAt: Span | null = null
  /** Names that only an included partial sets, and that are not set after the include. */
  readonly includeWrites = new Map<string, { readonly partial: string; readonly span: Span }>()

  /** @param absentType returns the type of a name that the template has not set */
  constructor(file: string, place: Place<FlowState>, absentType: (name: string) => Type) {
    this.#file = file
    this.#place = place
    this.#absentType = absentType
  }

  // ---- the current place ------------------------------------------------------------------------------------------

  /** The current node. */
  get span(): Span {
    return this.#place.node?.span ?? { file: this.#file, start: 0, end: 0 }
  }

  /** Whether this place is unreachable. */
  get dead(): boolean {
    return this.#place.isDead
  }

  get inLoop(): boolean {
    return this.#scopes.length > 0
  }

  get inTransaction(): boolean {
    return this.#place.open.transaction > 0
  }

  get inTry(): boolean {
    return this.#place.open.try > 0
  }

  /** Whether an enclosing block may not run. */
  get isConditional(): boolean {
    return this.#place.isConditional
  }

  /** Whether this place runs each time that the template runs. */
  get isCertain(): boolean {
    return !this.isConditional && !this.#mayHaveEnded && !this.dead
  }

  /** Returns where a tag at this place runs. */
  placeOf(span: Span): TagPlace {
    const { inLoop, inTransaction } = this
    return { span, inLoop, isCached: this.#caches.length > 0, inTransaction }
  }

  /** The innermost open `cache` tag. */
  get cache(): Span | null {
    return this.#caches.at(-1)?.span ?? null
  }

  isInside(cache: Span): boolean {
    return this.#caches.some(({ span }) => span === cache)
  }

  /** The innermost open `cache` whose key is the same for every visitor. */
  get sharedCache(): SharedCache | null {
    return this.#innermostShared?.cache ?? null
  }

  get #innermostShared(): SharedReads | null {
    return this.#caches.findLast(({ shared }) => shared !== null)?.shared ?? null
  }

  /** Names that the template has not set and that are not passed whenever this place runs. */
  get notGivenNames(): readonly string[] {
    return this.#implied.flatMap(({ notGiven }) => notGiven)
  }

  /** Names that the template has not set and that are passed whenever this place runs. */
  get givenNames(): readonly string[] {
    return this.#implied.flatMap(({ givenNames }) => givenNames)
  }

  // ---- variables --------------------------------------------------------------------------------------------------

  get variables(): Pick<Variables, 'get' | 'has'> {
    return this.#variables
  }

  /** Returns the names of the variables that are set here, and of the enclosing loops. */
  names(): readonly string[] {
    return [...this.#variables.keys(), ...this.#scopes.flatMap((scope) => [...scope.keys()])]
  }

  /** Returns the type of a loop variable; undefined for other names. */
  local(name: string): Type | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name)
  }

  set(name: string, variable: Variable): void {
    this.#variables.set(name, variable)
    const trail = this.#trails.at(-1)
    trail?.set(name, join(trail.get(name) ?? NEVER, variable.type))
  }

  setLocal(name: string, type: Type): void {
    this.#scopes.findLast((scope) => scope.has(name))?.set(name, type)
  }

  /** Records that another file has set the variable. */
  overwrite(name: string): void {
    const variable = this.#variables.get(name)
    if (variable !== undefined) this.set(name, { ...variable, type: UNKNOWN, owned: false, texts: null, visitor: null })
  }

  overwriteAll(): void {
    for (const name of [...this.#variables.keys()]) this.overwrite(name)
  }

  /** Records that the value of this name is also accessible elsewhere. */
  share(name: string): void {
    const variable = this.#variables.get(name)
    if (variable?.owned === true) this.#variables.set(name, { ...variable, owned: false })
  }

  /** Records that a part of the value of this name is also accessible elsewhere. */
  shareParts(name: string): void {
    const variable = this.#variables.get(name)
    if (variable?.partsShared === false) this.#variables.set(name, { ...variable, partsShared: true })
  }

  /**
   * Records that keys were written to a value that may be shared, so that other values may have changed too.
   * @param except the variable to keep
   */
  changeShared(keys: ChangedKeys, except: string | null): void {
    this.changedKeys = joinKeys(this.changedKeys, keys)
    changeShared(this.#variables, keys, except)
    for (const scope of this.#scopes)
      for (const [name, type] of scope) if (name !== 'forloop') scope.set(name, withChangedKeys(type, keys))
  }

  /** Records that a call or a filter writes keys to the values of these names. */
  changedElsewhere(names: Iterable<string>, keys: ChangedKeys): void {
    this.changeShared(keys, null)
    for (const name of names) {
      const variable = this.#variables.get(name)
      if (variable?.owned === true)
        this.#variables.set(name, { ...variable, type: withChangedKeys(variable.type, keys) })
    }
  }

  /** Narrows the type of a variable by a condition. */
  narrow(name: string, narrowType: (type: Type) => Type): void {
    const variable = this.#variables.get(name)
    if (variable === undefined || this.local(name) !== undefined) return
    const type = narrowType(variable.type)
    if (type !== variable.type) this.#variables.set(name, { ...variable, type })
  }

  // ---- ends of the template -------------------------------------------------------------------------------------------------------

  /** The type of the result of `function`. */
  get result(): Type {
    return this.#mayReturnNothing || this.#result.kind === 'never' ? join(this.#result, NIL) : this.#result
  }

  /** Records an include. `halts`: the included file may end this template, and also a template that includes this one. */
  mayEnd(halts: boolean): void {
    this.#mayHaveEnded ||= halts
    this.halts ||= halts
  }

  /** Records a `return` with a value. */
  addResult(value: Type): void {
    this.returned ??= this.span
    this.#result = join(this.#result, value)
  }

  /** Records a path on which the template returns no value. */
  addEmptyResult(): void {
    this.#mayReturnNothing = true
    if (!this.dead) this.emptyAt ??= this.span
  }

  /** Records the end of a template, of a loop, or of an iteration. */
  interrupt(kind: HaltKind): void {
    if (kind !== 'return' && this.inLoop) return
    if (kind !== 'return') this.#mayReturnNothing = true
    this.#mayHaveEnded = true
    this.halts ||= kind !== 'return'
  }

  /** Ends the template. The place counts as reachable afterwards, because later reports concern the whole template. */
  finish(): void {
    if (!this.dead) this.#mayReturnNothing = true
    this.#place.setDead(false)
  }

  // ---- states -----------------------------------------------------------------------------------------------------

  save(): FlowState {
    return { variables: this.#variables.copy(), implied: this.#implied }
  }

  restore({ variables, implied }: FlowState): void {
    this.#variables = variables.copy()
    this.#implied = implied
  }

  join(paths: readonly FlowState[], { implied }: FlowState): void {
    this.#variables = this.#joinPaths(paths.map(({ variables }) => variables))
    this.#implied = implied
  }

  #joinPaths(paths: readonly Variables[]): Variables {
    return joinPaths(paths, this.#absentType).copy()
  }

  // ---- blocks -----------------------------------------------------------------------------------------------------

  /** Records what a condition implies at this place. */
  imply(presence: ImpliedPresence): void {
    if (presence.givenNames.length + presence.notGiven.length > 0) this.#implied = [...this.#implied, presence]
  }

  loop(locals: readonly LoopLocal[], beforeRepeat: () => void): LoopEffects<FlowState> {
    return {
      enter: () => void this.#scopes.push(new Map(locals.map(({ name, type }) => [name, type]))),
      leave: () => void this.#scopes.pop(),
      repeat: (from, iteration) => {
        // A body that always leaves the template has no second iteration.
        if (this.dead) return null
        const names = changedNames(from.variables, this.#variables)
        if (names.length === 0 || iteration > TYPED_ITERATIONS) return null
        beforeRepeat()
        const variables = this.#joinPaths([from.variables, this.#variables])
        const isWidened = iteration === TYPED_ITERATIONS || this.#scopes.length >= DEEP_NESTING
        return { ...from, variables: isWidened ? withUnknownTypes(variables, names) : variables }
      },
      end() {},
    }
  }

  /** Enters the body of a `cache`. `shared`: how it is shared by all visitors; null if it is not. */
  enterCache(shared: SharedCache | null): void {
    this.#caches.push({ span: this.span, shared: shared === null ? null : { cache: shared, reads: new Map() } })
  }

  /** Leaves the body of a `cache`. Returns its visitor-specific reads of `context`, if all visitors share it. */
  leaveCache(): SharedReads | null {
    return this.#caches.pop()?.shared ?? null
  }

  /** Records a read of a visitor-specific part of `context`. */
  readVisitor(part: string, span: Span): void {
    const innermost = this.#innermostShared
    if (innermost !== null && !innermost.cache.keyParts.has(part) && !innermost.reads.has(part))
      innermost.reads.set(part, span)
  }

  /** Enters the body of a `try` or a `transaction`. */
  enterFallible(): void {
    this.#trails.push(new Map())
  }

  /** Leaves such a body. It may end anywhere, so the variables that it sets may be unset. */
  leaveFallible(): void {
    const trail = this.#trails.pop() ?? new Map<string, Type>()
    for (const [name, type] of trail) {
      const variable = this.#variables.get(name)
      const typeAfter = variable === undefined ? this.#absentType(name) : variable.type
      this.set(name, {
        ...(variable ?? { span: this.span, cache: this.cache, visitor: null, partsShared: true }),
        type: join(typeAfter, type),
        certain: variable?.certain === true,
        owned: false,
        texts: null,
      })
    }
  }
}
