/** `array_sum`: the sum of a list. */
import { arrayArgument } from '../arguments.ts'
import { add, toNumeral } from '../../values/number.ts'
import type { List, Numeral } from '../types.ts'

export const aliases = ['sum_array'] as const
export const dialect = 'platform'

/**
 * The sum of the elements. Elements that are not numbers count as 0.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_sum(input: List): Numeral {
  let total: Numeral = 0
  for (const item of arrayArgument(input, 'array_sum')) total = add(total, toNumeral(item))
  return total
}
