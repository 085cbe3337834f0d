/** `squish` of base Liquid: a text in which all white space is single spaces. */
import { str } from '../../values/text.ts'
import { trimBoth } from '../text/trim.ts'
import type { Textual } from '../types.ts'

export const dialect = 'liquid'

/** The text without white space at both ends, each other run of it as one space. nil stays nil. */
export function squish(input: Textual): string | null {
  return input === null || input === undefined ? null : trimBoth(str(input)).replace(/[ \t\n\v\f\r]+/g, ' ')
}
