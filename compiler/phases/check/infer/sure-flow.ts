/**
 * What surely holds of the variables at the place of a template that is walked: on every way that leads there, in every turn of the loops
 * around it, whoever else holds their values.
 */
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import { isMutable, join, same, unshared } from '../../../language/types/relate.ts'
import { CopyOnWriteMap } from './copy-on-write-map.ts'

export interface Known {
  readonly type: Type
  /** Set on every way that leads here. */
  readonly certain: boolean
  /** Nobody else holds the value, so that a change of another value is none of this one. */
  readonly owned: boolean
}

export interface Local {
  readonly name: string
  readonly type: Type
  /** Given by the language, which makes it anew for each turn. */
  readonly fixed: boolean
}

type Variables = CopyOnWriteMap<string, Known>

/** Turns of a loop after which what still changes is taken for unknown; deeper loops do so at once. */
const TURNS = 2
const DEEP = 3

export class SureFlow {
  readonly #inputs: (name: string) => Type
  #variables: Variables = new CopyOnWriteMap()
  readonly #locals: Map<string, Type>[] = []
  /** For each open loop, the variables wherever it is left or its next turn begun early. */
  readonly #exits: Variables[][] = []
  /** For each open body that may end anywhere, the names that it sets. */
  readonly #sets: Set<string>[] = []
  readonly #given = new Map<string, Type>()
  #dead = false
  #forgotten = 0
  #mayHaveAny = false

  /** `inputs` tells what a name is that the template has not set. */
  constructor(inputs: (name: string) => Type) {
    this.#inputs = inputs
  }

  /** Nothing behind this place runs. */
  get dead(): boolean {
    return this.#dead
  }

  /** Whether a value that somebody else may hold was changed in place. */
  get hasForgotten(): boolean {
    return this.#forgotten > 0
  }

  /** The types of all values that each variable was given. */
  get given(): ReadonlyMap<string, Type> {
    return this.#given
  }

  // ---- reading ----------------------------------------------------------------------------------------------------

  /** The type of a name of a loop; undefined for other names. */
  local(name: string): Type | undefined {
    for (let at = this.#locals.length - 1; at >= 0; at--) {
      const type = this.#locals[at]?.get(name)
      if (type !== undefined) return type
    }
    return undefined
  }

  variable(name: string): Known | undefined {
    return this.#variables.get(name)
  }

  typeOf(name: string): Type {
    return this.local(name) ?? this.#variables.get(name)?.type ?? this.absent(name)
  }

  /** What a name is that the template has not set. */
  absent(name: string): Type {
    if (this.#mayHaveAny) return UNKNOWN
    const type = this.#inputs(name)
    return this.#forgotten > 0 ? unshared(type) : type
  }

  // ---- writing ----------------------------------------------------------------------------------------------------

  /** Sets a variable. `keeps`: where making the value fails, the variable stays what it was. */
  set(name: string, type: Type, owned: boolean, keeps: boolean): void {
    const before = this.#variables.get(name)
    this.#write(
      name,
      keeps
        ? {
            type: join(before?.type ?? this.absent(name), type),
            certain: before?.certain ?? false,
            owned: owned && before?.owned === true,
          }
        : { type, certain: true, owned },
    )
  }

  /** Another file sets the name: in the variable that it is here, or as one that this template did not have. */
  overwrite(name: string): void {
    const at = this.#locals.findLastIndex((each) => each.has(name))
    if (at >= 0) this.#locals[at]?.set(name, UNKNOWN)
    this.#write(name, { type: UNKNOWN, certain: this.#variables.get(name)?.certain ?? false, owned: false })
  }

