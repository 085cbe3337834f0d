/** `remove_last`: a text without the last occurrence of another one. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { replaceAt } from './replace-parts.ts'

/** The text without the last occurrence of `part`. */
export function remove_last(input: Textual, part: Textual): string {
  const text = str(input)
  const removedText = str(part)
  return replaceAt(text, text.lastIndexOf(removedText), removedText, '')
}
