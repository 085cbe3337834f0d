/** `raw_escape_string`: a text escaped for HTML, even when it is marked safe. */
import { checkTextLength } from '../../values/value-limits.ts'
import { escapeHtml, Safe, str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

export const dialect = 'platform'

/**
 * The text with `&`, `<`, `>` and quotes as entities, so that its tags are visible.
 * A result that is too long ends the render.
 */
export function raw_escape_string(input: Textual): Safe {
  return new Safe(checkTextLength(escapeHtml(str(input))))
}
