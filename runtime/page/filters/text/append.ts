/** `append`: two texts, one after the other. */
import { joinTexts } from '../../values/limits.ts'
import { unread } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/**
 * The text followed by another one.
 * A result that is too long ends the render.
 */
export function append(input: Textual, text: Textual): string {
  return joinTexts(unread(input), unread(text))
}
