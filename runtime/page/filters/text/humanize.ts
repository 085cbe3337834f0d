/** `humanize`: an identifier as words. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { humanized } from './words.ts'

export const dialect = 'platform'

/** The name with spaces for underscores, without `_id` at its end, its first letter a capital. */
export function humanize(input: Textual): string {
  return humanized(str(input))
}
