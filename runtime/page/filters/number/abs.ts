/** `abs`: the absolute value of a number. */
import { abs as magnitude } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The absolute value of the number. */
export function abs(input: Numeric): Numeral {
  return magnitude(input)
}
