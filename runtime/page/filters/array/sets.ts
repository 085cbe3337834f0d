/** The second array of the filters that compare two of them. */
import { ArgumentFault } from '../../fault.ts'
import { identity } from './distinct.ts'

/** The keys of the elements of an array; nil has none. @throws ArgumentFault for everything else */
export function keysOf(list: unknown, filter: string): ReadonlySet<unknown> {
  if (list === null || list === undefined) return new Set()
  if (!Array.isArray(list)) throw new ArgumentFault(`${filter} filter - second argument must be an array`)
  return new Set(list.map(identity))
}
