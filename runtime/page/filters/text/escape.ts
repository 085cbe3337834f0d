/** `escape`: a text escaped for HTML. */
import { checkTextLength } from '../../values/value-limits.ts'
import { escapeHtml, Safe, str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

export const aliases = ['h'] as const

/**
 * The text with `&`, `<`, `>` and quotes as entities; safe text is unchanged, and nil stays nil.
 * A result that is too long ends the render.
 */
export function escape(input: Textual): Safe | null {
  if (input === null || input === undefined) return null
  return input instanceof Safe ? input : new Safe(checkTextLength(escapeHtml(str(input))))
}
