/** `url_decode`: the text of an encoded URL component. */
import { ArgumentFault } from '../../fault.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/**
 * The text with `+` as a space and percent-encoded bytes read as UTF-8. Nil stays nil.
 * @throws ArgumentFault for bytes that are not UTF-8
 */
export function url_decode(input: Textual): string | null {
  if (input === null || input === undefined) return null
  const text = str(input).replaceAll('+', ' ')
  if (!text.includes('%')) return text
  try {
    // A `%` without two hexadecimal digits is literal.
    return decodeURIComponent(text.replace(/%(?![0-9a-fA-F]{2})/g, '%25'))
  } catch {
    throw new ArgumentFault('invalid byte sequence in UTF-8')
  }
}
