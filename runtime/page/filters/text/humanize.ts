/** `humanize`: an identifier as words. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { humanizeName } from './humanize-name.ts'

export const dialect = 'platform'

/** The name with spaces instead of underscores, without a final `_id`, and with its first letter in upper case. */
export function humanize(input: Textual): string {
  return humanizeName(str(input))
}
