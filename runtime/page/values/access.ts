/**
 * Reads and writes parts of values: `a.b`, `a[b]`, `a.size`, `assign a.b = c`, `a << b`. Only own keys are used,
 * never those of a prototype.
 */
import { ArgumentFault } from '../fault.ts'
import { type Fields, isFields, isPlainFields } from './fields.ts'
import { entries, hashSize, isHash, setKey } from './hash.ts'
import { hosted } from './host-values.ts'
import { toJson } from './json.ts'
import { MAX_ITEMS, tooMany } from './value-limits.ts'
import { isInteger } from './number.ts'
import { Range, rangeSize } from './range.ts'
import { BoxedText, isText } from './boxed.ts'
import { Self } from './self.ts'
import { countCharacters, sliceCharacters, str } from './text.ts'

export type { Fields } from './fields.ts'
export {
  copyHash,
  entries,
  type HashValue,
  isHash,
  keys,
  makeHash,
  mergeHashes,
  removeKey,
  setKey,
} from './hash.ts'

/**
 * Names that the prototypes of JavaScript or Liquid itself define. Emitted code must read these names through `get`, and may read all other
 * names directly.
 * @internal Exported for tests.
 */
export const PROTOTYPE_NAMES: ReadonlySet<string> = new Set(
  [Object, Array, String, Number, Boolean, BigInt]
    .flatMap((type) => Object.getOwnPropertyNames(type.prototype))
    .concat(['length', 'size', 'first', 'last', '__proto__', 'prototype']),
)

/** `v.key`: returns the value of a hash's key, the property `size`, `first` or `last`, or otherwise null. */
export function get(value: unknown, key: string): unknown {
  return Array.isArray(value) ? listPart(value, key) : readPart(value, key)
}

function listPart(list: readonly unknown[], key: string): unknown {
  if (key === 'size') return list.length
  if (key === 'first') return list[0] ?? null
  return key === 'last' ? (list.at(-1) ?? null) : null
}

function readPart(value: unknown, key: string): unknown {
  const operand = hosted(value)
  if (isHash(operand) && Object.hasOwn(operand, key)) return operand[key]
  if (operand instanceof Self) return operand.$lookup(key) ?? null
  if (key === 'size') return size(operand)
  if (key === 'first') return first(operand)
  return key === 'last' ? last(operand) : null
}

/**
 * `v.size`: returns the number of characters, elements or pairs. For an Integer it is 8, its size in bytes, as in the reference. Null for
 * other values.
 */
export function size(value: unknown): number | null {
  const operand = hosted(value)
  if (Array.isArray(operand)) return operand.length
  if (typeof operand === 'string') return countCharacters(operand)
  if (operand instanceof BoxedText) return countCharacters(operand.$text)
  if (operand instanceof Range) return rangeSize(operand)
  if (isHash(operand)) return hashSize(operand)
  if (typeof operand === 'bigint')
    return Math.max(1, Math.ceil((operand < 0n ? -operand : operand).toString(16).length / 16)) * 8
  return isInteger(operand) ? 8 : null
}

/**
 * `v.first`: returns the first element, pair of a hash, or character (`''` for the empty text); null when there is
 * none.
 */
export function first(value: unknown): unknown {
  const operand = hosted(value)
  if (Array.isArray(operand)) return operand[0] ?? null
  if (typeof operand === 'string') return sliceCharacters(operand.slice(0, 2), 0, 1)
  if (operand instanceof Range) return operand.$first
  if (operand instanceof BoxedText) return first(operand.$text)
  return isHash(operand) ? (entries(operand)[0] ?? null) : null
}

/** `v.last`: returns the last element or character; null for a hash. */
export function last(value: unknown): unknown {
  const operand = hosted(value)
  if (Array.isArray(operand)) return operand.at(-1) ?? null
  if (typeof operand === 'string') return lastCharacter(operand)
  if (operand instanceof Range) return operand.$last
  return operand instanceof BoxedText ? lastCharacter(operand.$text) : null
}

function lastCharacter(text: string): string {
  const end = text.slice(-2)
  return countCharacters(end) === 1 ? end : end.slice(-1)
}

/**
 * `v[index]`: returns the element at an integer (a negative integer counts from the end), or the value of a key. In a hash, an integer
 * finds the key with the same digits.
 */
export function at(value: unknown, index: unknown): unknown {
  const operand = hosted(value)
  if (Array.isArray(operand)) return elementAt(operand, index)
  if (operand instanceof Self) return isText(index) ? (operand.$lookup(str(index)) ?? null) : null
  if (!isHash(operand)) return null
  const key = toHashKey(index)
  return key !== null && Object.hasOwn(operand, key) ? operand[key] : null
}

