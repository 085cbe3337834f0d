/** `strip_newlines`: a text on one line. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/** The text without its line ends. */
export function strip_newlines(input: Textual): string {
  const text = str(input)
  return text.includes('\n') ? text.replace(/\r?\n/g, '') : text
}
