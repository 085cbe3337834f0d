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
export function items(v: unknown): readonly unknown[] {
  if (Array.isArray(v)) return isFlat(v) ? v : flatten(v)
  if (v === null || v === undefined) return NO_ITEMS
  if (v instanceof Range) return rangeItems(v)
  const viewed = hosted(v)
  return Object.is(viewed, v) ? [v] : items(viewed)
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
export function iterate(v: unknown): readonly unknown[] {
  return Array.isArray(v) ? v : iterateSlow(v)
}

function iterateSlow(v: unknown): readonly unknown[] {
  if (v === null || v === undefined) return NO_ITEMS
  if (typeof v === 'string') return v === '' ? NO_ITEMS : [v]
  if (v instanceof Range) return rangeItems(v)
  if (v instanceof BoxedText) return v.$text === '' ? NO_ITEMS : [v]
  if (isHash(v)) return entries(v)
  const viewed = hosted(v)
  return Object.is(viewed, v) ? NO_ITEMS : iterate(viewed)
}
