/** `minus`: the difference of two numbers, computed in decimals. */
import { subtract } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The difference of two numbers. Anything but a number counts as 0. */
export function minus(input: Numeric, operand: Numeric): Numeral {
  // Small integers, as nearly all numbers are, need no decimals.
  return typeof input === 'number' && (input | 0) === input && typeof operand === 'number' && (operand | 0) === operand
    ? input - operand
    : subtract(input, operand)
}
