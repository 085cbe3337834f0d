/** `floor`: a number rounded down to an integer. */
import { floor as rounded } from '../../values/number.ts'
import type { Numeric } from '../types.ts'

/**
 * The number rounded down.
 * @throws ArgumentFault for Infinity and NaN
 */
export function floor(input: Numeric): number | bigint {
  return typeof input === 'number' && (input | 0) === input ? input : rounded(input)
}
