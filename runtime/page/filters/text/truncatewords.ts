/** `truncatewords`: the first words of a text. */
import { toInteger } from '../../values/number.ts'
import { str } from '../../values/text.ts'
import type { Numeric, Textual } from '../types.ts'

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/**
 * The first `words` words (at least one) with single spaces and the ending. A text with fewer words is unchanged.
 * Nil stays nil.
 * @throws ArgumentFault `invalid integer`
 */
export function truncatewords(input: Textual, words: Numeric = 15, ending: Textual = '...'): string | null {
  if (input === null || input === undefined) return null
  const text = str(input)
  const limit = Math.max(1, toInteger(words))
  let out = ''
  // `from` is the start of a run of words with single spaces between them. The run is copied unchanged.
  let from = 0
  let end = 0
  let index = 0
  for (let count = 0; ; count++) {
    while (index < text.length && isSpace(text.charCodeAt(index))) index++
    // Whitespace after the last word counts as one more word, which is empty.
    if (index === text.length && (count < limit || !isSpace(text.charCodeAt(index - 1)))) return text
    if (count === limit) return out + text.slice(from, end) + str(ending)
    if (count === 0) from = index
    else if (index - end > 1 || text.charCodeAt(end) !== 32) {
      out += `${text.slice(from, end)} `
      from = index
    }
    while (index < text.length && !isSpace(text.charCodeAt(index))) index++
    end = index
  }
}
