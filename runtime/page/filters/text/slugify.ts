/** `slugify`: a text for URLs. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { toSlug } from './transliterate.ts'

export const dialect = 'platform'

/** The text in lower-case ASCII letters and digits. Other characters are replaced by dashes. */
export function slugify(input: Textual): string {
  return toSlug(str(input).replaceAll('_', '-'), '-')
}
