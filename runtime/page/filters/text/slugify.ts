/** `slugify`: a text for URLs. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { parameterized } from './transliterate.ts'

export const dialect = 'platform'

/** The text in small ASCII letters and digits, everything else as dashes. */
export function slugify(input: Textual): string {
  return parameterized(str(input).replaceAll('_', '-'), '-')
}
