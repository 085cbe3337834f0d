/**
 * Reads and writes parts of values: `a.b`, `a[b]`, `a.size`, `assign a.b = c`, `a << b`. Only own keys, never a
 * prototype's.
 */
import { ArgumentFault } from '../fault.ts'
import { entries, hashSize, isHash, setKey } from './hash.ts'
import { hosted } from './host.ts'
import { toJson } from './json.ts'
import { MAX_ITEMS, tooMany } from './limits.ts'
import { isInteger } from './number.ts'
import { Range, rangeSize } from './range.ts'
import { BoxedText, isText } from './boxed.ts'
import { Self } from './self.ts'
import { characters, characterSlice, str } from './text.ts'

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
 * Names that some values define themselves: emitted code must read them through `get` and may read all others directly.
 */
export const PROTOTYPE_NAMES: ReadonlySet<string> = new Set(
  [Object, Array, String, Number, Boolean, BigInt]
    .flatMap((type) => Object.getOwnPropertyNames(type.prototype))
    .concat(['length', 'size', 'first', 'last', '__proto__', 'prototype']),
)

/** `v.key`: a key of a hash, else one of the properties `size`, `first` and `last`, else null. */
export function get(value: unknown, key: string): unknown {
  return Array.isArray(value) ? listPart(value, key) : part(value, key)
}

function listPart(list: readonly unknown[], key: string): unknown {
  if (key === 'size') return list.length
  if (key === 'first') return list[0] ?? null
  return key === 'last' ? (list.at(-1) ?? null) : null
}

function part(value: unknown, key: string): unknown {
  const v = hosted(value)
  if (isHash(v) && Object.hasOwn(v, key)) return v[key]
  if (v instanceof Self) return v.$lookup(key) ?? null
  if (key === 'size') return size(v)
  if (key === 'first') return first(v)
  return key === 'last' ? last(v) : null
}

/** `v.size`: characters, elements, pairs; 8 for an Integer, as the reference counts the bytes of one; null for others. */
export function size(value: unknown): number | null {
  const v = hosted(value)
  if (Array.isArray(v)) return v.length
  if (typeof v === 'string') return characters(v)
  if (v instanceof BoxedText) return characters(v.$text)
  if (v instanceof Range) return rangeSize(v)
  if (isHash(v)) return hashSize(v)
  if (typeof v === 'bigint') return Math.max(1, Math.ceil((v < 0n ? -v : v).toString(16).length / 16)) * 8
  return isInteger(v) ? 8 : null
}

/** `v.first`: the first element, pair of a hash, or character (`''` for the empty text); null when there is none. */
export function first(value: unknown): unknown {
  const v = hosted(value)
  if (Array.isArray(v)) return v[0] ?? null
  if (typeof v === 'string') return characterSlice(v.slice(0, 2), 0, 1)
  if (v instanceof Range) return v.$first
  if (v instanceof BoxedText) return first(v.$text)
  return isHash(v) ? (entries(v)[0] ?? null) : null
}

/** `v.last`: the last element or character; null for a hash. */
export function last(value: unknown): unknown {
  const v = hosted(value)
  if (Array.isArray(v)) return v.at(-1) ?? null
  if (typeof v === 'string') return lastCharacter(v)
  if (v instanceof Range) return v.$last
  return v instanceof BoxedText ? lastCharacter(v.$text) : null
}

function lastCharacter(text: string): string {
  const end = text.slice(-2)
  return characters(end) === 1 ? end : end.slice(-1)
}

/**
 * `v[index]`: an element by integer (negative ones count from the end), a value by key; an integer also finds the key
 * with the same digits.
 */
export function at(value: unknown, index: unknown): unknown {
  const v = hosted(value)
  if (Array.isArray(v)) return element(v, index)
  if (v instanceof Self) return isText(index) ? (v.$lookup(str(index)) ?? null) : null
  if (!isHash(v)) return null
  const key = keyOf(index)
  return key !== null && Object.hasOwn(v, key) ? v[key] : null
}

/** `v[index]` in base Liquid, where an integer is not a key of a hash. */
export function atLiquid(v: unknown, index: unknown): unknown {
  return isInteger(index) && isHash(v) ? null : at(v, index)
}

