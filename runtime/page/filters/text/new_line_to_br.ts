/** `new_line_to_br`: a text with HTML line breaks. */
import { checkTextLength } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

export const aliases = ['nl2br'] as const
export const deprecated = 'newline_to_br'
export const dialect = 'platform'

/**
 * The text with `<br />` instead of every line break.
 * A result that is too long ends the render.
 */
export function new_line_to_br(input: Textual = null): string {
  return checkTextLength(str(input).replace(/\r?\n/g, '<br />'))
}
