/**
 * The store of derived values. A value is kept with everything that it was derived from, so that a changed file needs little work: a value
 * is derived again only if something that it was derived from has changed.
 */
import type { KeptTrees } from './kept-trees.ts'

/** Identifies a value that was read: equal stamps mean equal values. */
export type Stamp = string | number | boolean | null

/** What queries can read: for each kind of read, a function that returns the stamp of what is there now. */
export type Sources<Kind extends string> = { readonly [Each in Kind]: (key: string) => Stamp }

/** Records that a query reads something. */
export type RecordRead<Kind extends string> = (kind: Kind, key: string) => void

export interface Memo {
  /**
   * Returns the cached result of `make` for these inputs, or computes it. `kind` and `key` identify the cache entry. Only the last
   * results of each entry are kept. Inputs are compared by identity.
   */
  once<Value>(kind: string, key: string, inputs: readonly unknown[], make: () => Value): Value
  /**
   * Returns the value of a query. A kept value is returned if it has the same inputs, and if everything that it read has the same stamp now.
   * Otherwise, the value is computed.
   * @param name the name of the query, and `key` its subject
   * @param inputs returns values that every computation depends on, compared by identity
   * @param make computes the value and records each read
   */
  query<Kind extends string, Value>(
    name: string,
    key: string,
    inputs: () => readonly unknown[],
    sources: Sources<Kind>,
    make: (record: RecordRead<Kind>) => Value,
  ): Value
  /** The trees of templates, if they can be dropped; null if they stay in memory with the results. */
  readonly trees: KeptTrees | null
}

/** A memo without a cache. */
export const NO_MEMO: Memo = {
  once: (_kind, _key, _inputs, make) => make(),
  query: (_name, _key, _inputs, _sources, make) => make(() => undefined),
  trees: null,
}

/** The latest result of a cache entry, and the one before it. */
interface CachedResult {
  readonly inputs: readonly unknown[]
  readonly value: unknown
  older: CachedResult | null
}

/** A value of a query with everything that it read. */
interface Trace {
  readonly inputs: readonly unknown[]
  /** The kind, key and stamp of each read, one after the other. */
  readonly reads: readonly Stamp[]
  readonly value: unknown
}

/** Maximum number of values of a query with the same inputs. A template is checked with different facts about others, one after another. */
const MAX_TRACES = 4

/** Keeps the last result of each entry, or the last two, so that undoing a change needs no work. */
export class Memory implements Memo {
  readonly trees: KeptTrees | null
  readonly #keepsTwo: boolean
  readonly #kinds = new Map<string, Map<string, CachedResult>>()
  readonly #queries = new Map<string, Map<string, Trace[]>>()

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

  query<Kind extends string, Value>(
    name: string,
    key: string,
    inputs: () => readonly unknown[],
    sources: Sources<Kind>,
    make: (record: RecordRead<Kind>) => Value,
  ): Value {
    let traces = this.#queries.get(name)
    if (traces === undefined) this.#queries.set(name, (traces = new Map<string, Trace[]>()))
    const known = traces.get(key) ?? []
    const now = inputs()
    const at = known.findIndex((each) => areSame(each.inputs, now) && isCurrent(each, sources))
    const found = known[at]
    if (found !== undefined) {
      if (at > 0) known.unshift(...known.splice(at, 1))
      // All callers with the same name use the same type of value.
      return found.value as Value
    }
    const reads = new Map<Kind, Map<string, Stamp>>()
    const value = make((kind, readKey) => {
      let ofKind = reads.get(kind)
      if (ofKind === undefined) reads.set(kind, (ofKind = new Map<string, Stamp>()))
      if (!ofKind.has(readKey)) ofKind.set(readKey, sources[kind](readKey))
    })
    const flat: Stamp[] = []
    for (const [kind, ofKind] of reads) for (const [readKey, stamp] of ofKind) flat.push(kind, readKey, stamp)
    const others = known.filter((each) => areSame(each.inputs, now)).slice(0, MAX_TRACES - 1)
    const older = this.#keepsTwo ? known.find((each) => !areSame(each.inputs, now))?.inputs : undefined
    const olderTraces = older === undefined ? [] : known.filter((each) => areSame(each.inputs, older))
    traces.set(key, [{ inputs: now, reads: flat, value }, ...others, ...olderTraces])
    return value
  }
}

/** Returns whether everything that a value was derived from has the same stamp now. */
function isCurrent<Kind extends string>({ reads }: Trace, sources: Sources<Kind>): boolean {
  for (let at = 0; at < reads.length; at += 3) {
    // Reads are recorded by `query` alone, as triples of a kind, a key and a stamp.
    if (sources[reads[at] as Kind](reads[at + 1] as string) !== reads[at + 2]) return false
  }
  return true
}

/** Returns whether both lists have the same values, by identity. */
export function areSame(first: readonly unknown[], second: readonly unknown[]): boolean {
  if (first.length !== second.length) return false
  for (let at = 0; at < first.length; at++) if (!Object.is(first[at], second[at])) return false
  return true
}
