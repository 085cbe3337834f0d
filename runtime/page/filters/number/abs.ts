/** `abs`: the magnitude of a number. */
import { abs as magnitude } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The number without its sign. */
export function abs(input: Numeric): Numeral {
  return magnitude(input)
}
