/** Equality, order and `contains`. No value is converted: a text never equals a number, and comparing their order is an error. */
import { ArgumentFault } from '../fault.ts'
import { type HashValue, isHash } from './hash.ts'
import { hosted, toView } from './host-values.ts'
import { MAX_ITEMS, tooDeep, tooMany } from './value-limits.ts'
import { Moment } from './moment.ts'
import { compareNumbers, isNumber, numberText } from './number.ts'
import { Range, rangeIncludes } from './range.ts'
import { BoxedText, isText } from './boxed.ts'
import { str } from './text.ts'
import { isBlank, isEmpty } from './truth.ts'
import { SHORT, chargeText, chargeReads } from './meter.ts'
import { TEXT_OF, TextualHash } from './textual-hash.ts'

/**
 * `==`: returns whether two values are equal.
 * @throws ArgumentFault, LimitFault for values nested without end
 */
export function eq(a: unknown, b: unknown): boolean {
  return a === b || eqDistinct(a, b)
}

/** `==` with a text: returns whether a value is this text, or an object that represents it. */
export function eqText(value: unknown, text: string): boolean {
  return value === text || (typeof value === 'object' && equalsText(value, text))
}

function equalsText(value: object | null, text: string): boolean {
  return eqSlow(value, text, 0, null)
}

/** Compares values that are not identical. */
function eqDistinct(a: unknown, b: unknown): boolean {
  const type = typeof a
  return type === typeof b && type !== 'object' && type !== 'bigint' ? false : eqSlow(a, b, 0, null)
}

/** Maximum nesting that equality compares. Deeper data is an error. */
const EQUAL_DEPTH = 200

function eqSlow(a: unknown, b: unknown, depth: number, visits: { count: number } | null): boolean {
  if (a === b || (isNil(a) && isNil(b))) return true
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0
  if (a instanceof TextualHash && isText(b)) return a[TEXT_OF]() === str(b)
  if (b instanceof TextualHash && isText(a)) return b[TEXT_OF]() === str(a)
  if (a instanceof BoxedText) return (b instanceof BoxedText ? b.$text : b) === a.$text
  if (b instanceof BoxedText) return a === b.$text
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  return eqObjects(a, b, depth, visits ?? { count: 0 })
}

function isNil(value: unknown): boolean {
  return value === null || value === undefined
}

function eqObjects(a: object, b: object, depth: number, visits: { count: number }): boolean {
  if (depth > EQUAL_DEPTH) throw tooDeep()
  if (++visits.count > MAX_ITEMS) throw tooMany()
  if (Array.isArray(a)) return Array.isArray(b) && eqArrays(a, b, depth, visits)
  if (isHash(a) && isHash(b)) return eqHashes(a, b, depth, visits)
  if (a instanceof Range) return b instanceof Range && a.$first === b.$first && a.$last === b.$last
  if (a instanceof Moment && b instanceof Moment) return compareMoments(a, b) === 0
  const [one, other] = [toView(a), toView(b)]
  return (one !== a || other !== b) && eqSlow(one, other, depth + 1, visits)
}

function eqArrays(a: readonly unknown[], b: readonly unknown[], depth: number, visits: { count: number }): boolean {
  chargeReads(a.length)
  return a.length === b.length && a.every((item, index) => eqSlow(item, b[index], depth + 1, visits))
}

function eqHashes(a: HashValue, b: HashValue, depth: number, visits: { count: number }): boolean {
  const names = Object.keys(a)
  chargeReads(names.length)
  if (!hasSize(b, names.length)) return false
  return names.every((key) => Object.hasOwn(b, key) && eqSlow(a[key], b[key], depth + 1, visits))
}

/**
 * Checks whether a hash has `size` keys. It stops at the first extra key, because many small hashes may be compared
 * with a large one.
 */
function hasSize(hash: HashValue, size: number): boolean {
  let count = 0
  for (const _ in hash) if (++count > size) return false
  return count === size
}

function compareMoments(a: Moment, b: Moment): number {
  return a.$seconds - b.$seconds || a.$nanos - b.$nanos
}

/** `x == blank`: returns whether a value is blank. */
export function eqBlank(value: unknown): boolean {
  return isBlank(value)
}

/** `x == empty`: returns whether a value is empty. */
export function eqEmpty(value: unknown): boolean {
  return isEmpty(value)
}

/**
 * `<`: returns whether the first operand is less than the second.
 * @throws ArgumentFault for a number with text
 */
export function lt(a: unknown, b: unknown): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a < b : ltSlow(a, b)
}

function ltSlow(a: unknown, b: unknown): boolean {
  return compareOperands(a, b) < 0
}

/**
 * `>`: returns whether the first operand is greater than the second.
 * @throws ArgumentFault for a number with text
 */
export function gt(a: unknown, b: unknown): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a > b : gtSlow(a, b)
}

function gtSlow(a: unknown, b: unknown): boolean {
  return compareOperands(a, b) > 0
}

/**
 * `<=`: returns whether the first operand is less than the second, or equal.
 * @throws ArgumentFault for a number with text
 */