  /** Another file may set any name. */
  overwriteAll(): void {
    this.#mayHaveAny = true
    for (const name of [...this.#variables.keys()]) this.overwrite(name)
    for (const locals of this.#locals) for (const name of locals.keys()) locals.set(name, UNKNOWN)
    this.forget()
  }

  /** Changes the value of a variable in place. `fails`: it may be that nothing is changed. */
  change(name: string, type: Type, fails: boolean): void {
    const known = this.#variables.get(name)
    if (this.local(name) !== undefined || known?.owned !== true) this.forget()
    else this.#write(name, { ...known, type: fails ? join(known.type, type) : type })
  }

  #write(name: string, known: Known): void {
    this.#variables.set(name, known)
    const given = this.#given.get(name)
    this.#given.set(name, given === undefined ? known.type : join(given, known.type))
    for (const names of this.#sets) names.add(name)
    // An interrupt inside of `capture` is carried out behind it, when its variable is set.
    for (const exit of this.#exits.at(-1) ?? []) {
      const left = exit.get(name)
      exit.set(name, {
        type: join(left?.type ?? this.absent(name), known.type),
        certain: left?.certain ?? false,
        owned: left?.owned === true && known.owned,
      })
    }
  }

  /** Somebody else now holds the value of this name too. */
  share(name: string): void {
    const known = this.#variables.get(name)
    if (known?.owned === true) this.#variables.set(name, { ...known, owned: false })
  }

  shareAll(): void {
    for (const name of [...this.#variables.keys()]) this.share(name)
  }

  /** A value that is not this template's alone was changed in place: nothing is known any longer of all that may be that value. */
  forget(): void {
    this.#forgotten++
    this.#forgetIn(this.#variables)
    for (const locals of this.#locals) for (const [name, type] of locals) locals.set(name, unshared(type))
  }

  #forgetIn(variables: Variables): void {
    for (const [name, known] of variables) {
      if (known.owned || known.type === UNKNOWN || !isMutable(known.type)) continue
      variables.set(name, { ...known, type: UNKNOWN })
      this.#given.set(name, UNKNOWN)
    }
  }

  /** What a condition says of a variable. */
  narrow(name: string, by: (type: Type) => Type): void {
    const known = this.#variables.get(name)
    if (known === undefined || this.local(name) !== undefined) return
    const type = by(known.type)
    if (type !== known.type) this.#variables.set(name, { ...known, type })
  }

  // ---- ways -------------------------------------------------------------------------------------------------------

  /** Ends the template here. */
  end(): void {
    this.#dead = true
  }

  /** Goes to the end of the innermost loop or to its next turn; false where there is no loop. */
  exit(): boolean {
    this.mayExit()
    this.#dead = true
    return this.#exits.length > 0
  }

  /** The innermost loop may end here, or begin its next turn. */
  mayExit(): void {
    if (!this.#dead) this.#exits.at(-1)?.push(this.#variables.copy())
  }

  #run(from: Variables, body: () => void): Variables | null {
    const dead = this.#dead
    this.#variables = from.copy()
    body()
    const after = this.#dead && !dead ? null : this.#variables
    this.#dead = dead
    return after
  }

  #goOn(ends: readonly (Variables | null)[], from: Variables): void {
    const alive = ends.filter((end) => end !== null)
    this.#variables = alive.length === 0 ? from : this.#meet(alive)
    if (alive.length === 0) this.#dead = true
  }

  /** Runs one of several bodies, or none where `exhaustive` does not say otherwise. Each is prepared from where those before it were passed by. */
  branch(
    ways: readonly { readonly enter: () => void; readonly run: () => void; readonly pass: () => void }[],
    exhaustive: boolean,
  ): void {
    const before = this.#variables
    let otherwise: Variables = before
    const ends: (Variables | null)[] = []
    for (const { enter, run, pass } of ways) {
      this.#variables = otherwise.copy()
      enter()
      const asked = this.#variables
      ends.push(this.#run(asked, run))
      this.#variables = asked.copy()
      pass()
      otherwise = this.#variables
    }
    this.#goOn(exhaustive ? ends : [...ends, otherwise], before)
  }

  /** Gives what `body` gives where these names hide what they mean around it. */
  within<Result>(hiding: ReadonlyMap<string, Type>, body: () => Result): Result {
    this.#locals.push(new Map(hiding))
    const result = body()
    this.#locals.pop()
    return result
  }

  /** Runs a body any number of times but none: until a further turn would find nothing else than the turns before it. */
  loop(locals: readonly Local[], body: () => void): void {
    let from = this.#variables
    let isShared = false
    for (let turn = 1; ; turn++) {
      const forgotten = this.#forgotten
      const own = locals.map(({ name, type, fixed }): [string, Type] => [
        name,
        isShared && !fixed ? unshared(type) : type,
      ])
      this.#locals.push(new Map(own))
      this.#exits.push([])
      const end = this.#run(from, body)
      const alive = [end, ...(this.#exits.pop() ?? [])].filter((each) => each !== null)
      this.#locals.pop()
      if (alive.length === 0) {
        this.#variables = from
        this.#dead = true
        return
      }
      const next = this.#meet([from, ...alive])
      const changed = this.#changed(from, next)
      // What a turn changes in place, the next one may meet as an element.
      const isNewlyShared = this.#forgotten > forgotten && !isShared
      if (changed.length === 0 && !isNewlyShared) {
        this.#variables = this.#meet(alive)
        return
      }
      if (isNewlyShared) {
        isShared = true
        this.#forgetIn(next)
      }
      if (turn >= TURNS || this.#locals.length >= DEEP) {
        for (const name of changed) {
          next.set(name, { type: UNKNOWN, certain: next.get(name)?.certain ?? false, owned: false })
          this.#given.set(name, UNKNOWN)
        }
      }
      from = next
    }
  }

  /** Runs a body that may end anywhere, or not run at all: nothing is known behind it of what it sets. */
  unsure(body: () => void): void {
    const before = this.#variables
    const names = new Set<string>()
    const forgotten = this.#forgotten
    this.#sets.push(names)
    const end = this.#run(before, body)
    this.#sets.pop()
    this.#variables = this.#meet(end === null ? [before] : [before, end])
    if (this.#forgotten > forgotten) this.#forgetIn(this.#variables)
    for (const name of names)
      this.#variables.set(name, { type: UNKNOWN, certain: before.get(name)?.certain ?? false, owned: false })
  }

  #meet(ways: readonly Variables[]): Variables {
    const [first, ...others] = ways
    if (first === undefined) return new CopyOnWriteMap()
    const met = first.copy()
    for (const way of others) {
      if (way.isUnchangedFrom(met)) continue
      for (const [name, known] of met) {
        const other = way.get(name)
        if (other === known) continue
        met.set(name, other === undefined ? this.#maybe(name, known) : either(known, other))
      }
      for (const [name, known] of way) if (!met.has(name)) met.set(name, this.#maybe(name, known))
    }
    return met
  }

  #maybe(name: string, known: Known): Known {
    const type = join(known.type, this.absent(name))
    return known.certain || type !== known.type || known.owned ? { type, certain: false, owned: false } : known
  }

  /** Names of which a further turn would know something else. */
  #changed(before: Variables, after: Variables): readonly string[] {
    if (after.isUnchangedFrom(before)) return []
    return [...after].flatMap(([name, known]) => {
      const was = before.get(name)
      const isSame = was !== undefined && was.certain === known.certain && was.owned === known.owned
      return isSame && same(was.type, known.type) ? [] : [name]
    })
  }
}

function either(a: Known, b: Known): Known {
  return { type: join(a.type, b.type), certain: a.certain && b.certain, owned: a.owned && b.owned }
}
