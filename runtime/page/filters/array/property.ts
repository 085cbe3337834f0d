/** Reads properties of elements as the array filters of the reference do. */
import { ArgumentFault } from '../../fault.ts'
import { at, isHash } from '../../values/access.ts'
import { hosted } from '../../values/host.ts'
import { eq } from '../../values/compare.ts'
import { isInteger, isNumber, toNumber } from '../../values/number.ts'
import { Range } from '../../values/range.ts'
import { BoxedText, isText } from '../../values/boxed.ts'
import { internedKey } from '../../values/hash.ts'
import { Self } from '../../values/self.ts'
import { characterSlice, characters, inspected, str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { chargeText, chargeReads } from '../../values/meter.ts'

/**
 * Returned for an element that has no properties (nil, a boolean, a float): it ends the whole search, as in the
 * reference.
 */
export const NO_PROPERTIES: unique symbol = Symbol('no properties')

/** The name of a property that is read from many elements. */
export function nameOf(name: unknown): unknown {
  const text = name instanceof BoxedText ? name.$text : name
  return typeof text === 'string' ? internedKey(text) : name
}

/**
 * The property of an element: a key of a hash, a substring of a text, a bit of an integer.
 * @throws ArgumentFault
 */
export function property(element: unknown, name: unknown): unknown {
  const item = hosted(element)
  if (isHash(item)) {
    const key = typeof name === 'string' ? name : name instanceof BoxedText ? name.$text : null
    return key !== null && Object.hasOwn(item, key) ? item[key] : null
  }
  if (typeof item === 'string') return partOf(item, name)
  if (item instanceof BoxedText) return partOf(item.$text, name)
  if (isInteger(item)) return bitOf(item, name)
  if (item instanceof Self) return at(item, name)
  return NO_PROPERTIES
}

/** Whether an element has properties at all; what has none ends most searches. */
export function hasProperties(element: unknown): boolean {
  const item = hosted(element)
  return isHash(item) || isText(item) || isInteger(item) || item instanceof Self
}

/** A number as an index, without its fraction; null for what is no finite number. */
function indexOf(name: unknown): number | null {
  const index = isNumber(name) ? Math.trunc(toNumber(name)) : Number.NaN
  return Number.isFinite(index) ? index : null
}

/** Indexing a text returns the substring: `"cat"["a"]` is `"a"`; a number selects a character. */
function partOf(text: string, name: unknown): unknown {
  chargeText(text.length)
  if (typeof name === 'string') return text.includes(name) ? name : null
  if (name instanceof BoxedText) return text.includes(name.$text) ? name.$text : null
  const at = indexOf(name)
  if (at !== null) {
    const index = at < 0 ? characters(text) + at : at
    const found = index < 0 ? '' : characterSlice(text, index, index + 1)
    return found === '' ? null : found
  }
  if (name instanceof Range) return null
  throw cannotSelect(name)
}

function bitOf(n: number | bigint, name: unknown): unknown {
  const at = indexOf(name)
  if (at === null) throw cannotSelect(name)
  if (at < 0) return 0
  return at > 100_000 ? (n < 0 ? 1 : 0) : Number((BigInt(n) >> BigInt(at)) & 1n)
}

export function cannotSelect(name: unknown): ArgumentFault {
  return new ArgumentFault(`cannot select the property '${str(inspected(name))}'`)
}

/**
 * Index of the first element from `from` whose property equals the target, or is true when the target is nil; -1 when
 * there is none; null when an element without properties comes first. @throws ArgumentFault
 */
export function matchIndex(list: readonly unknown[], name: unknown, target: unknown, from = 0): number | null {
  chargeReads(list.length - from)
  const key = nameOf(name)
  for (let index = from; index < list.length; index++) {
    const found = property(list[index], key)
    if (found === NO_PROPERTIES) return null
    if (target === null || target === undefined ? truthy(found) : eq(found, target)) return index
  }
  return -1
}

/** The elements that match, or with `wanted` false those that do not; null as `matchIndex`. @throws ArgumentFault */
export function matching(
  list: readonly unknown[],
  name: unknown,
  target: unknown,
  wanted: boolean,
): readonly unknown[] | null {
  const kept: unknown[] = []
  chargeReads(list.length)
  const key = nameOf(name)
  for (const item of list) {
    const found = property(item, key)
    if (found === NO_PROPERTIES) return null
    if ((target === null || target === undefined ? truthy(found) : eq(found, target)) === wanted) kept.push(item)
  }
  return kept
}
