/** `array_limit`: the start of a list. */
import { arrayArgument } from '../arguments.ts'
import { positiveArgument } from '../number-arguments.ts'
import type { List, Numeric } from '../types.ts'

export const aliases = ['limit'] as const
export const dialect = 'platform'

/**
 * The first elements of the array.
 * @throws ArgumentFault when the input is neither an array nor nil
 * @throws ArgumentFault for a limit that is not a positive integer
 */
export function array_limit(input: List, limit: Numeric): readonly unknown[] {
  return arrayArgument(input, 'array_limit').slice(0, positiveArgument(limit, 'array_limit', 'limit'))
}
