/** Helpers for maps that are filled step by step. */

/** A map or a `WeakMap`, or another table with the same methods. */
interface Table<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** Returns the value of a key. Without one, it is made and kept. */
export function getOrMake<Key, Value>(table: Table<Key, Value>, key: Key, make: () => Value): Value {
  let value = table.get(key)
  if (value === undefined) {
    value = make()
    table.set(key, value)
  }
  return value
}

/** Adds a value to the list of a key. */
export function addTo<Key, Value>(lists: Table<Key, Value[]>, key: Key, value: Value): void {
  getOrMake(lists, key, () => []).push(value)
}

/** Returns lists of the values with the same key, in their order. */
export function groupBy<Key, Value>(values: Iterable<Value>, keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) addTo(groups, keyOf(value), value)
  return groups
}
