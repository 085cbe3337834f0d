/** `titleize`: a text with a capital letter in front of every word. */
import { str } from '../../values/text.ts'
import { chargeText } from '../../values/meter.ts'
import type { Textual } from '../types.ts'
import { humanized } from './words.ts'

export const dialect = 'platform'

/** The text as words that each begin with a capital: `fooBar_zoo-id` is split at its humps and dashes. */
export function titleize(input: Textual): string {
  const text = str(input)
  chargeText(4 * text.length)
  return humanized(underscored(text)).replace(/\b(?<![\w'’`()])[a-z]/g, (letter) => letter.toUpperCase())
}

function underscored(name: string): string {
  if (!/[A-Z-]|::/.test(name)) return name
  return name
    .replaceAll('::', '/')
    .replace(/(?<=[A-Z\d])(?=[A-Z][a-z])|(?<=[a-z\d])(?=[A-Z])/g, '_')
    .replaceAll('-', '_')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
