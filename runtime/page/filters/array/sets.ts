/** Reads the second array of the filters that compare two arrays. */
import { ArgumentFault } from '../../fault.ts'
import { identity } from './distinct.ts'

/**
 * The identity keys of an array's elements; none for nil.
 * @throws ArgumentFault for everything else
 */
export function keysOf(list: unknown, filter: string): ReadonlySet<unknown> {
  if (list === null || list === undefined) return new Set()
  if (!Array.isArray(list)) throw new ArgumentFault(`${filter} filter - second argument must be an array`)
  return new Set(list.map(identity))
}
