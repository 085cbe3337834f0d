/** Reads integer arguments, with the platform's error messages. */
import { ArgumentFault } from '../fault.ts'
import { toInteger } from '../values/number.ts'

/** Returns an argument as an integer. @throws ArgumentFault `<filter> filter - <name> must be an integer` */
export function integerArgument(value: unknown, filter: string, name: string): number {
  try {
    return toInteger(value)
  } catch {
    throw new ArgumentFault(`${filter} filter - ${name} must be an integer`)
  }
}

/**
 * Returns an argument as an integer above 0. @throws ArgumentFault `<filter> filter - <name> must be a positive
 * integer`
 */
export function positiveArgument(value: unknown, filter: string, name: string): number {
  const integer = Number.isSafeInteger(value) || typeof value === 'string' ? integerArgument(value, filter, name) : 0
  if (integer <= 0) throw new ArgumentFault(`${filter} filter - ${name} must be a positive integer`)
  return integer
}
