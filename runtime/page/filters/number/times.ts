/** `times`: the product of two numbers, computed in decimals. */
import { multiply } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The product of two numbers. Anything but a number counts as 0. */
export function times(input: Numeric, operand: Numeric): Numeral {
  return multiply(input, operand)
}
