/** The state of the walk at a place in the template: the variables with their types, the enclosing blocks, and whether it is reachable. */
import { NEVER, NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import { type ChangedKeys, joinKeys, NO_KEYS, withChangedKeys } from '../../../language/types/changed-keys.ts'
import { join } from '../../../language/types/relate.ts'
import { CopyOnWriteMap } from '../../analyze/copy-on-write-map.ts'
import type { SharedCache } from './facts.ts'
import { changedNames, changeShared, joinPaths, type Variable, type Variables, withUnknownTypes } from './state.ts'

/** One branch of a block. `evaluate` checks its condition, `run` its body, and `skip` narrows types as if the branch is not taken. */
export interface FlowBranch {
  readonly evaluate: () => void
  readonly run: () => void
  readonly skip: () => void
  /** Returns what the condition implies for names that the template has not set, if the branch is taken or skipped. */
  readonly implies: (taken: boolean) => ImpliedPresence
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
  /** Returns the type of a name that the template has not set. */
  readonly #absentType: (name: string) => Type
  #span: Span
  #variables: Variables = new CopyOnWriteMap()
  #isDead = false
  /** The variables of the open loops, innermost last. */
  readonly #scopes: Map<string, Type>[] = []
  /** For each open loop, the state of the variables at each `break` and `continue`. The innermost loop is last. */
  readonly #exits: Variables[][] = []
  readonly #caches: Span[] = []
  /** The open `cache` tags whose key is the same for every visitor, with the visitor-specific parts of `context` that are read in them. */
  readonly #sharedCaches: { readonly cache: SharedCache; readonly reads: Map<string, Span> }[] = []
  /** For each open `try` and `transaction`, the joined types of all values that were set in it, since it may end anywhere. */
  readonly #trails: Map<string, Type>[] = []
  #transactions = 0
  #tries = 0
  #conditions = 0
  readonly #implied: ImpliedPresence[] = []
  #mayHaveEnded = false
  #changedKeys: ChangedKeys = NO_KEYS
  #halts = false
  #result: Type = NEVER
  #returned: Span | null = null
  #mayReturnNothing = false
  #emptyAt: Span | null = null
  readonly #includeWrites = new Map<string, { readonly partial: string; readonly span: Span }>()

  /** @param absentType returns the type of a name that the template has not set */
  constructor(span: Span, absentType: (name: string) => Type) {
    this.#span = span
    this.#absentType = absentType
  }

  // ---- the current place ------------------------------------------------------------------------------------------

  /** The current node. */
  get span(): Span {
    return this.#span
  }

  moveTo(span: Span): void {
    this.#span = span
  }

  /** Whether this place is unreachable. */
  get dead(): boolean {
    return this.#isDead
  }

  get inLoop(): boolean {
    return this.#scopes.length > 0
  }

  get inTransaction(): boolean {
    return this.#transactions > 0
  }

  get inTry(): boolean {
    return this.#tries > 0
  }

  /** Whether an enclosing block may not run. */
  get isConditional(): boolean {
    return this.#conditions > 0
  }

  /** Whether this place runs each time that the template runs. */
  get isCertain(): boolean {
    return !this.isConditional && !this.#mayHaveEnded && !this.#isDead
  }

  get inCache(): boolean {
    return this.#caches.length > 0
  }

  /** The innermost open `cache` tag. */
  get cache(): Span | null {
    return this.#caches.at(-1) ?? null
  }

  isInside(cache: Span): boolean {
    return this.#caches.includes(cache)
  }

  /** The innermost open `cache` whose key is the same for every visitor. */
  get sharedCache(): SharedCache | null {
    return this.#sharedCaches.at(-1)?.cache ?? null
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
    this.#changedKeys = joinKeys(this.#changedKeys, keys)
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

  /** Names that only an included partial sets, and that are not set after the include. */
  get includeWrites(): ReadonlyMap<string, { readonly partial: string; readonly span: Span }> {
    return this.#includeWrites
  }

  staysInPartial(name: string, partial: string, span: Span): void {
    this.#includeWrites.set(name, { partial, span })
  }

  // ---- ends of the template -------------------------------------------------------------------------------------------------------

  /** The keys that were written to values that may be shared. */
  get changedKeys(): ChangedKeys {
    return this.#changedKeys
  }

  /** Whether the template may also end a template that includes it. */
  get halts(): boolean {
    return this.#halts
  }

  /** The type of the result of `function`. */
  get result(): Type {
    return this.#mayReturnNothing || this.#result.kind === 'never' ? join(this.#result, NIL) : this.#result
  }

  /** The first `return` with a value. */
  get returned(): Span | null {
    return this.#returned
  }

  /** The first `return` without a value. */
  get emptyAt(): Span | null {
    return this.#emptyAt
  }

  /** Records an include. `halts`: the included file may end this template, and also a template that includes this one. */
  mayEnd(halts: boolean): void {
    this.#mayHaveEnded ||= halts
    this.#halts ||= halts
  }

  /** Records a `return` with a value. */
  addResult(value: Type): void {
    this.#returned ??= this.#span
    this.#result = join(this.#result, value)
  }

  /** Records a path on which the template returns no value. */
  addEmptyResult(): void {
    this.#mayReturnNothing = true
    if (!this.#isDead) this.#emptyAt ??= this.#span
  }

  interrupt(kind: 'break' | 'continue' | 'return'): void {
    const exits = this.#exits.at(-1)
    if (kind !== 'return' && exits !== undefined) {
      if (!this.#isDead) exits.push(this.#variables)
    } else {
      if (kind !== 'return') this.#mayReturnNothing = true
      this.#mayHaveEnded = true
      this.#halts ||= kind !== 'return'
    }
    this.#isDead = true
  }

  /** Ends the template. The place counts as reachable afterwards, because later reports concern the whole template. */
  finish(): void {
    if (!this.#isDead) this.#mayReturnNothing = true
    this.#isDead = false
  }

  // ---- blocks -----------------------------------------------------------------------------------------------------

  /** Runs `body` as code that may not run. */
  conditionally(body: () => void): void {
    this.#conditions++
    body()
    this.#conditions--
  }

  /** Walks branches that exclude each other. `isExhaustive`: one of them always runs. */
  runBranches(branches: readonly FlowBranch[], isExhaustive: boolean): void {
    const earlierVariables = this.#variables
    const branchEnds: (Variables | null)[] = []
    let elseVariables = earlierVariables
    const outerCount = this.#implied.length
    for (const [index, branch] of branches.entries()) {
      this.#variables = elseVariables.copy()
      branch.evaluate()
      // The first condition is always evaluated.
      if (index === 0) this.#conditions++
      elseVariables = this.#variables
      const enclosingCount = this.#implied.length
      this.#implied.push(branch.implies(true))
      branchEnds.push(this.#run(elseVariables, branch.run))
      this.#implied.length = enclosingCount
      this.#implied.push(branch.implies(false))
      this.#variables = elseVariables.copy()
      branch.skip()
      elseVariables = this.#variables
    }
    this.#implied.length = outerCount
    this.#conditions--
    this.#continueFrom(isExhaustive ? branchEnds : [...branchEnds, elseVariables], earlierVariables)
  }

  /** Walks a body that runs any number of times. `beforeRepeat` is called each time before the body is walked again. */
  runLoop(locals: Iterable<readonly [string, Type]>, body: () => void, beforeRepeat: () => void): void {
    const loopVariables = [...locals]
    let from = this.#variables
    this.#conditions++
    for (let iteration = 1; ; iteration++) {
      this.#scopes.push(new Map(loopVariables))
      this.#exits.push([])
      const end = this.#run(from, body)
      const ends = [end, ...(this.#exits.pop() ?? [])]
      this.#scopes.pop()
      this.#continueFrom(ends, from)
      const wasDead = this.#isDead
      // A body that always leaves the template has no second iteration.
      this.#isDead = false
      const names = wasDead ? [] : changedNames(from, this.#variables)
      if (names.length === 0 || iteration > TYPED_ITERATIONS) {
        this.#isDead = wasDead
        break
      }
      beforeRepeat()
      from = joinPaths([from, this.#variables], this.#absentType)
      if (iteration === TYPED_ITERATIONS || this.#scopes.length >= DEEP_NESTING) from = withUnknownTypes(from, names)
    }
    this.#conditions--
  }

  /** Walks the body of a `cache`, which may not run. */
  runCached(body: () => void): void {
    const earlierVariables = this.#variables
    this.#caches.push(this.#span)
    this.#conditions++
    const end = this.#run(earlierVariables, body)
    this.#conditions--
    this.#caches.pop()
    this.#continueFrom([earlierVariables, end], earlierVariables)
  }

  /** Walks the body of a `cache` whose key is the same for every visitor. Returns its visitor-specific reads of `context`. */
  cachedForAll(cache: SharedCache, body: () => void): ReadonlyMap<string, Span> {
    const reads = new Map<string, Span>()
    this.#sharedCaches.push({ cache, reads })
    body()
    this.#sharedCaches.pop()
    return reads
  }

  /** Records a read of a visitor-specific part of `context`. */
  readVisitor(part: string, span: Span): void {
    const innermost = this.#sharedCaches.at(-1)
    if (innermost !== undefined && !innermost.cache.keyParts.has(part) && !innermost.reads.has(part))
      innermost.reads.set(part, span)
  }

  /** Walks the body of a `try` or a `transaction`. It may end anywhere, so the variables that it sets may be unset. */
  runFallible(kind: 'try' | 'transaction', body: () => void): void {
    const earlierVariables = this.#variables
    if (kind === 'transaction') this.#transactions++
    else this.#tries++
    this.#trails.push(new Map())
    const end = this.#run(earlierVariables, body)
    if (kind === 'transaction') this.#transactions--
    else this.#tries--
    this.#continueFrom([earlierVariables, end], earlierVariables)
    const trail = this.#trails.pop() ?? new Map<string, Type>()
    for (const [name, type] of trail) {
      const variable = this.#variables.get(name)
      const typeAfter = variable === undefined ? this.#absentType(name) : variable.type
      this.set(name, {
        ...(variable ?? { span: this.#span, cache: this.cache, visitor: null, partsShared: true }),
        type: join(typeAfter, type),
        certain: variable?.certain === true,
        owned: false,
        texts: null,
      })
    }
  }

  /** Walks a body from these variables. Returns the variables after it; null if the end is unreachable. */
  #run(start: Variables, body: () => void): Variables | null {
    const wasDead = this.#isDead
    this.#variables = start.copy()
    body()
    const laterVariables = this.#isDead && !wasDead ? null : this.#variables
    this.#isDead = wasDead
    return laterVariables
  }

  /** Joins several paths. The code after them is unreachable if none of them continues. */
  #continueFrom(ends: readonly (Variables | null)[], from: Variables): void {
    const reachableEnds = ends.filter((end) => end !== null)
    this.#variables = reachableEnds.length === 0 ? from : joinPaths(reachableEnds, this.#absentType)
    if (reachableEnds.length === 0) this.#isDead = true
  }
}
