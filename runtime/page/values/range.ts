/** Ranges `(a..b)`: two bounds, expanded to a list only on demand and up to a limit. */
import { ArgumentFault, LimitFault } from '../fault.ts'
import { Boxed, BoxedText } from './boxed.ts'
import { Float, isInteger, leadingInteger } from './number.ts'
import { chargeItems } from './meter.ts'

/** A range. Both bounds are inclusive. A descending range is empty, but prints as written. */
export class Range extends Boxed {
  readonly $first: number | bigint
  readonly $last: number | bigint
  constructor(first: number | bigint, last: number | bigint) {
    super()
    this.$first = first
    this.$last = last
  }
}

/** Maximum number of integers in a list. */
const MAX_RANGE = 10_000_000

/**
 * Creates a range.
 * @throws ArgumentFault `invalid integer` for a float, a boolean, a hash …
 */
export function range(from: unknown, to: unknown): Range {
  return new Range(toBound(from), toBound(to))
}

function toBound(value: unknown): number | bigint {
  if (isInteger(value)) return value
  if (value === null || value === undefined) return 0
  if (typeof value === 'string') return leadingInteger(value)
  if (value instanceof BoxedText) return leadingInteger(value.$text)
  throw new ArgumentFault('invalid integer')
}

/** Returns the number of integers in a range. */
export function rangeSize(r: Range): number {
  if (typeof r.$first === 'number' && typeof r.$last === 'number') return Math.max(0, r.$last - r.$first + 1)
  const size = BigInt(r.$last) - BigInt(r.$first) + 1n
  return size < 0n ? 0 : Number(size)
}

/** Returns the integers of a range. @throws LimitFault beyond ten million */
export function rangeItems(r: Range): (number | bigint)[] {
  const size = rangeSize(r)
  if (size > MAX_RANGE) throw new LimitFault(`a range of more than ${MAX_RANGE} integers`, 'steps')
  chargeItems(size)
  const { $first: first } = r
  if (typeof first === 'number' && typeof r.$last === 'number') {
    const list = new Array<number>(size)
    for (let index = 0; index < size; index++) list[index] = first + index
    return list
  }
  const start = BigInt(first)
  return Array.from({ length: size }, (_, index) => {
    const n = start + BigInt(index)
    return n >= -9007199254740991n && n <= 9007199254740991n ? Number(n) : n
  })
}

/** Checks whether the range includes a number, for `contains`. */
export function rangeIncludes(r: Range, value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'bigint') return value >= r.$first && value <= r.$last
  return value instanceof Float && value.$value >= r.$first && value.$value <= r.$last
}
