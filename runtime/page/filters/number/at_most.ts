/** `at_most`: the smaller of two numbers. */
import { compareNumbers, toNumeral } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The smaller of two numbers. Its type does not change. */
export function at_most(input: Numeric, limit: Numeric): Numeral {
  const number = toNumeral(input)
  const bound = toNumeral(limit)
  return compareNumbers(bound, number) < 0 ? bound : number
}
