/** A table with changes on top of another table, which is not changed and may be as large as the site. */

/** The subset of the `Map` interface that is used. */
export interface Table<Key, Value> {
  get(key: Key): Value | undefined
  has(key: Key): boolean
  set(key: Key, value: Value): unknown
  delete(key: Key): boolean
  values(): Iterable<Value>
  [Symbol.iterator](): Iterator<[Key, Value]>
}

/** A table with more changes than this is copied as a whole. */
const MAX_CHANGES = 100

/** Returns a copy of a table. It costs only as much as the entries set since the last copy. The original must not be changed any more. */
export function layered<Key, Value>(table: Table<Key, Value>): Table<Key, Value> {
  if (!(table instanceof Layered)) return new Layered<Key, Value>(table, new Map())
  const { below, own }: Layered<Key, Value> = table
  return own.size > MAX_CHANGES ? new Layered<Key, Value>(new Map(table), new Map()) : new Layered(below, new Map(own))
}

class Layered<Key, Value> implements Table<Key, Value> {
  readonly below: Table<Key, Value>
  /** Null for a deleted entry. */
  readonly own: Map<Key, { readonly value: Value } | null>

  constructor(below: Table<Key, Value>, own: Map<Key, { readonly value: Value } | null>) {
    this.below = below
    this.own = own
  }

  get(key: Key): Value | undefined {
    const own = this.own.get(key)
    return own === undefined ? this.below.get(key) : own?.value
  }

  has(key: Key): boolean {
    const own = this.own.get(key)
    return own === undefined ? this.below.has(key) : own !== null
  }

  set(key: Key, value: Value): void {
    this.own.set(key, { value })
  }

  delete(key: Key): boolean {
    const had = this.has(key)
    if (had) this.own.set(key, null)
    return had
  }

  *values(): Generator<Value> {
    for (const [, value] of this) yield value
  }

  /** In the order of the lower table, followed by new entries in insertion order. */
  *[Symbol.iterator](): Generator<[Key, Value]> {
    for (const entry of this.below) {
      const own = this.own.get(entry[0])
      if (own === undefined) yield entry
      else if (own !== null) yield [entry[0], own.value]
    }
    for (const [key, own] of this.own) if (own !== null && !this.below.has(key)) yield [key, own.value]
  }
}
