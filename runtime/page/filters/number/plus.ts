/** `plus`: the sum of two numbers, computed in decimals. */
import { add } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The sum of two numbers. Anything but a number counts as 0. */
export function plus(input: Numeric, operand: Numeric): Numeral {
  return add(input, operand)
}
