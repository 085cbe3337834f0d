/** `ceil`: a number rounded up to an integer. */
import { ceil as rounded } from '../../values/number.ts'
import type { Numeric } from '../types.ts'

/**
 * The number rounded up.
 * @throws ArgumentFault for Infinity and NaN
 */
export function ceil(input: Numeric): number | bigint {
  return typeof input === 'number' && Number.isSafeInteger(input) ? input : rounded(input)
}
