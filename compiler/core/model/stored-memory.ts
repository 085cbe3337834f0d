/** A memory that continues with what earlier processes have derived, and that can be stored for later ones. */
import type { KeptTrees } from './kept-trees.ts'
import type { Codec } from './codec.ts'
import { areSame, Memory, type Trace } from './memo.ts'

/** The traces of earlier processes. */
export interface Records {
  /** Returns the stored traces of a query, newest first; empty if there are none. */
  read(name: string, key: string): readonly Trace[]
}

/** The values of a query that are kept for later processes. */
export interface StoredQuery {
  readonly name: string
  readonly key: string
  /** Whether a value was computed by this process. */
  readonly isNew: boolean
  /** Returns the traces in the form in which they are stored. */
  readonly encode: () => readonly Trace[]
}

export class StoredMemory extends Memory {
  readonly #records: Records | null

  /** @param records what earlier processes have derived; null if that is not known */
  constructor(resultsPerEntry: 1 | 2, trees: KeptTrees, records: Records | null) {
    super(resultsPerEntry, trees)
    this.#records = records
  }

  /** Yields the newest values of all queries with a codec. */
  *stored(): Generator<StoredQuery> {
    for (const [name, { codec, traces }] of this.queries) {
      if (codec === null) continue
      for (const [key, all] of traces) {
        const newest = all.filter((each) => areSame(each.inputs, all[0]?.inputs ?? []))
        const encode = () => newest.map(({ inputs, reads, value }) => ({ inputs, reads, value: codec().encode(value) }))
        yield { name, key, isNew: newest.some(({ isStored }) => isStored !== true), encode }
      }
    }
  }

  /** The codec may refer to the inputs, so it must not decode other traces. */
  protected override restore(
    name: string,
    key: string,
    codec: (() => Codec<unknown>) | null,
    now: readonly unknown[],
  ): Trace[] {
    if (codec === null || this.#records === null) return []
    return this.#records
      .read(name, key)
      .filter(({ inputs }) => areSame(inputs, now))
      .map((each) => ({ ...each, value: codec().decode(each.value), isStored: true }))
  }
}
