/** `replace_first`: the first occurrence of a text replaced by another one. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { replaceAt } from './replacing.ts'

/**
 * The text with the first occurrence of `part` replaced, literally.
 * A result that is too long ends the render.
 */
export function replace_first(input: Textual, part: Textual, replacement: Textual = ''): string {
  const text = str(input)
  const found = str(part)
  return replaceAt(text, text.indexOf(found), found, str(replacement))
}
