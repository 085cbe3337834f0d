/** `upcase`: a text in upper case. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/** The text in upper case. */
export function upcase(input: Textual): string {
  return str(input).toUpperCase()
}
