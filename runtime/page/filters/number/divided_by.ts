/** `divided_by`: the quotient of two numbers. Two integers give an integer, rounded down. */
import { divide } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/**
 * The quotient of two numbers; two integers give an integer, rounded down. A float on either side gives a float.
 * @throws ArgumentFault `divided by 0` for an integer by the integer 0
 */
export function divided_by(input: Numeric, operand: Numeric): Numeral {
  // Nearly all numbers are integers of 31 bits. They need no decimal arithmetic, and V8 divides them as integers.
  if (typeof input === 'number' && typeof operand === 'number') {
    const dividend = input | 0
    const divisor = operand | 0
    if (dividend === input && divisor === operand && dividend >= 0 && divisor > 0) return (dividend / divisor) | 0
  }
  return divide(input, operand)
}
