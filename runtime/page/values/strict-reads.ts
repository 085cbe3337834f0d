/** Reads variables for engines with strict variables: a missing variable is an error, but nil is a value. */
import { LiquidFault } from '../fault.ts'
import { at, atLiquid, get, isHash, size } from './access.ts'
import { isInteger } from './number.ts'
import { Self } from './self.ts'
import { str } from './text.ts'

/**
 * Returns the value of a variable, or of a key of a hash.
 * @throws LiquidFault when it is undefined, which means that it does not exist
 */
export function defined<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw undefinedVariable(name)
  return value
}

/**
 * Returns a part of a variable that is read through several keys. `path` is the variable's name and the keys, joined by dots.
 * @throws LiquidFault with the name of the first missing part
 */
export function definedPart<Value>(value: Value | undefined, variable: unknown, path: string): Value {
  return value === undefined ? throwMissingPart(variable, path) : value
}

function throwMissingPart(variable: unknown, path: string): never {
  const [name = '', ...keys] = path.split('.')
  let definedVariable = defined(variable, name)
  for (const key of keys) definedVariable = getDefined(definedVariable, key)
  throw undefinedVariable(keys.at(-1) ?? name)
}

/**
 * Does the same as `get`, for a key that must exist.
 * @throws LiquidFault
 */
export function getDefined(v: unknown, key: string): unknown {
  return get(v, key) ?? requireNil(v, key)
}

/**
 * Does the same as `at`, for a key that must exist. Elements beyond the end of an array are nil.
 * @throws LiquidFault
 */
export function atDefined(v: unknown, index: unknown): unknown {
  return at(v, index) ?? requireNil(v, index)
}

/**
 * Does the same as `atLiquid`, for a key that must exist. Elements beyond the end of an array are nil.
 * @throws LiquidFault
 */
export function atLiquidDefined(v: unknown, index: unknown): unknown {
  return atLiquid(v, index) ?? requireNil(v, index)
}

/** Returns nil when the value's part with this key is nil. @throws LiquidFault when the key does not exist */
function requireNil(v: unknown, key: unknown): null {
  if (Array.isArray(v) && isInteger(key)) return null
  if (isHash(v) && Object.hasOwn(v, str(key))) return null
  if (v instanceof Self && v.$lookup(str(key)) === null) return null
  // `first` and `last` of an empty value are nil.
  if ((key === 'first' || key === 'last') && size(v) !== null) return null
  throw undefinedVariable(str(key))
}

function undefinedVariable(name: string): LiquidFault {
  return new LiquidFault(`undefined variable ${name}`)
}
