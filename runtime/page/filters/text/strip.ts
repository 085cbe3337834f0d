/** `strip`: a text without whitespace at both ends. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { trimBoth } from './trim.ts'

/** The text without whitespace at both ends. */
export function strip(input: Textual): string {
  return trimBoth(str(input))
}
