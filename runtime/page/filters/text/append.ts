/** `append`: two texts, one after the other. */
import { MAX_TEXT, tooLong } from '../../values/limits.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/**
 * The text followed by another one.
 * A result that is too long ends the render.
 */
export function append(input: Textual, text: Textual): string {
  const joined = str(input) + str(text)
  if (joined.length > MAX_TEXT) throw tooLong()
  return joined
}
