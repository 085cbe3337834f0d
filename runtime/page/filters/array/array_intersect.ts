/** `array_intersect`: the common elements of two lists. */
import { arrayArgument } from '../arguments.ts'
import type { List } from '../types.ts'
import { distinct, identityKey } from './distinct.ts'
import { identityKeys } from './identity-keys.ts'

export const aliases = ['intersection'] as const
export const dialect = 'platform'

/**
 * The elements that are in both arrays, each once, in the order of the first array.
 * @throws ArgumentFault when one of them is neither an array nor nil
 */
export function array_intersect(input: List, other: List): readonly unknown[] {
  const list = arrayArgument(input, 'array_intersect')
  const shared = identityKeys(other, 'array_intersect')
  return distinct(list, (item) => item).filter((item) => shared.has(identityKey(item)))
}
