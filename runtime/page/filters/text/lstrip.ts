/** `lstrip`: a text without whitespace at its start. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { trimStart } from './trim.ts'

/** The text without whitespace at its start. */
export function lstrip(input: Textual): string {
  return trimStart(str(input))
}
