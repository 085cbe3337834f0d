/** Sorts a list by its elements, or by a property of them. */
import { compareText } from '../../values/compare.ts'
import { chargeSort } from '../../values/meter.ts'
import { compareItems } from '../../values/compare.ts'
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
  const keyed: Keyed[] = []
  for (const item of list) keyed.push({ item, key: readProperty(item, name) })
  const numbers = order === compareItems && keyed.every(hasFiniteKey)
  keyed.sort(numbers ? compareNumbers : (a, b) => order(a.key, b.key))
  return keyed.map(({ item }) => item)
}

interface Keyed {
  readonly item: unknown
  readonly key: unknown
}

function hasFiniteKey({ key }: Keyed): boolean {
  return typeof key === 'number' && key - key === 0
}

/** Compares keys that are finite numbers. */
function compareNumbers({ key: a }: Keyed, { key: b }: Keyed): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : 0
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
