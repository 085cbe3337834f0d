/** Converts values to lists, for array filters and `for`. */
import { entries, isHash } from './hash.ts'
import { hosted } from './host-values.ts'
import { MAX_ITEMS, tooDeep, tooMany } from './value-limits.ts'
import { Range, rangeItems } from './range.ts'
import { BoxedText } from './boxed.ts'
import { chargeItems } from './meter.ts'

/** An empty list. */
export const NO_ITEMS: readonly unknown[] = Object.freeze([])

/**
 * Returns the elements for an array filter: no element for nil, and one element for any other single value. Ranges are expanded and arrays
 * are flattened completely. The result may be the array itself, so it must not be changed.
 * @throws ArgumentFault, LimitFault for arrays nested without end
 */
export function items(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return isFlat(value) ? value : flatten(value)
  if (value === null || value === undefined) return NO_ITEMS
  if (value instanceof Range) return rangeItems(value)
  const viewed = hosted(value)
  return Object.is(viewed, value) ? [value] : items(viewed)
}

function isFlat(list: readonly unknown[]): boolean {
  chargeItems(list.length)
  for (let index = 0; index < list.length; index++) {
    const item = list[index]
    if (typeof item === 'object' && Array.isArray(item)) return false
  }
  return true
}

/**
 * Returns all elements of an array and its nested arrays, as a new array.
 * @throws ArgumentFault, LimitFault as `items`
 */
export function flatten(list: readonly unknown[]): unknown[] {
  const flat: unknown[] = []
  const visits = { count: 0 }
  flattenInto(flat, list, 0, visits)
  chargeItems(visits.count)
  return flat
}

const FLATTEN_DEPTH = 1000

function flattenInto(flat: unknown[], list: readonly unknown[], depth: number, visits: { count: number }): void {
  if (depth > FLATTEN_DEPTH) throw tooDeep()
  visits.count += list.length + 1
  if (visits.count > MAX_ITEMS) throw tooMany()
  for (const item of list) {
    if (Array.isArray(item)) flattenInto(flat, item, depth + 1, visits)
    else flat.push(item)
  }
}

/**
 * Returns the elements for a loop: those of an array, the pairs of a hash, the integers of a range, a non-empty text
 * as one element. The result may be the array itself, so it must not be changed.
 * @throws LimitFault for a range with too many elements
 */
export function iterate(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : iterateSlow(value)
}

function iterateSlow(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return NO_ITEMS
  if (typeof value === 'string') return value === '' ? NO_ITEMS : [value]
  if (value instanceof Range) return rangeItems(value)
  if (value instanceof BoxedText) return value.$text === '' ? NO_ITEMS : [value]
  if (isHash(value)) return entries(value)
  const viewed = hosted(value)
  return Object.is(viewed, value) ? NO_ITEMS : iterate(viewed)
}
