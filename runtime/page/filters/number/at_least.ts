/** `at_least`: the larger of two numbers. */
import { compareNumbers, toNumeral } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The larger of two numbers. Its type does not change. */
export function at_least(input: Numeric, limit: Numeric): Numeral {
  const number = toNumeral(input)
  const bound = toNumeral(limit)
  return compareNumbers(bound, number) > 0 ? bound : number
}
