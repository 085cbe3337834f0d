/** `to_positive_integer`: an integer above 0, or a default. */
import { ArgumentFault } from '../../fault.ts'
import { floor, isInteger, isNumber, leadingInteger, toNumber } from '../../values/number.ts'
import { BoxedText } from '../../values/boxed.ts'
import { str } from '../../values/text.ts'
import type { Numeric, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * The input as an integer above 0, or else the default.
 * @throws ArgumentFault for a default that is not an integer
 */
export function to_positive_integer(input: Value, fallback: Numeric): number | bigint {
  if (!isInteger(fallback)) throw new ArgumentFault('to_positive_integer filter - default must be an integer')
  const wholeNumber = toWholeNumber(input)
  return wholeNumber > 0 ? wholeNumber : fallback
}

function toWholeNumber(value: unknown): number | bigint {
  if (isNumber(value)) return typeof value === 'bigint' || Number.isFinite(toNumber(value)) ? floor(value) : 0
  return typeof value === 'string' || value instanceof BoxedText ? leadingInteger(str(value)) : 0
}
