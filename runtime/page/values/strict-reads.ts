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
export function getDefined(value: unknown, key: string): unknown {
  return get(value, key) ?? requireNil(value, key)
}

/**
 * Does the same as `at`, for a key that must exist. Elements beyond the end of an array are nil.
 * @throws LiquidFault
 */
export function atDefined(value: unknown, index: unknown): unknown {
  return at(value, index) ?? requireNil(value, index)
}

/**
 * Does the same as `atLiquid`, for a key that must exist. Elements beyond the end of an array are nil.
 * @throws LiquidFault
 */
export function atLiquidDefined(value: unknown, index: unknown): unknown {
  return atLiquid(value, index) ?? requireNil(value, index)
}

/** Returns nil when the value's part with this key is nil. @throws LiquidFault when the key does not exist */
function requireNil(value: unknown, key: unknown): null {
  if (Array.isArray(value) && isInteger(key)) return null
  if (isHash(value) && Object.hasOwn(value, str(key))) return null
  if (value instanceof Self && value.$lookup(str(key)) === null) return null
  // `first` and `last` of an empty value are nil.
  if ((key === 'first' || key === 'last') && size(value) !== null) return null
  throw undefinedVariable(str(key))
}

function undefinedVariable(name: string): LiquidFault {
  return new LiquidFault(`undefined variable ${name}`)
}
