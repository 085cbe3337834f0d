/** `new_line_to_br`: HTML line breaks in place of line ends. */
import { checkTextLength } from '../../values/limits.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

export const aliases = ['nl2br'] as const
export const deprecated = 'newline_to_br'
export const dialect = 'platform'

/**
 * The text with `<br />` in place of every line end.
 * A result that is too long ends the render.
 */
export function new_line_to_br(input: Textual = null): string {
  return checkTextLength(str(input).replace(/\r?\n/g, '<br />'))
}
