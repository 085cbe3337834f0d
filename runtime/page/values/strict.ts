/** Reads of engines with strict variables: what is not there is an error, and nil is a value like any other. */
import { LiquidFault } from '../fault.ts'
import { at, atLiquid, get, isHash, size } from './access.ts'
import { isInteger } from './number.ts'
import { Self } from './self.ts'
import { str } from './text.ts'

/**
 * The value of a variable, or of a key of a hash.
 * @throws LiquidFault where it is undefined, which is how JavaScript says that there is none
 */
export function defined<Value>(value: Value, name: string): Exclude<Value, undefined> {
  if (value === undefined) throw undefinedVariable(name)
  return value as Exclude<Value, undefined>
}

/**
 * A part of a variable that is read by keys in a row. `path`: the variable's name and the keys, joined by points.
 * @throws LiquidFault that names the first of them that is not there
 */
export function definedPart<Value>(value: Value, variable: unknown, path: string): Exclude<Value, undefined> {
  return value === undefined ? missingPart(variable, path) : (value as Exclude<Value, undefined>)
}

function missingPart(variable: unknown, path: string): never {
  const [name = '', ...keys] = path.split('.')
  let known = defined(variable, name)
  for (const key of keys) known = getDefined(known, key)
  throw undefinedVariable(keys.at(-1) ?? name)
}

/** `get` of a key that has to be there. @throws LiquidFault */
export function getDefined(v: unknown, key: string): unknown {
  return get(v, key) ?? nilAt(v, key)
}

/** `at` of a key that has to be there; an array has nil behind its end. @throws LiquidFault */
export function atDefined(v: unknown, index: unknown): unknown {
  return at(v, index) ?? nilAt(v, index)
}

/** `atLiquid` of a key that has to be there; an array has nil behind its end. @throws LiquidFault */
export function atLiquidDefined(v: unknown, index: unknown): unknown {
  return atLiquid(v, index) ?? nilAt(v, index)
}

/** nil, where that is what the value has under the key. @throws LiquidFault where it has no such key */
function nilAt(v: unknown, key: unknown): null {
  if (Array.isArray(v) && isInteger(key)) return null
  if (isHash(v) && Object.hasOwn(v, str(key))) return null
  if (v instanceof Self && v.$lookup(str(key)) === null) return null
  // What has a size may be empty.
  if ((key === 'first' || key === 'last') && size(v) !== null) return null
  throw undefinedVariable(str(key))
}

function undefinedVariable(name: string): LiquidFault {
  return new LiquidFault(`undefined variable ${name}`)
}
