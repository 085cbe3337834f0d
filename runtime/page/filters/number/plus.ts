/** `plus`: the sum of two numbers, computed in decimals. */
import { add } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The sum of two numbers. Anything but a number counts as 0. */
export function plus(input: Numeric, operand: Numeric): Numeral {
  // Small integers, as nearly all numbers are, need no decimals.
  return typeof input === 'number' && (input | 0) === input && typeof operand === 'number' && (operand | 0) === operand
    ? input + operand
    : add(input, operand)
}
