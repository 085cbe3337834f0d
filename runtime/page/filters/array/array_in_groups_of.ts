/** `array_in_groups_of`: a list split into lists of equal size. */
import { arrayArgument } from '../arguments.ts'
import { MAX_ITEMS, tooMany } from '../../values/value-limits.ts'
import { positiveArgument } from '../number-arguments.ts'
import type { List, Numeric } from '../types.ts'

export const aliases = ['in_groups_of'] as const
export const dialect = 'platform'

/**
 * Arrays of exactly `size` elements. The last one is filled with nil.
 * @throws ArgumentFault when the input is neither an array nor nil
 * @throws ArgumentFault for a size that is not a positive integer
 */
export function array_in_groups_of(input: List, size: Numeric): readonly unknown[] {
  const list = arrayArgument(input, 'array_in_groups_of')
  const count = positiveArgument(size, 'array_in_groups_of', 'number of elements')
  if (count > MAX_ITEMS) throw tooMany()
  const groups: unknown[][] = []
  for (let start = 0; start < list.length; start += count) {
    const group = list.slice(start, start + count)
    while (group.length < count) group.push(null)
    groups.push(group)
  }
  return groups
}
