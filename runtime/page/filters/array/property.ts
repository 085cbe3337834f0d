/** Reads properties of elements as the array filters of the reference do. */
import { ArgumentFault } from '../../fault.ts'
import { at, isHash } from '../../values/access.ts'
import { type Fields, isPlainFields } from '../../values/fields.ts'
import { hosted } from '../../values/host-values.ts'
import { eq } from '../../values/compare.ts'
import { isInteger, isNumber, toNumber } from '../../values/number.ts'
import { Range } from '../../values/range.ts'
import { BoxedText, isText } from '../../values/boxed.ts'
import { internKey } from '../../values/hash.ts'
import { Self } from '../../values/self.ts'
import { sliceCharacters, countCharacters, inspected, str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { chargeText, chargeReads } from '../../values/meter.ts'

/**
 * The result of reading a property of an element that has no properties (nil, a boolean, a float). As in the reference, it ends the whole
 * search.
 */
export const NO_PROPERTIES: unique symbol = Symbol('no properties')

/** Prepares the name of a property that is read from many elements. */
export function toPropertyName(name: unknown): unknown {
  const text = name instanceof BoxedText ? name.$text : name
  return typeof text === 'string' ? internKey(text) : name
}

/**
 * Reads the property of an element: a key of a hash, a substring of a text, a bit of an integer.
 * @throws ArgumentFault
 */
export function readProperty(element: unknown, name: unknown): unknown {
  if (typeof name === 'string' && isPlainFields(element)) return readKey(element, name)
  const item = hosted(element)
  if (isHash(item)) {
    const key = typeof name === 'string' ? name : name instanceof BoxedText ? name.$text : null
    return key !== null && Object.hasOwn(item, key) ? item[key] : null
  }
  if (typeof item === 'string') return readFromText(item, name)
  if (item instanceof BoxedText) return readFromText(item.$text, name)
  if (isInteger(item)) return readBit(item, name)
  if (item instanceof Self) return at(item, name)
  return NO_PROPERTIES
}

/** Reads a key of a plain object. */
export function readKey(item: Fields, key: string): unknown {
  const value = item[key]
  // The prototype of plain objects has only functions and `__proto__`.
  if (value !== undefined && typeof value !== 'function' && key !== '__proto__') return value
  return Object.hasOwn(item, key) ? value : null
}

/** Checks whether an element can have properties. An element without properties ends most searches. */
export function hasProperties(element: unknown): boolean {
  if (isPlainFields(element)) return true
  const item = hosted(element)
  return isHash(item) || isText(item) || isInteger(item) || item instanceof Self
}

/** Converts a number to an index, without its fraction; null for values that are not finite numbers. */
function toIndex(name: unknown): number | null {
  const index = isNumber(name) ? Math.trunc(toNumber(name)) : Number.NaN
  return Number.isFinite(index) ? index : null
}

/** Indexes a text: by a text returns that substring (`"cat"["a"]` is `"a"`), by a number returns a character. */
function readFromText(text: string, name: unknown): unknown {
  chargeText(text.length)
  if (typeof name === 'string') return text.includes(name) ? name : null
  if (name instanceof BoxedText) return text.includes(name.$text) ? name.$text : null
  const at = toIndex(name)
  if (at !== null) {
    const index = at < 0 ? countCharacters(text) + at : at
    const character = index < 0 ? '' : sliceCharacters(text, index, index + 1)
    return character === '' ? null : character
  }
  if (name instanceof Range) return null
  throw cannotSelect(name)
}

function readBit(n: number | bigint, name: unknown): unknown {
  const at = toIndex(name)
  if (at === null) throw cannotSelect(name)
  if (at < 0) return 0
  return at > 100_000 ? (n < 0 ? 1 : 0) : Number((BigInt(n) >> BigInt(at)) & 1n)
}

function cannotSelect(name: unknown): ArgumentFault {
  return new ArgumentFault(`cannot select the property '${str(inspected(name))}'`)
}

/**
 * Returns the index of the first element from `from` whose property equals the target, or is true when the target is nil. Returns -1 when
 * there is no such element, and null when an element without properties comes before it.
 * @throws ArgumentFault
 */
export function matchIndex(list: readonly unknown[], name: unknown, target: unknown, from = 0): number | null {
  chargeReads(list.length - from)
  const key = toPropertyName(name)
  for (let index = from; index < list.length; index++) {
    const propertyValue = readProperty(list[index], key)
    if (propertyValue === NO_PROPERTIES) return null
    if (target === null || target === undefined ? truthy(propertyValue) : eq(propertyValue, target)) return index
  }
  return -1
}

/**
 * Returns the elements that match, or, when `wanted` is false, the elements that do not match. Returns null when an element has no
 * properties.
 * @throws ArgumentFault
 */
export function selectMatching(
  list: readonly unknown[],
  name: unknown,
  target: unknown,
  selectsMatches: boolean,
): readonly unknown[] | null {
  const selected: unknown[] = []
  chargeReads(list.length)
  const key = toPropertyName(name)
  for (const item of list) {
    const propertyValue = readProperty(item, key)
    if (propertyValue === NO_PROPERTIES) return null
    if (
      (target === null || target === undefined ? truthy(propertyValue) : eq(propertyValue, target)) === selectsMatches
    )
      selected.push(item)
  }
  return selected
}
