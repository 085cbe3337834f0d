/** `times`: the product of two numbers, in decimal arithmetic. */
import { multiply } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The product of two numbers. Values that are not numbers count as 0. */
export function times(input: Numeric, operand: Numeric): Numeral {
  // Nearly all numbers are small integers, which need no decimal arithmetic.
  if (typeof input === 'number' && (input | 0) === input && typeof operand === 'number' && (operand | 0) === operand) {
    const product = input * operand
    // `0 * -5` is -0, which `| 0` converts to the integer 0.
    if ((product | 0) === product) return product | 0
  }
  return multiply(input, operand)
}
