/** `modulo`: the remainder, with the sign of the divisor. */
import { modulo as remainder } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/**
 * The remainder of a division.
 * @throws ArgumentFault `divided by 0`
 */
export function modulo(input: Numeric, operand: Numeric): Numeral {
  // Nearly all numbers are small integers, which need no decimal arithmetic.
  return typeof input === 'number' &&
    (input | 0) === input &&
    typeof operand === 'number' &&
    (operand | 0) === operand &&
    input >= 0 &&
    operand > 0
    ? (input % operand) + 0
    : remainder(input, operand)
}
