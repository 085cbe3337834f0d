/** `round`: a number rounded half away from zero. */
import { toNumeral, round as rounded, toNumber } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/**
 * The number rounded to `digits` decimal places. Without digits, or with negative ones, the result is an integer.
 * @throws ArgumentFault for Infinity and NaN when the result is an integer
 */
export function round(input: Numeric, digits: Numeric = 0): Numeral {
  const places = Math.trunc(toNumber(toNumeral(digits)))
  return rounded(input, Number.isNaN(places) ? 0 : places)
}
