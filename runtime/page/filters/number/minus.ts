/** `minus`: the difference of two numbers, computed in decimals. */
import { subtract } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The difference of two numbers. Anything but a number counts as 0. */
export function minus(input: Numeric, operand: Numeric): Numeral {
  return subtract(input, operand)
}
