/** Sorts a list by its elements, or by a property of them. */
import { compareText } from '../../values/compare.ts'
import { chargeSort } from '../../values/meter.ts'
import { compareItems } from '../../values/compare.ts'
import { isPlainFields } from '../../values/fields.ts'
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
  if (list.length === 1) return hasProperties(list[0]) ? list : null
  const keys = readKeys(list, property)
  if (keys === null) return null
  const sorted = order === compareItems ? sortByIntegers(list, keys) : null
  if (sorted !== null) return sorted
  const keyed = list.map((item, index) => ({ item, key: keys[index] }))
  const areNumbers = order === compareItems && keys.every(isFiniteNumber)
  keyed.sort(areNumbers ? compareNumbers : (a, b) => order(a.key, b.key))
  return keyed.map(({ item }) => item)
}

interface Keyed {
  readonly item: unknown
  readonly key: unknown
}

function isFiniteNumber(key: unknown): boolean {
  return typeof key === 'number' && Number.isFinite(key)
}

/** Compares keys that are finite numbers. */
function compareNumbers({ key: a }: Keyed, { key: b }: Keyed): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : 0
}

/** Returns the property of each element; null when an element has no properties. @throws ArgumentFault for an integer element */
function readKeys(list: readonly unknown[], property: unknown): readonly unknown[] | null {
  const name = toPropertyName(property)
  const keys: unknown[] = []
  let isChecked = false
  for (const item of list) {
    // An element without properties is found before any element is a fault, so all of them are checked first.
    if (!isChecked && !isPlainFields(item)) {
      if (!list.every(hasProperties)) return null
      isChecked = true
    }
    keys.push(readProperty(item, name))
  }
  return keys
}

/** The largest product of a key and the number of elements. Sums and quotients below it are exact. */
const MAX_PACKED = 2 ** 51

/**
 * Sorts by keys that are all integers; returns null for other keys, and for very large ones. A key and its index are packed into one
 * number, because numbers are sorted several times faster than objects. The index keeps the order of equal keys.
 */
function sortByIntegers(list: readonly unknown[], keys: readonly unknown[]): readonly unknown[] | null {
  const count = list.length
  const limit = MAX_PACKED / count
  const packed = new Float64Array(count)
  for (let index = 0; index < count; index++) {
    const key = keys[index]
    if (typeof key !== 'number' || !Number.isInteger(key) || key > limit || key < -limit) return null
    packed[index] = key * count + index
  }
  packed.sort()
  const sorted: unknown[] = []
  for (const number of packed) sorted.push(list[number - Math.floor(number / count) * count])
  return sorted
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
