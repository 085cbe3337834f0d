/** `strip_newlines`: a text without line breaks. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/** The text without its line breaks. */
export function strip_newlines(input: Textual): string {
  const text = str(input)
  return text.includes('\n') ? text.replace(/\r?\n/g, '') : text
}