/** `v[index]` in base Liquid, where an integer is not a key of a hash. */
export function atLiquid(value: unknown, index: unknown): unknown {
  return isInteger(index) && isHash(value) ? null : at(value, index)
}

function elementAt(list: readonly unknown[], index: unknown): unknown {
  if (typeof index !== 'number' || !Number.isSafeInteger(index)) return null
  return list[index < 0 ? list.length + index : index] ?? null
}

/** Converts an index to a key of a hash; null when it cannot be one. */
function toHashKey(index: unknown): string | null {
  if (typeof index === 'string') return index
  if (index instanceof BoxedText) return index.$text
  return isInteger(index) ? `${index}` : null
}

/** Maximum index to which an assignment extends an array. `<<` does not have this limit. */
const MAX_INDEX = 1_000_000

/**
 * `assign name[key] = value`: writes to a hash, or to an array by index. Gaps are filled with nil. `name` is the source text of the
 * container, for error messages.
 * @throws ArgumentFault when `container` does not accept the key
 */
export function writeKey(container: unknown, key: unknown, value: unknown, name: string): void {
  if (isHash(container)) {
    setKey(container, str(key), value)
    return
  }
  if (!Array.isArray(container))
    throw new ArgumentFault(`${name} is ${describeValue(container)}, expected Hash or Array`)
  const index = resolveIndex(container, key, name)
  if (index > container.length) {
    if (index > MAX_INDEX) throw new ArgumentFault(`index ${index} is too large; maximum: ${MAX_INDEX}`)
    for (let gap = container.length; gap < index; gap++) container.push(null)
  }
  container[index] = value
}

function resolveIndex(list: readonly unknown[], key: unknown, name: string): number {
  if (typeof key === 'bigint') throw new ArgumentFault(`index ${key} is too large; maximum: ${MAX_INDEX}`)
  if (typeof key !== 'number' || !isInteger(key))
    throw new ArgumentFault(`${name} is an Array, expected index, key was provided`)
  if (key >= 0) return key
  if (list.length + key < 0) {
    throw new ArgumentFault(`index ${key} too small for array; minimum: -${list.length}`)
  }
  return list.length + key
}

/**
 * `array_add` to a list that has no other references: appends in place and returns the list.
 * @throws LimitFault when the list has too many elements
 */
export function grow(list: unknown, item: unknown): readonly unknown[] {
  if (!Array.isArray(list)) throw new TypeError('only a list grows in place')
  if (list.length >= MAX_ITEMS) throw tooMany()
  list.push(item)
  return list
}

/**
 * `name << value`: appends to an array in place.
 * @throws ArgumentFault when `container` is not an array
 */
export function push(container: unknown, value: unknown, name: string): void {
  if (!Array.isArray(container)) throw new ArgumentFault(`${name} is ${describeValue(container)}, expected Array`)
  container.push(value)
}

/**
 * Reads one step of the path to an assignment's target: the value under `key`, or null. `path` is the source text of the container
 * (`x[0]`), as returned by `pathBelow`.
 * @throws ArgumentFault when the container is neither hash nor array, or does not accept the key
 */
export function step(container: unknown, key: unknown, path: string): unknown {
  if (isHash(container)) {
    const name = str(key)
    return Object.hasOwn(container, name) ? container[name] : null
  }
  if (!Array.isArray(container))
    throw new ArgumentFault(`${path} is ${describeValue(container)}, expected Hash or Array`)
  if (!isInteger(key)) throw new ArgumentFault(`${path} is an Array, expected index, key was provided`)
  return elementAt(container, key)
}

/** Returns the source text of a part of `path`, for errors of assignments: `x[0]`, `x[k]`. @internal Exported for tests. */
export function pathBelow(path: string, key: unknown): string {
  return `${path}[${str(key)}]`
}

/** Describes a value for error messages, for example as `5`, `a`, `{}` or `null`. */
function describeValue(value: unknown): string {
  const text =
    value === null || value === undefined ? 'null' : Array.isArray(value) || isHash(value) ? toJson(value) : str(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** The fields of values that have no fields: texts, numbers and nil. */
const NO_FIELDS: Fields = Object.freeze(Object.create(null))

/** Returns the fields of a value, to be read by names that no prototype defines. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : NO_FIELDS
}

/** Does the same as `fields`, for values of a host. Class instances have only their declared fields. */
export function hostFields(value: unknown): Fields {
  return isPlainFields(value) ? value : viewFields(value)
}

function viewFields(value: unknown): Fields {
  const view = hosted(value)
  return isFields(view) ? view : NO_FIELDS
}
