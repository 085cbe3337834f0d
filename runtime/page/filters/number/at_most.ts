/** `at_most`: the smaller of two numbers. */
import { compareNumbers, num } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The smaller of two numbers, with its own type. */
export function at_most(input: Numeric, limit: Numeric): Numeral {
  const number = num(input)
  const bound = num(limit)
  return compareNumbers(bound, number) < 0 ? bound : number
}
