/** `escape_javascript`: a text escaped for a JavaScript string literal. */
import { checkTextLength } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { chargeText } from '../../values/meter.ts'
import type { Textual } from '../types.ts'

export const dialect = 'platform'

/**
 * The text with backslashes before characters that would end a literal, and with line breaks as `\n`.
 * A result that is too long ends the render.
 */
export function escape_javascript(input: Textual): string {
  const text = str(input)
  chargeText(4 * text.length)
  return checkTextLength(text.replace(/\\|<\/|\r\n|[\u2028\u2029\n\r"'`$]/g, (found) => ESCAPES[found] ?? found))
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '</': '<\\/',
  '\r\n': '\\n',
  '\n': '\\n',
  '\r': '\\n',
  '\u2028': '&#x2028;',
  '\u2029': '&#x2029;',
  '"': '\\"',
  "'": "\\'",
  '`': '\\`',
  $: '\\$',
}
