/** `unescape_javascript`: the inverse of `escape_javascript`. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

export const dialect = 'platform'

/** The text without the escapes of `escape_javascript`. */
export function unescape_javascript(input: Textual): string {
  return str(input).replace(/\\(n|\/|[\\"'`$])|&#x(2028|2029);/g, (_, character?: string, code?: string) => {
    if (code !== undefined) return code === '2028' ? '\u2028' : '\u2029'
    return character === 'n' ? '\n' : (character ?? '')
  })
}
