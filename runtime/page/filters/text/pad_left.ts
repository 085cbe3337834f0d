/** `pad_left`: a text padded on the left. */
import { MAX_TEXT, tooLong } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { integerArgument } from '../number-arguments.ts'
import type { Numeric, Textual } from '../types.ts'

export const dialect = 'platform'

/**
 * The text, padded with the symbol on the left to `count` characters.
 * @throws ArgumentFault for a count that is not an integer
 */
export function pad_left(input: Textual, count: Numeric, symbol: Textual = ' '): string {
  const length = integerArgument(count, 'pad_left', 'count')
  if (length > MAX_TEXT) throw tooLong()
  return str(input).padStart(length, str(symbol))
}
