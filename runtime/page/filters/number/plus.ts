/** `plus`: the sum of two numbers, in decimal arithmetic. */
import { add } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The sum of two numbers. Values that are not numbers count as 0. */
export function plus(input: Numeric, operand: Numeric): Numeral {
  // Nearly all numbers are small integers, which need no decimal arithmetic.
  return typeof input === 'number' && (input | 0) === input && typeof operand === 'number' && (operand | 0) === operand
    ? input + operand
    : add(input, operand)
}
