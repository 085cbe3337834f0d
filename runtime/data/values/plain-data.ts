/** Converts template values to plain JSON data, for the variables of queries. */
import { Boxed } from '../../page/values/boxed.ts'
import { entries, isHash } from '../../page/values/hash.ts'
import { Float, isNumber, toNumber } from '../../page/values/number.ts'
import { Moment, formatMomentJson } from '../../page/values/moment.ts'
import { Range, rangeItems, rangeSize } from '../../page/values/range.ts'
import { str } from '../../page/values/text.ts'

/** The maximum depth of a query's input, and the maximum number of values in it. */
const DEPTH = 64
const NODES = 1_000_000

/** Thrown when the input of a query is nested too deep or contains too many values. */
export class DataTooLarge extends Error {}

/**
 * Copies template values as plain JSON data. Only own keys are copied. Floats are unboxed, times become ISO 8601, and other template values
 * become their text.
 * @param keepsFloats whether whole floats stay boxed, because their text may be needed: `2.0`
 * @throws DataTooLarge
 */
export function toPlainData(value: unknown, keepsFloats = false): unknown {
  let nodes = 0
  const toPlain = (part: unknown, depth: number): unknown => {
    if (++nodes > NODES) throw new DataTooLarge(`the values contain more than ${NODES} parts`)
    if (depth > DEPTH) throw new DataTooLarge(`the values are nested deeper than ${DEPTH} levels`)
    if (part === null || part === undefined || typeof part === 'boolean' || typeof part === 'string')
      return part ?? null
    if (part instanceof Float && keepsFloats) return part
    if (isNumber(part)) return typeof part === 'bigint' ? part : toNumber(part)
    if (Array.isArray(part)) return part.map((item) => toPlain(item, depth + 1))
    if (part instanceof Range) {
      if (rangeSize(part) > NODES) throw new DataTooLarge(`a range contains more than ${NODES} numbers`)
      return toPlain(rangeItems(part), depth)
    }
    if (part instanceof Moment) return formatMomentJson(part)
    if (part instanceof Boxed || !isHash(part)) return str(part)
    const copy: Record<string, unknown> = Object.create(null)
    for (const [key, item] of entries(part)) copy[key] = toPlain(item, depth + 1)
    return copy
  }
  return toPlain(value, 0)
}
