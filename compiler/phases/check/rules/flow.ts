/** Where the walk over a template stands: which variables are set here and to what, which blocks are open, what may still run. */
import { NEVER, NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import { type ChangedKeys, joinKeys, NO_KEYS, withChangedKeys } from '../../../language/types/changed-keys.ts'
import { join } from '../../../language/types/relate.ts'
import { CopyOnWriteMap } from '../infer/copy-on-write-map.ts'
import type { SharedCache } from './facts.ts'
import { changedNames, changeShared, joinPaths, type Variable, type Variables, withUnknownTypes } from './state.ts'

/** One branch of a block: its condition is evaluated first, then its body is run, or what holds without it is noted. */
export interface FlowBranch {
  readonly evaluate: () => void
  readonly run: () => void
  readonly skip: () => void
  /** What the condition implies for names from outside, where the branch is taken or skipped. */
  readonly implies: (taken: boolean) => ImpliedPresence
}

/** Names from outside that a condition implies to be given, or not to be. */
export interface ImpliedPresence {
  readonly given: readonly string[]
  readonly notGiven: readonly string[]
}

/**
 * A loop's body is checked again with the types that its iterations leave, this often, and then with unknown ones. Loops nested
 * this deep use unknown types at once.
 */
const TYPED_TURNS = 3
const DEEP_NESTING = 3

export class Flow {
  readonly #absent: (name: string) => Type
  #span: Span
  #variables: Variables = new CopyOnWriteMap()
  #dead = false
  /** Names of loops, innermost last. */
  readonly #scopes: Map<string, Type>[] = []
  /** The variables at each `break` and `continue`, by loop, the innermost last. */
  readonly #exits: Variables[][] = []
  readonly #caches: Span[] = []
  /** Caches whose key is the same for every visitor, with what their bodies read of the visitor. */
  readonly #sharedCaches: { readonly cache: SharedCache; readonly reads: Map<string, Span> }[] = []
  /** By open `try` and `transaction`: all that variables were given in it, since it may end anywhere. */
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
  #mayGiveNothing = false
  #emptyAt: Span | null = null
  readonly #includeWrites = new Map<string, { readonly partial: string; readonly span: Span }>()

  /** `absent` gives the type of a name that the template has not set. */
  constructor(span: Span, absent: (name: string) => Type) {
    this.#span = span
    this.#absent = absent
  }

  // ---- where the walk stands --------------------------------------------------------------------------------------

  /** The node that is walked. */
  get span(): Span {
    return this.#span
  }

  moveTo(span: Span): void {
    this.#span = span
  }

  /** Nothing behind this place runs. */
  get dead(): boolean {
    return this.#dead
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

  /** Some block around this place may not run. */
  get isConditional(): boolean {
    return this.#conditions > 0
  }

  /** Whether this place runs whenever the template does. */
  get isCertain(): boolean {
    return !this.isConditional && !this.#mayHaveEnded && !this.#dead
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

  /** The innermost `cache` whose key is the same for every visitor. */
  get sharedCache(): SharedCache | null {
    return this.#sharedCaches.at(-1)?.cache ?? null
  }

  /** Names from outside that are not given wherever this place runs. */
  get notGiven(): readonly string[] {
    return this.#implied.flatMap(({ notGiven }) => notGiven)
  }

  /** Names from outside that are given wherever this place runs. */
  get given(): readonly string[] {
    return this.#implied.flatMap(({ given }) => given)
  }

  // ---- variables --------------------------------------------------------------------------------------------------

  get variables(): Pick<Variables, 'get' | 'has'> {
    return this.#variables
  }

  /** Of the variables that are set here, and of the loops around. */
  names(): readonly string[] {
    return [...this.#variables.keys(), ...this.#scopes.flatMap((scope) => [...scope.keys()])]
  }

  /** The type of a name of a loop; undefined for other names. */
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

  /** Another file has set the variable. */
  overwrite(name: string): void {
    const variable = this.#variables.get(name)
    if (variable !== undefined) this.set(name, { ...variable, type: UNKNOWN, owned: false, texts: null, visitor: null })
  }

  overwriteAll(): void {
    for (const name of [...this.#variables.keys()]) this.overwrite(name)
  }

  /** Somebody else now holds the value of this name too. */
  share(name: string): void {
    const variable = this.#variables.get(name)
    if (variable?.owned === true) this.#variables.set(name, { ...variable, owned: false })
  }

  /** Somebody else holds a value that was put into the value of this name. */
  shareParts(name: string): void {
    const variable = this.#variables.get(name)
    if (variable?.partsShared === false) this.#variables.set(name, { ...variable, partsShared: true })
  }

  /** These keys were written into a value that somebody else may hold, so that one that was passed may have others. */
  changeShared(keys: ChangedKeys, except: string | null): void {
    this.#changedKeys = joinKeys(this.#changedKeys, keys)
    changeShared(this.#variables, keys, except)
    for (const scope of this.#scopes)
      for (const [name, type] of scope) if (name !== 'forloop') scope.set(name, withChangedKeys(type, keys))
  }

  /** A call or a filter writes keys into values that it was given under these names. */
  changedElsewhere(names: Iterable<string>, keys: ChangedKeys): void {
    this.changeShared(keys, null)
    for (const name of names) {
      const variable = this.#variables.get(name)
      if (variable?.owned === true)
        this.#variables.set(name, { ...variable, type: withChangedKeys(variable.type, keys) })
    }
  }

  /** What a condition says of a variable. */
  narrow(name: string, by: (type: Type) => Type): void {
    const variable = this.#variables.get(name)
    if (variable === undefined || this.local(name) !== undefined) return
    const type = by(variable.type)
    if (type !== variable.type) this.#variables.set(name, { ...variable, type })
  }

  /** Names that only an included partial sets, which stay there. */
  get includeWrites(): ReadonlyMap<string, { readonly partial: string; readonly span: Span }> {
    return this.#includeWrites
  }

  staysInPartial(name: string, partial: string, span: Span): void {
    this.#includeWrites.set(name, { partial, span })
  }

  // ---- ends -------------------------------------------------------------------------------------------------------

  /** Keys that were written into values which somebody else may hold. */
  get changedKeys(): ChangedKeys {
    return this.#changedKeys
  }

  /** Whether the template may end whoever includes it. */
  get halts(): boolean {
    return this.#halts
  }

  /** What `function` gets. */
  get result(): Type {
    return this.#mayGiveNothing || this.#result.kind === 'never' ? join(this.#result, NIL) : this.#result
  }

  /** The first `return` with a value. */
  get returned(): Span | null {
    return this.#returned
  }

  /** The first `return` without a value. */
  get emptyAt(): Span | null {
    return this.#emptyAt
  }

  /** An included file may end this template; `halts`: also whoever includes this one. */
  mayEnd(halts: boolean): void {
    this.#mayHaveEnded ||= halts
    this.#halts ||= halts
  }

  /** `return` with a value. */
  addResult(value: Type): void {
    this.#returned ??= this.#span
    this.#result = join(this.#result, value)
  }

  /** Some end of the template gives no value. */
  addEmptyResult(): void {
    this.#mayGiveNothing = true
    if (!this.#dead) this.#emptyAt ??= this.#span
  }

  interrupt(kind: 'break' | 'continue' | 'return'): void {
    const exits = this.#exits.at(-1)
    if (kind !== 'return' && exits !== undefined) {
      if (!this.#dead) exits.push(this.#variables)
    } else {
      if (kind !== 'return') this.#mayGiveNothing = true
      this.#mayHaveEnded = true
      this.#halts ||= kind !== 'return'
    }
    this.#dead = true
  }

  /** The end of the template. What is reported after it concerns all of it. */
  finish(): void {
    if (!this.#dead) this.#mayGiveNothing = true
    this.#dead = false
  }

  // ---- blocks -----------------------------------------------------------------------------------------------------

  /** What may not run. */
  conditionally(body: () => void): void {
    this.#conditions++
    body()
    this.#conditions--
  }

  /** Branches that exclude each other. `exhaustive`: one of them surely runs. */
  branch(ways: readonly FlowBranch[], exhaustive: boolean): void {
    const before = this.#variables
    const ends: (Variables | null)[] = []
    let otherwise = before
    const outer = this.#implied.length
    for (const [index, way] of ways.entries()) {
      this.#variables = otherwise.copy()
      way.evaluate()
      // The first condition is always asked.
      if (index === 0) this.#conditions++
      otherwise = this.#variables
      const outerConditions = this.#implied.length
      this.#implied.push(way.implies(true))
      ends.push(this.#run(otherwise, way.run))
      this.#implied.length = outerConditions
      this.#implied.push(way.implies(false))
      this.#variables = otherwise.copy()
      way.skip()
      otherwise = this.#variables
    }
    this.#implied.length = outer
    this.#conditions--
    this.#continueFrom(exhaustive ? ends : [...ends, otherwise], before)
  }

  /** A body that runs any number of times. `again` is called before it is checked once more. */
  loop(locals: Iterable<readonly [string, Type]>, body: () => void, again: () => void): void {
    const loopVariables = [...locals]
    let from = this.#variables
    this.#conditions++
    for (let turn = 1; ; turn++) {
      this.#scopes.push(new Map(loopVariables))
      this.#exits.push([])
      const end = this.#run(from, body)
      const ends = [end, ...(this.#exits.pop() ?? [])]
      this.#scopes.pop()
      this.#continueFrom(ends, from)
      const wasDead = this.#dead
      // A body that always leaves the template has no second iteration.
      this.#dead = false
      const names = wasDead ? [] : changedNames(from, this.#variables)
      if (names.length === 0 || turn > TYPED_TURNS) {
        this.#dead = wasDead
        break
      }
      again()
      from = joinPaths([from, this.#variables], this.#absent)
      if (turn === TYPED_TURNS || this.#scopes.length >= DEEP_NESTING) from = withUnknownTypes(from, names)
    }
    this.#conditions--
  }

  /** The body of a `cache`, which may not run. */
  cached(body: () => void): void {
    const before = this.#variables
    this.#caches.push(this.#span)
    this.#conditions++
    const end = this.#run(before, body)
    this.#conditions--
    this.#caches.pop()
    this.#continueFrom([before, end], before)
  }

  /** The body of a `cache` whose key is the same for every visitor. Gives what it reads of the visitor. */
  cachedForAll(cache: SharedCache, body: () => void): ReadonlyMap<string, Span> {
    const reads = new Map<string, Span>()
    this.#sharedCaches.push({ cache, reads })
    body()
    this.#sharedCaches.pop()
    return reads
  }

  /** A read of what is the visitor's own. */
  readVisitor(part: string, span: Span): void {
    const open = this.#sharedCaches.at(-1)
    if (open !== undefined && !open.cache.keyParts.has(part) && !open.reads.has(part)) open.reads.set(part, span)
  }

  /** The body of a `try` or a `transaction`, which may end anywhere, so that what it sets may be set or not. */
  mayFail(kind: 'try' | 'transaction', body: () => void): void {
    const before = this.#variables
    if (kind === 'transaction') this.#transactions++
    else this.#tries++
    this.#trails.push(new Map())
    const end = this.#run(before, body)
    if (kind === 'transaction') this.#transactions--
    else this.#tries--
    this.#continueFrom([before, end], before)
    const given = this.#trails.pop() ?? new Map<string, Type>()
    for (const [name, type] of given) {
      const variable = this.#variables.get(name)
      const known = variable === undefined ? this.#absent(name) : variable.type
      this.set(name, {
        ...(variable ?? { span: this.#span, cache: this.cache, visitor: null, partsShared: true }),
        type: join(known, type),
        certain: variable?.certain === true,
        owned: false,
        texts: null,
      })
    }
  }

  /** Runs something from these variables and gives the variables behind it, or null where nothing goes on. */
  #run(from: Variables, body: () => void): Variables | null {
    const dead = this.#dead
    this.#variables = from.copy()
    body()
    const after = this.#dead && !dead ? null : this.#variables
    this.#dead = dead
    return after
  }

  /** Continues from where several paths join; what follows is dead where none of them gets there. */
  #continueFrom(ends: readonly (Variables | null)[], from: Variables): void {
    const alive = ends.filter((end) => end !== null)
    this.#variables = alive.length === 0 ? from : joinPaths(alive, this.#absent)
    if (alive.length === 0) this.#dead = true
  }
}
