/** `rstrip`: a text without whitespace at its end. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { trimEnd } from './trim.ts'

/** The text without whitespace at its end. */
export function rstrip(input: Textual): string {
  return trimEnd(str(input))
}
