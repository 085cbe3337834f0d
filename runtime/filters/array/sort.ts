/** `sort`: a list in ascending order. */
import { compareItems } from '../../values/compare.ts'
import { items } from '../../values/items.ts'
import type { List, Value } from '../types.ts'
import { NO_PROPERTIES, property as propertyOf } from './property.ts'

/**
 * The elements in ascending order, by a property when one is named; nil comes last. nil when an element has no properties.
 * @throws ArgumentFault `cannot sort values of incompatible types`
 */
export function sort(input: List, property: Value = null): readonly unknown[] | null {
  return sortBy(items(input), property, compareItems)
}

/** A sorted copy, by the order of the elements or of one property of them. @throws ArgumentFault for an integer element */
export function sortBy(
  list: readonly unknown[],
  property: unknown,
  order: (a: unknown, b: unknown) => number,
): readonly unknown[] | null {
  // JavaScript would put holes and undefined last without asking.
  if (property === null || property === undefined) return list.map((item) => item ?? null).sort(order)
  // An order of one element needs no property.
  if (list.length === 1) return list[0] === null || list[0] === undefined ? null : list
  const keyed = list.map((item) => ({ item, key: propertyOf(item, property) }))
  if (keyed.some(({ key }) => key === NO_PROPERTIES)) return null
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item)
}
