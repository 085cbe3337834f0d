/** Sorting a list by its elements, or by one property of them. */
import { NO_PROPERTIES, nameOf, property as propertyOf } from './property.ts'

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
  const name = nameOf(property)
  const keyed = list.map((item) => ({ item, key: propertyOf(item, name) }))
  if (keyed.some(({ key }) => key === NO_PROPERTIES)) return null
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item)
}
