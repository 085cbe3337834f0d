/** `base64_decode`: the text of Base64. */
import { ArgumentFault } from '../../fault.ts'
import { BoxedText } from '../../values/boxed.ts'
import { decodeBytes } from '../../values/bytes.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

export const dialect = 'platform'

/**
 * The decoded text of Base64. Decoding is lenient: other characters are skipped, and padding ends the input. Nil is
 * the empty text.
 * @throws ArgumentFault for a value that is not text
 */
export function base64_decode(input: Textual): string {
  if (input === null || input === undefined) return ''
  if (typeof input !== 'string' && !(input instanceof BoxedText))
    throw new ArgumentFault('base64_decode filter - first argument must be a string')
  const [characters = ''] = str(input)
    .replace(/[^A-Za-z0-9+/=]+/g, '')
    .split('=', 1)
  return decodeBytes(Buffer.from(characters, 'base64'))
}
