/** Collections of facts that are kept as long as a site is known: of thousands most are empty, and each would hold its own table. */

const NO_ENTRIES: ReadonlyMap<never, never> = new Map<never, never>()
const NO_ITEMS: ReadonlySet<never> = new Set<never>()

/** The map, which nobody changes any more: one for all that are empty. */
export function keptMap<Key, Value>(map: ReadonlyMap<Key, Value>): ReadonlyMap<Key, Value> {
  return map.size === 0 ? (NO_ENTRIES as ReadonlyMap<unknown, unknown> as ReadonlyMap<Key, Value>) : map
}

/** The set, which nobody changes any more: one for all that are empty. */
export function keptSet<Item>(set: ReadonlySet<Item>): ReadonlySet<Item> {
  return set.size === 0 ? (NO_ITEMS as ReadonlySet<unknown> as ReadonlySet<Item>) : set
}
