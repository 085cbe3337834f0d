/** `round`: a number rounded half away from zero. */
import { num, round as rounded, toNumber } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/**
 * The number with at most `digits` decimal places; without places, or with fewer than none, an integer.
 * @throws ArgumentFault for Infinity and NaN where an integer is asked for
 */
export function round(input: Numeric, digits: Numeric = 0): Numeral {
  const places = Math.trunc(toNumber(num(digits)))
  return rounded(input, Number.isNaN(places) ? 0 : places)
}
