/** `base64_decode` of base Liquid: the text of strict Base64. */
import { str } from '../../values/text.ts'
import { decodeStrictBase64 } from '../text/base64.ts'
import type { Textual } from '../types.ts'

export const dialect = 'liquid'

/**
 * The decoded text of strict Base64. Line breaks are ignored.
 * @throws ArgumentFault `invalid base64 provided to base64_decode`
 */
export function base64_decode(input: Textual): string {
  return decodeStrictBase64(str(input).replace(/[\r\n]/g, ''), 'base64_decode')
}
