/** Remembers what earlier runs made of the same inputs, so that a changed file is a small piece of work. */

export interface Memo {
  /**
   * What `make` gave for these inputs before, else what it gives now. `kind` and `key` name the place; of each place only
   * the last values are kept. Inputs are compared by identity.
   */
  once<Value>(kind: string, key: string, inputs: readonly unknown[], make: () => Value): Value
}

/** Makes everything anew. */
export const NO_MEMO: Memo = { once: (_kind, _key, _inputs, make) => make() }

/** The newest value of a place, and the one before it. */
interface Kept {
  readonly inputs: readonly unknown[]
  readonly value: unknown
  other: Kept | null
}

/** Keeps the last two values of each place, so that a change that is taken back costs nothing either, or the last one alone. */
export class Memory implements Memo {
  readonly #keepsTwo: boolean
  readonly #kinds = new Map<string, Map<string, Kept>>()

  constructor(kept: 1 | 2 = 2) {
    this.#keepsTwo = kept === 2
  }

  once<Value>(kind: string, key: string, inputs: readonly unknown[], make: () => Value): Value {
    let places = this.#kinds.get(kind)
    if (places === undefined) {
      places = new Map()
      this.#kinds.set(kind, places)
    }
    const newest = places.get(key)
    let known = newest
    if (newest !== undefined && !areSame(newest.inputs, inputs)) {
      const { other } = newest
      known = other !== null && areSame(other.inputs, inputs) ? other : undefined
      if (known !== undefined) {
        newest.other = null
        known.other = newest
        places.set(key, known)
      }
    }
    // All callers with the same kind use the same type of value.
    if (known !== undefined) return known.value as Value
    const value = make()
    if (newest !== undefined) newest.other = null
    places.set(key, { inputs, value, other: (this.#keepsTwo ? newest : null) ?? null })
    return value
  }
}

/** Whether both lists have the same values, by identity. */
export function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (!Object.is(one[at], other[at])) return false
  return true
}
