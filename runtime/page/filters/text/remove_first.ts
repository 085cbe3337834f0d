/** `remove_first`: a text without the first occurrence of another one. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { replaceAt } from './replace-parts.ts'

/** The text without the first occurrence of `part`. */
export function remove_first(input: Textual, part: Textual): string {
  const text = str(input)
  const removedText = str(part)
  return replaceAt(text, text.indexOf(removedText), removedText, '')
}
