/**
 * Hashes: plain objects with ordered keys. JavaScript lists keys that look like array indexes first, so a hash with
 * such a key keeps its order in a hidden property. Any name is an ordinary key, even `__proto__`.
 */
import { Boxed, isHashClass } from './boxed.ts'
import { chargeItems } from './meter.ts'

export type HashValue = Record<string, unknown>

const ORDER: unique symbol = Symbol('order of keys')

interface Ordered {
  [ORDER]?: Set<string>
}

export function isHash(value: unknown): value is HashValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    prototype === Object.prototype ||
    prototype === null ||
    (!(value instanceof Boxed) && (isHashClass(value) || isForeign(prototype)))
  )
}

/** Checks whether a prototype is the prototype of plain objects in another realm. */
function isForeign(prototype: unknown): boolean {
  if (typeof prototype !== 'object' || prototype === null) return false
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
}

/**
 * Checks whether JavaScript lists the key before other keys: `0` and `17` are listed first, `01` and `-1` are not.
 */
function isIndexKey(key: string): boolean {
  const code = key.charCodeAt(0)
  if (!(code >= 48 && code <= 57) || key.length > 10) return false
  return code === 48 ? key.length === 1 : /^\d+$/.test(key) && Number(key) < 4294967295
}

/** Checks whether the keys of a hash are in JavaScript's own order, and no key looks like an index. */
function hasPlainOrder(hash: HashValue): boolean {
  for (const key in hash) return !isIndexKey(key)
  return true
}

function storedOrder(hash: HashValue & Ordered): Set<string> | undefined {
  return hash[ORDER]
}

/** Checks whether the hash stores its own order, which `JSON.stringify` and `for in` would ignore. */
export function isOrdered(hash: HashValue): boolean {
  return storedOrder(hash) !== undefined
}

function storeOrder(hash: HashValue, names: Iterable<string>): Set<string> {
  const order = new Set(names)
  Object.defineProperty(hash, ORDER, { value: order, enumerable: false, writable: true, configurable: true })
  return order
}

/** Returns the keys of a hash in insertion order. */
export function keys(hash: HashValue): string[] {
  const order = storedOrder(hash)
  const list = order === undefined ? Object.keys(hash) : [...order]
  chargeItems(list.length)
  return list
}

/** Returns the pairs of a hash in insertion order. */
export function entries(hash: HashValue): [string, unknown][] {
  const order = storedOrder(hash)
  const list =
    order === undefined ? Object.entries(hash) : Array.from(order, (key): [string, unknown] => [key, hash[key]])
  chargeItems(list.length)
  return list
}

/** Returns the number of keys. */
export function hashSize(hash: HashValue): number {
  return storedOrder(hash)?.size ?? Object.keys(hash).length
}

/** Sets a key. A new key is added at the end. */
export function setKey(hash: HashValue, key: string, value: unknown): void {
  if (Object.hasOwn(hash, key)) {
    hash[key] = value
    return
  }
  const order = storedOrder(hash)
  if (order !== undefined) order.add(key)
  else if (isIndexKey(key)) {
    const names = Object.keys(hash)
    if (names.length > 0) storeOrder(hash, names).add(key)
  }
  // Assigning `__proto__` would call the setter of Object.prototype instead of creating a key.
  if (key === '__proto__') defineKey(hash, key, value)
  else hash[key] = value
}

function defineKey(hash: HashValue, key: string, value: unknown): void {
  Object.defineProperty(hash, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Removes a key and returns its value; null when there was none. */
export function removeKey(hash: HashValue, key: string): unknown {
  if (!Object.hasOwn(hash, key)) return null
  const value = hash[key] ?? null
  delete hash[key]
  storedOrder(hash)?.delete(key)
  return value
}

/** Minimum length of keys that V8 does not intern. It compares them character by character at each look-up. */
const LONG_KEY = 1000

/** Returns the same text, but interned, so that look-ups in many hashes are fast. */
export function internKey(key: string): string {
  return key.length < LONG_KEY ? key : (Object.keys({ [key]: 0 })[0] ?? key)
}

/** Returns a shallow copy with the same order. */
export function copyHash(hash: HashValue): HashValue {
  const copy = { ...hash }
  const order = storedOrder(hash)
  if (order !== undefined) storeOrder(copy, order)
  return copy
}

/**
 * Creates a hash from pairs in their order. A later pair with the same key replaces the value but keeps the
 * position.
 */
export function makeHash(pairs: Iterable<readonly [string, unknown]>): HashValue {
  const hash: HashValue = {}
  for (const [key, value] of pairs) setKey(hash, key, value)
  return hash
}

function isSimple(hash: HashValue): boolean {
  return storedOrder(hash) === undefined && hasPlainOrder(hash) && !Object.hasOwn(hash, '__proto__')
}

function isEmptyHash(hash: HashValue): boolean {
  for (const _ in hash) return false
  return true
}

/** Returns a new hash that has the keys of `base`, and then the keys of `more`, which take precedence. */
export function mergeHashes(base: HashValue, more: HashValue): HashValue {
  chargeItems(hashSize(base) + hashSize(more))
  if (isEmptyHash(base)) return copyHash(more)
  // `Object.assign` is several times faster than a spread, but it would set the prototype for a key `__proto__`.
  if (storedOrder(base) === undefined && isSimple(more) && !Object.hasOwn(base, '__proto__'))
    return Object.assign({}, base, more)
  const merged = copyHash(base)
  for (const [key, value] of entries(more)) setKey(merged, key, value)
  return merged
}
