/** `prepend`: a text preceded by another one. */
import { joinTexts } from '../../values/value-limits.ts'
import { textWithoutCharge } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/**
 * The text preceded by another one.
 * A result that is too long ends the render.
 */
export function prepend(input: Textual, text: Textual): string {
  return joinTexts(textWithoutCharge(text), textWithoutCharge(input))
}
