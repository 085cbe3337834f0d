/** `times`: the product of two numbers, computed in decimals. */
import { multiply } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The product of two numbers. Anything but a number counts as 0. */
export function times(input: Numeric, operand: Numeric): Numeral {
  // Small integers, as nearly all numbers are, need no decimals.
  if (typeof input === 'number' && (input | 0) === input && typeof operand === 'number' && (operand | 0) === operand) {
    const product = input * operand
    // The 32 bits of `0 * -5` are the integer 0, where the product is -0.
    if ((product | 0) === product) return product | 0
  }
  return multiply(input, operand)
}
