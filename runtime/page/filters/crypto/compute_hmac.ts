/** `compute_hmac`: the keyed hash of a text. */
import { bytesOf } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'
import { formed } from './algorithms.ts'
import { keyedHash } from './hmac.ts'

export const dialect = 'platform'

/**
 * The keyed hash of the text (md4, md5, ripemd160, sha1, also as dss1, sha224, sha256, sha384, sha512) as hex, as Base64, or with `none` as bytes.
 * @throws ArgumentFault for an unknown algorithm or form
 */
export function compute_hmac(
  input: Textual,
  secret: Textual,
  algorithm: Textual = 'sha256',
  form: Textual = 'hex',
): string {
  return formed(keyedHash(algorithm, bytesOf(secret), bytesOf(input), 'compute_hmac'), form, 'compute_hmac')
}
