/** `downcase`: a text in lower case. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/** The text in lower case. */
export function downcase(input: Textual): string {
  return str(input).toLowerCase()
}
