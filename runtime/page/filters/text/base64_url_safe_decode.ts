/** `base64_url_safe_decode`: the text of URL-safe Base64. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { decodeStrictBase64 } from './base64.ts'

/**
 * The decoded text of Base64 with `-` and `_`; padding may be missing.
 * @throws ArgumentFault `invalid base64 provided to base64_url_safe_decode`
 */
export function base64_url_safe_decode(input: Textual): string {
  const text = str(input).replaceAll('-', '+').replaceAll('_', '/')
  const padded = text.endsWith('=') ? text : text.padEnd(Math.ceil(text.length / 4) * 4, '=')
  return decodeStrictBase64(padded, 'base64_url_safe_decode')
}
