/** Caches the results of earlier runs, so that a changed file needs little work. */
import type { KeptTrees } from './kept-trees.ts'

export interface Memo {
  /**
   * Returns the cached result of `make` for these inputs, or computes it. `kind` and `key` identify the cache entry. Only the last
   * results of each entry are kept. Inputs are compared by identity.
   */
  once<Value>(kind: string, key: string, inputs: readonly unknown[], make: () => Value): Value
  /** The trees of templates, if they can be dropped; null if they stay in memory with the results. */
  readonly trees: KeptTrees | null
}

/** A memo without a cache. */
export const NO_MEMO: Memo = { once: (_kind, _key, _inputs, make) => make(), trees: null }

/** The latest result of a cache entry, and the one before it. */
interface CachedResult {
  readonly inputs: readonly unknown[]
  readonly value: unknown
  older: CachedResult | null
}

/** Keeps the last result of each entry, or the last two, so that undoing a change needs no work. */
export class Memory implements Memo {
  readonly trees: KeptTrees | null
  readonly #keepsTwo: boolean
  readonly #kinds = new Map<string, Map<string, CachedResult>>()

  constructor(resultsPerEntry: 1 | 2 = 2, trees: KeptTrees | null = null) {
    this.trees = trees
    this.#keepsTwo = resultsPerEntry === 2
  }

  once<Value>(kind: string, key: string, inputs: readonly unknown[], make: () => Value): Value {
    let entries = this.#kinds.get(kind)
    if (entries === undefined) {
      entries = new Map()
      this.#kinds.set(kind, entries)
    }
    const newest = entries.get(key)
    let cached = newest
    if (newest !== undefined && !areSame(newest.inputs, inputs)) {
      const { older: other } = newest
      cached = other !== null && areSame(other.inputs, inputs) ? other : undefined
      if (cached !== undefined) {
        newest.older = null
        cached.older = newest
        entries.set(key, cached)
      }
    }
    // All callers with the same kind use the same type of value.
    if (cached !== undefined) return cached.value as Value
    const value = make()
    if (newest !== undefined) newest.older = null
    entries.set(key, { inputs, value, older: (this.#keepsTwo ? newest : null) ?? null })
    return value
  }
}

/** Returns whether both lists have the same values, by identity. */
export function areSame(first: readonly unknown[], second: readonly unknown[]): boolean {
  if (first.length !== second.length) return false
  for (let at = 0; at < first.length; at++) if (!Object.is(first[at], second[at])) return false
  return true
}
