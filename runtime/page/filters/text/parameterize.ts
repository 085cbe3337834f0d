/** `parameterize`: a text for URLs and identifiers. */
import { checkTextLength } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { toSlug } from './transliterate.ts'

export const dialect = 'platform'

/**
 * The text in lower-case ASCII letters, digits, `_` and `-`, with the separator for other characters.
 * A result that is too long ends the render.
 */
export function parameterize(input: Textual, separator: Textual = '-'): string {
  return checkTextLength(toSlug(str(input), str(separator)))
}
