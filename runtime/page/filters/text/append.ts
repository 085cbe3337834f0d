/** `append`: two texts concatenated. */
import { joinTexts } from '../../values/value-limits.ts'
import { textWithoutCharge } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/**
 * The text followed by another one.
 * A result that is too long ends the render.
 */
export function append(input: Textual, text: Textual): string {
  return joinTexts(textWithoutCharge(input), textWithoutCharge(text))
}
