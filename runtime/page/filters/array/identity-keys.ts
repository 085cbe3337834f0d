/** Reads the second array of the filters that compare two arrays. */
import { ArgumentFault } from '../../fault.ts'
import { identityKey } from './distinct.ts'

/**
 * Returns the identity keys of an array's elements; nil has none.
 * @throws ArgumentFault for other values
 */
export function identityKeys(list: unknown, filter: string): ReadonlySet<unknown> {
  if (list === null || list === undefined) return new Set()
  if (!Array.isArray(list)) throw new ArgumentFault(`${filter} filter - second argument must be an array`)
  return new Set(list.map(identityKey))
}
