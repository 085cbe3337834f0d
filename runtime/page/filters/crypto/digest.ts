/** `digest`: the cryptographic hash of a text. */
import { createHash } from 'node:crypto'
import { toBytes } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'
import { findAlgorithm, formatBytes } from './algorithms.ts'

export const dialect = 'platform'

/**
 * The hash of the text (md5, sha1, sha256, sha384, sha512) as hex, as Base64, or with `none` as bytes.
 * @throws ArgumentFault for an unknown algorithm or form
 */
export function digest(input: Textual, algorithm: Textual = 'sha1', form: Textual = 'hex'): string {
  return formatBytes(createHash(findAlgorithm(algorithm, 'digest')).update(toBytes(input)).digest(), form, 'digest')
}
