/** `compute_hmac`: the keyed hash of a text. */
import { createHmac } from 'node:crypto'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { algorithmNamed, encodingNamed } from './algorithms.ts'

export const dialect = 'platform'

/**
 * The keyed hash of the text as hex or Base64.
 * @throws ArgumentFault for an unknown algorithm or form
 */
export function compute_hmac(
  input: Textual,
  secret: Textual,
  algorithm: Textual = 'sha256',
  form: Textual = 'hex',
): string {
  const encoding = encodingNamed(form, 'compute_hmac')
  return createHmac(algorithmNamed(algorithm, 'compute_hmac'), str(secret)).update(str(input)).digest(encoding)
}