function element(list: readonly unknown[], index: unknown): unknown {
  if (typeof index !== 'number' || !Number.isSafeInteger(index)) return null
  return list[index < 0 ? list.length + index : index] ?? null
}

/** The key for an index; null when it cannot be one. */
function keyOf(index: unknown): string | null {
  if (typeof index === 'string') return index
  if (index instanceof BoxedText) return index.$text
  return isInteger(index) ? `${index}` : null
}

/** Largest index up to which an assignment extends an array; `<<` has no such limit. */
const MAX_INDEX = 1_000_000

/**
 * `assign name[key] = value`: writes to a hash, or to an array by index. Gaps are filled with nil. `name` is the
 * container's source text, for errors.
 * @throws ArgumentFault when `container` does not accept the key
 */
export function writeKey(container: unknown, key: unknown, value: unknown, name: string): void {
  if (isHash(container)) {
    setKey(container, str(key), value)
    return
  }
  if (!Array.isArray(container)) throw new ArgumentFault(`${name} is ${shown(container)}, expected Hash or Array`)
  const index = indexIn(container, key, name)
  if (index > container.length) {
    if (index > MAX_INDEX) throw new ArgumentFault(`index ${index} is too large, the most is ${MAX_INDEX}`)
    for (let gap = container.length; gap < index; gap++) container.push(null)
  }
  container[index] = value
}

function indexIn(list: readonly unknown[], key: unknown, name: string): number {
  if (typeof key === 'bigint') throw new ArgumentFault(`index ${key} is too large, the most is ${MAX_INDEX}`)
  if (typeof key !== 'number' || !isInteger(key))
    throw new ArgumentFault(`${name} is an Array, expected index, key was provided`)
  if (key >= 0) return key
  if (list.length + key < 0) {
    throw new ArgumentFault(`index ${key} too small for array; minimum: -${list.length}`)
  }
  return list.length + key
}

/**
 * `array_add` to a list without other references: adds in place and returns the list.
 * @throws LimitFault beyond ten million elements
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
  if (!Array.isArray(container)) throw new ArgumentFault(`${name} is ${shown(container)}, expected Array`)
  container.push(value)
}

/**
 * One step down the target of an assignment: the value under `key`, null when there is none. `path` is the container's
 * source text (`x[0]`), see `below`.
 * @throws ArgumentFault when the container is neither hash nor array, or does not accept the key
 */
export function step(container: unknown, key: unknown, path: string): unknown {
  if (isHash(container)) {
    const name = str(key)
    return Object.hasOwn(container, name) ? container[name] : null
  }
  if (!Array.isArray(container)) throw new ArgumentFault(`${path} is ${shown(container)}, expected Hash or Array`)
  if (!isInteger(key)) throw new ArgumentFault(`${path} is an Array, expected index, key was provided`)
  return element(container, key)
}

/** The source text of a part of `path`, for errors of assignments: `x[0]`, `x[k]`. */
export function below(path: string, key: unknown): string {
  return `${path}[${str(key)}]`
}

/** A value as error messages show it: `5`, `a`, `{}`, `null`. */
function shown(v: unknown): string {
  const text = v === null || v === undefined ? 'null' : Array.isArray(v) || isHash(v) ? toJson(v) : str(v)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** Named parts of a value; missing ones are undefined. */
export interface Fields {
  readonly [name: string]: unknown
}

/** What texts, numbers and nil have: none. */
const NO_FIELDS: Fields = Object.freeze(Object.create(null))

function hasFields(v: unknown): v is Fields {
  return typeof v === 'object' && v !== null
}

/** What may be read from a value by names that no prototype has. */
export function fields(v: unknown): Fields {
  return hasFields(v) ? v : NO_FIELDS
}

/** `fields` where a host hands in values that need not be plain data: of a class only what is declared is read. */
export function hostFields(v: unknown): Fields {
  // The prototype itself, not a `constructor`: an object that was made of a plain one would inherit that, and more.
  return hasFields(v) && Object.getPrototypeOf(v) === Object.prototype ? v : fieldsOf(v)
}

function fieldsOf(v: unknown): Fields {
  const view = hosted(v)
  return hasFields(view) ? view : NO_FIELDS
}
