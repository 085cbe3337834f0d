/** `array_subtract`: the elements of one list that another does not have. */
import { arrayArgument } from '../options.ts'
import type { List } from '../types.ts'
import { identity } from './distinct.ts'
import { keysOf } from './sets.ts'

export const aliases = ['subtract_array'] as const
export const dialect = 'platform'

/**
 * The elements of the first array that the second does not hold.
 * @throws ArgumentFault when one of them is neither an array nor nil
 */
export function array_subtract(input: List, other: List): readonly unknown[] {
  const list = arrayArgument(input, 'array_subtract')
  const removed = keysOf(other, 'array_subtract')
  return list.filter((item) => !removed.has(identity(item)))
}
