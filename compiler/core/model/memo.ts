/**
 * The store of derived values. A value is kept with everything that it was derived from, so that a changed file needs little work: a value
 * is derived again only if something that it was derived from has changed.
 */
import type { Codec } from './codec.ts'
import type { KeptTrees } from './kept-trees.ts'
import { getOrMake } from '../source/maps.ts'

/** Identifies a value that was read: equal stamps mean equal values. */
export type Stamp = string | number | boolean | null

/** What queries can read: for each kind of read, a function that returns the stamp of what is there now. */
export type Sources<Kind extends string> = { readonly [Each in Kind]: (key: string) => Stamp }

/** Records that a query reads something. */
export type RecordRead<Kind extends string> = (kind: Kind, key: string) => void

/** A derived value: what it is derived from, and how. */
export interface Query<Kind extends string, Value> {
  readonly name: string
  /** The subject, such as the path of a file. */
  readonly key: string
  /** Returns values that every computation depends on, compared by identity. They are stamps if the query has a codec. */
  readonly inputs: () => readonly unknown[]
  readonly sources: Sources<Kind>
  /** Returns how the value is stored for later processes; null if it is not stored. */
  readonly codec: (() => Codec<Value>) | null
  /** Computes the value and records each read. */
  readonly make: (record: RecordRead<Kind>) => Value
}

export const NO_SOURCES: Sources<never> = {}

export interface Memo {
  /**
   * Returns the cached result of `make` for these inputs, or computes it. `kind` and `key` identify the cache entry. Only the last
   * results of each entry are kept. Inputs are compared by identity.
   */
  once<Value>(kind: string, key: string, inputs: readonly unknown[], make: () => Value): Value
  /**
   * Returns the value of a query. A kept value is returned if it has the same inputs, and if everything that it read has the same stamp now.
   * Otherwise, the value is computed.
   */
  query<Kind extends string, Value>(query: Query<Kind, Value>): Value
  /** The trees of templates. */
  readonly trees: KeptTrees | null
}

/** The latest result of a cache entry, and the one before it. */
interface CachedResult {
  readonly inputs: readonly unknown[]
  readonly value: unknown
  older: CachedResult | null
}

/** A value of a query with everything that it read. */
export interface Trace {
  readonly inputs: readonly unknown[]
  /** The kind, key and stamp of each read, one after the other. */
  readonly reads: readonly Stamp[]
  readonly value: unknown
  /** Whether an earlier process has computed the value. */
  readonly isStored?: true
}

/** Maximum number of values of a query with the same inputs. A template is checked with different facts about others, one after another. */
const MAX_TRACES = 4

/** Keeps the last result of each entry, or the last two, so that undoing a change needs no work. */
export class Memory implements Memo {
  readonly trees: KeptTrees | null
  readonly #keepsTwo: boolean
  readonly #kinds = new Map<string, Map<string, CachedResult>>()
  /** The traces of each query, by its name and its key. */
  protected readonly queries = new Map<
    string,
    { readonly codec: (() => Codec<unknown>) | null; readonly traces: Map<string, Trace[]> }
  >()
  /** The number of values with a codec that this process has computed. */
  newValues = 0

  constructor(resultsPerEntry: 1 | 2 = 2, trees: KeptTrees | null = null) {
    this.trees = trees
    this.#keepsTwo = resultsPerEntry === 2
  }

  once<Value>(kind: string, key: string, inputs: readonly unknown[], make: () => Value): Value {
    const entries = getOrMake(this.#kinds, kind, () => new Map())
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

  query<Kind extends string, Value>({ name, key, inputs, sources, codec, make }: Query<Kind, Value>): Value {
    const kept = getOrMake(this.queries, name, () => ({ codec, traces: new Map<string, Trace[]>() }))
    const now = inputs()
    const known = kept.traces.get(key) ?? this.restore(name, key, codec, now)
    for (let at = 0; at < known.length; at++) {
      const trace = known[at]
      if (trace === undefined || !areSame(trace.inputs, now) || !isCurrent(trace, sources)) continue
      if (at > 0) known.unshift(...known.splice(at, 1))
      kept.traces.set(key, known)
      // All callers with the same name use the same type of value.
      return trace.value as Value
    }
    const recorder = new Recorder(sources)
    const value = make(recorder.record)
    const { reads } = recorder
    const others = known.filter((each) => areSame(each.inputs, now)).slice(0, MAX_TRACES - 1)
    const older = this.#keepsTwo ? known.find((each) => !areSame(each.inputs, now))?.inputs : undefined
    const olderTraces = older === undefined ? [] : known.filter((each) => areSame(each.inputs, older))
    kept.traces.set(key, [{ inputs: now, reads, value }, ...others, ...olderTraces])
    if (codec !== null) this.newValues++
    return value
  }

  /** Returns the traces of an earlier process with these inputs. */
  protected restore(
    _name: string,
    _key: string,
    _codec: (() => Codec<unknown>) | null,
    _inputs: readonly unknown[],
  ): Trace[] {
    return []
  }
}

/** Records what a query reads. */
class Recorder<Kind extends string> {
  readonly #sources: Sources<Kind>
  readonly #reads = new Map<Kind, Map<string, Stamp>>()

  constructor(sources: Sources<Kind>) {
    this.#sources = sources
  }

  readonly record: RecordRead<Kind> = (kind, key) => {
    const ofKind = getOrMake(this.#reads, kind, () => new Map<string, Stamp>())
    if (!ofKind.has(key)) ofKind.set(key, this.#sources[kind](key))
  }

  /** Returns the kind, key and stamp of each read, one after the other. */
  get reads(): readonly Stamp[] {
    const flat: Stamp[] = []
    for (const [kind, ofKind] of this.#reads) for (const [key, stamp] of ofKind) flat.push(kind, key, stamp)
    return flat
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
