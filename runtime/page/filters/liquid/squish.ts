/** `squish` of base Liquid: a text with whitespace reduced to single spaces. */
import { str } from '../../values/text.ts'
import { trimBoth } from '../text/trim.ts'
import type { Textual } from '../types.ts'

export const dialect = 'liquid'

/** The text without whitespace at both ends, and with each other run of whitespace as one space. Nil stays nil. */
export function squish(input: Textual): string | null {
  return input === null || input === undefined ? null : trimBoth(str(input)).replace(/[ \t\n\v\f\r]+/g, ' ')
}
