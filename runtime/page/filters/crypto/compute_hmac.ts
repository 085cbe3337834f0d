/** `compute_hmac`: the keyed hash of a text. */
import { createHmac } from 'node:crypto'
import { bytesOf } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'
import { algorithmNamed, formed, KEYED_ALGORITHMS } from './algorithms.ts'

export const dialect = 'platform'

/**
 * The keyed hash of the text (md5, ripemd160, sha1, also as dss1, sha224, sha256, sha384, sha512) as hex, as Base64, or with `none` as bytes.
 * @throws ArgumentFault for an unknown algorithm or form
 */
export function compute_hmac(
  input: Textual,
  secret: Textual,
  algorithm: Textual = 'sha256',
  form: Textual = 'hex',
): string {
  const name = algorithmNamed(algorithm, 'compute_hmac', KEYED_ALGORITHMS)
  // OpenSSL called SHA-1 so where it signed with DSA.
  const mac = createHmac(name === 'dss1' ? 'sha1' : name, bytesOf(secret)).update(bytesOf(input))
  return formed(mac.digest(), form, 'compute_hmac')
}
