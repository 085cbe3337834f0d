/** `digest`: the cryptographic hash of a text. */
import { createHash } from 'node:crypto'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { algorithmNamed, encodingNamed } from './algorithms.ts'

export const dialect = 'platform'

/**
 * The hash of the text (md5, sha1, sha256, sha384, sha512) as hex or Base64.
 * @throws ArgumentFault for an unknown algorithm or form
 */
export function digest(input: Textual, algorithm: Textual = 'sha1', form: Textual = 'hex'): string {
  const encoding = encodingNamed(form, 'digest')
  return createHash(algorithmNamed(algorithm, 'digest')).update(str(input)).digest(encoding)
}
