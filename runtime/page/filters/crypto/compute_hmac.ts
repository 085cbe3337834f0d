/** `compute_hmac`: the keyed hash of a text. */
import { createHmac } from 'node:crypto'
import { bytesOf } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'
import { algorithmNamed, formed } from './algorithms.ts'

export const dialect = 'platform'

/**
 * The keyed hash of the text as hex, as Base64, or with `none` as bytes.
 * @throws ArgumentFault for an unknown algorithm or form
 */
export function compute_hmac(
  input: Textual,
  secret: Textual,
  algorithm: Textual = 'sha256',
  form: Textual = 'hex',
): string {
  const mac = createHmac(algorithmNamed(algorithm, 'compute_hmac'), bytesOf(secret)).update(bytesOf(input))
  return formed(mac.digest(), form, 'compute_hmac')
}
