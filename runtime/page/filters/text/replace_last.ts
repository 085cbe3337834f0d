/** `replace_last`: the last occurrence of a text replaced by another one. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { replaceAt } from './replace-parts.ts'

/**
 * The text with the last occurrence of `part` replaced; both texts are literal.
 * A result that is too long ends the render.
 */
export function replace_last(input: Textual, part: Textual, replacement: Textual): string {
  const text = str(input)
  const replacedText = str(part)
  return replaceAt(text, text.lastIndexOf(replacedText), replacedText, str(replacement))
}
