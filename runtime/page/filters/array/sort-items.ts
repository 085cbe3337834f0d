/** Sorts a list by its elements, or by a property of them. */
import { compareText } from '../../values/compare.ts'
import { chargeSort } from '../../values/meter.ts'
import { hasProperties, toPropertyName, readProperty } from './property.ts'

/** Returns a copy sorted by the elements, or by one property of them. @throws ArgumentFault for an integer element */
export function sortBy(
  list: readonly unknown[],
  property: unknown,
  order: (a: unknown, b: unknown) => number,
): readonly unknown[] | null {
  chargeSort(list.length)
  // JavaScript sorts `undefined` and holes last without calling `order`, so they are replaced by null.
  if (property === null || property === undefined) return list.map((item) => item ?? null).sort(order)
  if (!list.every(hasProperties)) return null
  // A single element is returned without reading its property.
  if (list.length === 1) return list
  const name = toPropertyName(property)
  const keyed = list.map((item) => ({ item, key: readProperty(item, name) }))
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item)
}

/**
 * Returns an order of texts that ignores case. Nil comes last.
 * @param toText returns the text of an element that is not nil
 */
export function createCaseInsensitiveOrder(toText: (value: unknown) => string): (a: unknown, b: unknown) => number {
  // Only ASCII letters are folded, as in the reference.
  const foldCase = (value: unknown): string => toText(value).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return (a, b) => {
    if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1
    if (b === null || b === undefined) return -1
    return compareText(foldCase(a), foldCase(b))
  }
}
