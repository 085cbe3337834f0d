/** `minus`: the difference of two numbers, in decimal arithmetic. */
import { subtract } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The difference of two numbers. Values that are not numbers count as 0. */
export function minus(input: Numeric, operand: Numeric): Numeral {
  // Nearly all numbers are small integers, which need no decimal arithmetic.
  return typeof input === 'number' && (input | 0) === input && typeof operand === 'number' && (operand | 0) === operand
    ? input - operand
    : subtract(input, operand)
}
