/** `slugify`: a text for URLs. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { toSlug } from './transliterate.ts'

export const dialect = 'platform'

/** The text in lower-case ASCII letters and digits, with dashes for other characters. */
export function slugify(input: Textual): string {
  return toSlug(str(input).replaceAll('_', '-'), '-')
}
