/** `at_least`: the larger of two numbers. */
import { compareNumbers, num } from '../../values/number.ts'
import type { Numeral, Numeric } from '../types.ts'

/** The larger of two numbers, with its own type. */
export function at_least(input: Numeric, limit: Numeric): Numeral {
  const number = num(input)
  const bound = num(limit)
  return compareNumbers(bound, number) > 0 ? bound : number
}
