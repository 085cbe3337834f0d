/** Base64 as the reference reads it: strictly, or not at all. */
import { ArgumentFault } from '../../fault.ts'
import { textOfBytes } from '../../values/bytes.ts'

/** The text that Base64 encodes. @throws ArgumentFault for anything that is not exactly Base64 */
export function decodeStrictly(text: string, filter: string): string {
  const whole = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
  const bytes = Buffer.from(text, 'base64')
  // Bits behind the last byte must be 0, so encoding again gives the same text.
  if (!whole || bytes.toString('base64') !== text) throw new ArgumentFault(`invalid base64 provided to ${filter}`)
  return textOfBytes(bytes)
}
