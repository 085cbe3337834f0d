/** `newline_to_br`: a text with HTML line breaks before its own. */
import { checkTextLength } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/**
 * The text with `<br />` before every line break. The result is plain text: output escapes it.
 * A result that is too long ends the render.
 */
export function newline_to_br(input: Textual): string {
  const text = str(input)
  return text.includes('\n') ? checkTextLength(text.replace(/\r?\n/g, '<br />\n')) : text
}
