/** `truncate`: a text limited to a length that includes the ending. */
import { toInteger } from '../../values/number.ts'
import { sliceCharacters, countCharacters, hasNoSurrogates, str } from '../../values/text.ts'
import type { Numeric, Textual } from '../types.ts'

/**
 * The text, limited to `length` characters including the `ending`, which is appended to a shortened text. Nil stays nil.
 * @throws ArgumentFault `invalid integer`
 */
export function truncate(input: Textual, length: Numeric = 50, ending: Textual = '...'): string | null {
  if (input === null || input === undefined) return null
  const text = str(input)
  const limit = toInteger(length)
  // A text never has more characters than UTF-16 units, so a short text needs no counting.
  if (text.length <= limit) return text
  const tail = str(ending)
  if (hasNoSurrogates(text)) return text.slice(0, Math.max(0, limit - countCharacters(tail))) + tail
  if (countCharacters(text) <= limit) return text
  return sliceCharacters(text, 0, Math.max(0, limit - countCharacters(tail))) + tail
}
