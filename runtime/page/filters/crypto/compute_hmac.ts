/** `compute_hmac`: the keyed hash of a text. */
import { createHmac } from 'node:crypto'
import { toBytes } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'
import { findAlgorithm, formatBytes, KEYED_ALGORITHMS } from './algorithms.ts'

export const dialect = 'platform'

/**
 * The keyed hash of the text (md5, ripemd160, sha1, sha224, sha256, sha384, sha512; dss1 is sha1) as hex, as Base64,
 * or with `none` as bytes.
 * @throws ArgumentFault for an unknown algorithm or form
 */
export function compute_hmac(
  input: Textual,
  secret: Textual,
  algorithm: Textual = 'sha256',
  form: Textual = 'hex',
): string {
  const name = findAlgorithm(algorithm, 'compute_hmac', KEYED_ALGORITHMS)
  // OpenSSL used the name `dss1` for SHA-1 in DSA signatures.
  const mac = createHmac(name === 'dss1' ? 'sha1' : name, toBytes(secret)).update(toBytes(input))
  return formatBytes(mac.digest(), form, 'compute_hmac')
}
