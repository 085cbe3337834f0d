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

/** Maximum number of changes on top of a table. A table with more changes is copied completely. */
const MAX_CHANGES = 100

/** Returns a copy of a table. Its cost depends only on the recent changes. The original must not be changed any more. */
export function layered<Key, Value>(table: Table<Key, Value>): Table<Key, Value> {
  if (!(table instanceof Layered)) return new Layered<Key, Value>(table, new Map())
  const { base: below, changes: own }: Layered<Key, Value> = table
  return own.size > MAX_CHANGES ? new Layered<Key, Value>(new Map(table), new Map()) : new Layered(below, new Map(own))
}

class Layered<Key, Value> implements Table<Key, Value> {
  readonly base: Table<Key, Value>
  /** Changed entries; null for a deleted entry. */
  readonly changes: Map<Key, { readonly value: Value } | null>

  constructor(below: Table<Key, Value>, own: Map<Key, { readonly value: Value } | null>) {
    this.base = below
    this.changes = own
  }

  get(key: Key): Value | undefined {
    const change = this.changes.get(key)
    return change === undefined ? this.base.get(key) : change?.value
  }

  has(key: Key): boolean {
    const change = this.changes.get(key)
    return change === undefined ? this.base.has(key) : change !== null
  }

  set(key: Key, value: Value): void {
    this.changes.set(key, { value })
  }

  delete(key: Key): boolean {
    const existed = this.has(key)
    if (existed) this.changes.set(key, null)
    return existed
  }

  *values(): Generator<Value> {
    for (const [, value] of this) yield value
  }

  /** In the order of the lower table, followed by new entries in insertion order. */
  *[Symbol.iterator](): Generator<[Key, Value]> {
    for (const entry of this.base) {
      const change = this.changes.get(entry[0])
      if (change === undefined) yield entry
      else if (change !== null) yield [entry[0], change.value]
    }
    for (const [key, own] of this.changes) if (own !== null && !this.base.has(key)) yield [key, own.value]
  }
}
