/**
 * Reads named arguments, which arrive as a trailing hash, and first arguments of a required type. Errors have the
 * platform's messages.
 */
import { ArgumentFault } from '../fault.ts'
import { type HashValue, isHash } from '../values/access.ts'
import { NO_ITEMS } from '../values/items.ts'
import { chargeReads } from '../values/meter.ts'

/** Returns a named argument, or nil when it is missing. */
export function getOption(options: unknown, name: string): unknown {
  return isHash(options) && Object.hasOwn(options, name) ? (options[name] ?? null) : null
}

/**
 * Returns the first argument as an array. Nil becomes an empty array.
 * @throws ArgumentFault for other values
 */
export function arrayArgument(value: unknown, filter: string): readonly unknown[] {
  if (value === null || value === undefined) return NO_ITEMS
  if (!Array.isArray(value)) throw new ArgumentFault(`${filter} filter - first argument must be an array`)
  chargeReads(value.length)
  return value
}

/**
 * Returns the first argument as a hash. Nil becomes an empty hash.
 * @throws ArgumentFault for other values
 */
export function optionalHashArgument(value: unknown, filter: string): HashValue {
  return value === null || value === undefined ? {} : hashArgument(value, filter)
}

/** Returns the first argument as a hash. @throws ArgumentFault for other values */
export function hashArgument(value: unknown, filter: string): HashValue {
  if (!isHash(value)) throw new ArgumentFault(`${filter} filter - first argument must be a hash`)
  return value
}
