/** `base64_decode`: the text that Base64 encodes. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { decodeStrictly } from './base64.ts'

/**
 * The text of strict Base64, line ends ignored.
 * @throws ArgumentFault `invalid base64 provided to base64_decode`
 */
export function base64_decode(input: Textual): string {
  return decodeStrictly(str(input).replace(/[\r\n]/g, ''), 'base64_decode')
}
