/** `prepend`: a text in front of another one. */
import { joinTexts } from '../../values/limits.ts'
import { textWithoutCharge } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/**
 * The text with another one in front of it.
 * A result that is too long ends the render.
 */
export function prepend(input: Textual, text: Textual): string {
  return joinTexts(textWithoutCharge(text), textWithoutCharge(input))
}
