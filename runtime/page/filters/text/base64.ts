/** Strict Base64 decoding, as in the reference. */
import { ArgumentFault } from '../../fault.ts'
import { decodeBytes } from '../../values/bytes.ts'

/**
 * Decodes Base64.
 * @throws ArgumentFault for a text that is not strict Base64
 */
export function decodeStrictBase64(text: string, filter: string): string {
  const isComplete = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
  const bytes = Buffer.from(text, 'base64')
  // Encodes again and compares, because the unused bits of the last byte must be 0.
  if (!isComplete || bytes.toString('base64') !== text) throw new ArgumentFault(`invalid base64 provided to ${filter}`)
  return decodeBytes(bytes)
}