export function le(a: unknown, b: unknown): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a <= b : leSlow(a, b)
}

function leSlow(a: unknown, b: unknown): boolean {
  return compareOperands(a, b) <= 0
}

/**
 * `>=`: returns whether the first operand is greater than the second, or equal.
 * @throws ArgumentFault for a number with text
 */
export function ge(a: unknown, b: unknown): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a >= b : geSlow(a, b)
}

function geSlow(a: unknown, b: unknown): boolean {
  return compareOperands(a, b) >= 0
}

/** Returns the order of two operands; NaN when they have no order. Every comparison with NaN is false. */
function compareOperands(left: unknown, right: unknown): number {
  const a = left instanceof BoxedText ? left.$text : hosted(left)
  const b = right instanceof BoxedText ? right.$text : hosted(right)
  if (typeof a === 'string') {
    if (typeof b === 'string') return compareText(a, b)
    if (isNumber(b)) throw new ArgumentFault(`comparison of String with ${operandName(b)} failed`)
  } else if (isNumber(a)) {
    if (isNumber(b)) return compareNumbers(a, b)
    if (typeof b === 'string') throw new ArgumentFault(`comparison of ${numberName(a)} with String failed`)
  } else if (a instanceof Moment && b instanceof Moment) return compareMoments(a, b)
  return Number.NaN
}

function numberName(n: unknown): string {
  return typeof n === 'bigint' || Number.isSafeInteger(n) ? 'Integer' : 'Float'
}

/** Describes an operand for error messages. As in the reference, small numbers are printed. */
function operandName(n: unknown): string {
  return typeof n !== 'bigint' && isNumber(n) ? numberText(n) : 'Integer'
}

/** Returns the order of two texts by code point, which is the order of their UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  chargeText(length)
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index)
    const y = b.charCodeAt(index)
    if (x !== y) {
      // Surrogates encode characters that are greater than all characters of a single unit.
      const surrogates = Number(x >= 0xd800 && x < 0xe000) - Number(y >= 0xd800 && y < 0xe000)
      return surrogates !== 0 && x >= 0xd800 && y >= 0xd800 ? surrogates : x - y
    }
  }
  return a.length - b.length
}

/**
 * `contains`: searches for a substring, an element of an array, a key of a hash, or a number in a range.
 * @throws ArgumentFault, LimitFault as `eq`
 */
export function contains(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' ? includes(a, b) : containsSlow(a, b)
}

function includes(text: string, part: string): boolean {
  if (text.length > SHORT) chargeText(text.length)
  return text.includes(part)
}

function containsSlow(a: unknown, b: unknown): boolean {
  if (b === null || b === undefined || b === false) return false
  if (Array.isArray(a)) return listIncludes(a, b)
  if (typeof a === 'string') return includes(a, str(b))
  if (a instanceof BoxedText) return includes(a.$text, str(b))
  if (a instanceof Range) return rangeIncludes(a, b)
  if (a instanceof TextualHash) return a[TEXT_OF]().includes(str(b))
  if (!isHash(a)) return false
  return typeof b === 'string' ? Object.hasOwn(a, b) : b instanceof BoxedText && Object.hasOwn(a, b.$text)
}

/** Checks whether an array has an element that equals the value. */
export function listIncludes(list: readonly unknown[], value: unknown): boolean {
  chargeReads(list.length)
  if (typeof value === 'string') return listIncludesText(list, value)
  for (let index = 0; index < list.length; index++) if (eq(list[index], value)) return true
  return false
}

function listIncludesText(list: readonly unknown[], text: string): boolean {
  for (let index = 0; index < list.length; index++) {
    const item = list[index]
    if (item === text || (typeof item === 'object' && eq(item, text))) return true
  }
  return false
}

/**
 * Returns the order of two elements for `sort`. Nil comes last.
 * @throws ArgumentFault for elements that have no order
 */
export function compareItems(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a < b) return -1
    if (a > b) return 1
    if (a === b) return 0
  }
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  const orderOfItems = sortOrder(a, b)
  if (!Number.isNaN(orderOfItems)) return orderOfItems
  if (isNil(a)) return isNil(b) ? 0 : 1
  if (isNil(b)) return -1
  throw new ArgumentFault('cannot sort values of incompatible types')
}

function sortOrder(left: unknown, right: unknown): number {
  const a = left instanceof BoxedText ? left.$text : left
  const b = right instanceof BoxedText ? right.$text : right
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b)
  if (a instanceof Moment && b instanceof Moment) return compareMoments(a, b)
  if (Array.isArray(a) && Array.isArray(b)) return compareArrays(a, b)
  // Values that have no order may still be equal.
  return eq(a, b) ? 0 : Number.NaN
}

function compareArrays(a: readonly unknown[], b: readonly unknown[]): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const orderOfElements =
      isNil(a[index]) || isNil(b[index]) ? (eq(a[index], b[index]) ? 0 : Number.NaN) : sortOrder(a[index], b[index])
    if (orderOfElements !== 0) return orderOfElements
  }
  return a.length - b.length
}
