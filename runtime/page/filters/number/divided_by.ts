/** `divided_by`: the quotient; two integers give an integer, rounded down. */
import { divide } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/**
 * The quotient of two numbers: integers round down, a float on either side gives a float.
 * @throws ArgumentFault `divided by 0` for an integer by the integer 0
 */
export function divided_by(input: Numeric, operand: Numeric): Numeral {
  // Small integers, as nearly all numbers are, need no decimals.
  return typeof input === 'number' &&
    (input | 0) === input &&
    typeof operand === 'number' &&
    (operand | 0) === operand &&
    operand !== 0
    ? Math.floor(input / operand) + 0
    : divide(input, operand)
}
