/** `array_rotate`: a rotated list. */
import { arrayArgument } from '../arguments.ts'
import { integerArgument } from '../number-arguments.ts'
import type { List, Numeric } from '../types.ts'

export const aliases = ['rotate'] as const
export const dialect = 'platform'

/**
 * The elements moved to the left by `count` places. A negative count moves them to the right.
 * @throws ArgumentFault when the input is neither an array nor nil
 * @throws ArgumentFault for a count that is not an integer
 */
export function array_rotate(input: List, count: Numeric = 1): readonly unknown[] {
  const list = arrayArgument(input, 'array_rotate')
  const places = integerArgument(count, 'array_rotate', 'count')
  if (list.length === 0) return []
  const start = ((places % list.length) + list.length) % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}
