/**
 * Reads the trailing hash of named arguments, and first arguments of a given type, with the platform's error messages.
 */
import { ArgumentFault } from '../fault.ts'
import { type HashValue, isHash } from '../values/access.ts'
import { NO_ITEMS } from '../values/items.ts'
import { chargeReads } from '../values/meter.ts'

/** A named argument; nil when it, or all of them, are missing. */
export function getOption(options: unknown, name: string): unknown {
  return isHash(options) && Object.hasOwn(options, name) ? (options[name] ?? null) : null
}

/** The first argument as an array; nil is an empty one. @throws ArgumentFault for everything else */
export function arrayArgument(v: unknown, filter: string): readonly unknown[] {
  if (v === null || v === undefined) return NO_ITEMS
  if (!Array.isArray(v)) throw new ArgumentFault(`${filter} filter - first argument must be an array`)
  chargeReads(v.length)
  return v
}

/**
 * The first argument as a hash; nil is an empty one.
 * @throws ArgumentFault for everything else
 */
export function hashOrNothing(v: unknown, filter: string): HashValue {
  return v === null || v === undefined ? {} : hashArgument(v, filter)
}

/** The first argument as a hash. @throws ArgumentFault when it is none */
export function hashArgument(v: unknown, filter: string): HashValue {
  if (!isHash(v)) throw new ArgumentFault(`${filter} filter - first argument must be a hash`)
  return v
}
