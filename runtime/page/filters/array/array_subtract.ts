/** `array_subtract`: the elements of a list that are not in another list. */
import { arrayArgument } from '../arguments.ts'
import type { List } from '../types.ts'
import { identityKey } from './distinct.ts'
import { identityKeys } from './identity-keys.ts'

export const aliases = ['subtract_array'] as const
export const dialect = 'platform'

/**
 * The elements of the first array that are not in the second.
 * @throws ArgumentFault when one of them is neither an array nor nil
 */
export function array_subtract(input: List, other: List): readonly unknown[] {
  const list = arrayArgument(input, 'array_subtract')
  const removed = identityKeys(other, 'array_subtract')
  return list.filter((item) => !removed.has(identityKey(item)))
}
