/** `modulo`: the remainder, with the sign of the divisor. */
import { modulo as remainder } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/**
 * The remainder of a division.
 * @throws ArgumentFault `divided by 0`
 */
export function modulo(input: Numeric, operand: Numeric): Numeral {
  return remainder(input, operand)
}
