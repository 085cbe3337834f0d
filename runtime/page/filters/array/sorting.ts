/** Sorts a list by its elements, or by a property of them. */
import { compareText } from '../../values/compare.ts'
import { chargeSort } from '../../values/meter.ts'
import { hasProperties, nameOf, property as propertyOf } from './property.ts'

/** A sorted copy, by the order of the elements or of one property of them. @throws ArgumentFault for an integer element */
export function sortBy(
  list: readonly unknown[],
  property: unknown,
  order: (a: unknown, b: unknown) => number,
): readonly unknown[] | null {
  chargeSort(list.length)
  // `undefined` becomes null, because JavaScript would sort holes and undefined last without calling `order`.
  if (property === null || property === undefined) return list.map((item) => item ?? null).sort(order)
  if (!list.every(hasProperties)) return null
  // A single element is returned without reading its property.
  if (list.length === 1) return list
  const name = nameOf(property)
  const keyed = list.map((item) => ({ item, key: propertyOf(item, name) }))
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item)
}

/**
 * An order of texts without regard to case; nil comes last.
 * @param textOf the text of an element that is not nil
 */
export function foldedOrder(textOf: (v: unknown) => string): (a: unknown, b: unknown) => number {
  // Only ASCII letters are folded, as in the reference.
  const folded = (v: unknown): string => textOf(v).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return (a, b) => {
    if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1
    if (b === null || b === undefined) return -1
    return compareText(folded(a), folded(b))
  }
}
