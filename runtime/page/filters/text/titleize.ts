/** `titleize`: a text with every word capitalized. */
import { str } from '../../values/text.ts'
import { chargeText } from '../../values/meter.ts'
import type { Textual } from '../types.ts'
import { humanizeName } from './humanize-name.ts'

export const dialect = 'platform'

/** The text as capitalized words, split at upper-case letters, underscores and dashes. A final `_id` is dropped. */
export function titleize(input: Textual): string {
  const text = str(input)
  chargeText(4 * text.length)
  return humanizeName(toUnderscores(text)).replace(/\b(?<![\w'’`()])[a-z]/g, (letter) => letter.toUpperCase())
}

function toUnderscores(name: string): string {
  if (!/[A-Z-]|::/.test(name)) return name
  return name
    .replaceAll('::', '/')
    .replace(/(?<=[A-Z\d])(?=[A-Z][a-z])|(?<=[a-z\d])(?=[A-Z])/g, '_')
    .replaceAll('-', '_')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
