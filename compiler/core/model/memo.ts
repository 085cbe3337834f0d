/** Caches the results of earlier runs, so that a changed file needs little work. */

export interface Memo {
  /**
   * Returns the cached result of `make` for these inputs, or computes it. `kind` and `key` identify the cache entry. Only the last
   * results of each entry are kept. Inputs are compared by identity.
   */
  once<Value>(kind: string, key: string, inputs: readonly unknown[], make: () => Value): Value
}

/** A memo without a cache. */
export const NO_MEMO: Memo = { once: (_kind, _key, _inputs, make) => make() }

/** The latest result of a cache entry, and the one before it. */
interface Kept {
  readonly inputs: readonly unknown[]
  readonly value: unknown
  other: Kept | null
}

/** Keeps the last result of each entry, or the last two, so that undoing a change is free. */
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

/** Returns whether both lists have the same values, by identity. */
export function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (!Object.is(one[at], other[at])) return false
  return true
}
