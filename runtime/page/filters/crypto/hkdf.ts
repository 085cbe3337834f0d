/** `hkdf`: a key derived from another secret. */
import { createHash, hkdfSync } from 'node:crypto'
import { ArgumentFault } from '../../fault.ts'
import { toBytes, decodeBytes } from '../../values/bytes.ts'
import { integerArgument } from '../number-arguments.ts'
import type { Numeric, Textual } from '../types.ts'
import { findAlgorithm } from './algorithms.ts'

export const dialect = 'platform'

/** Maximum length of `info` that OpenSSL accepts, in bytes. */
const MAX_INFO = 1024

/**
 * `length` bytes derived from the text by HKDF (RFC 5869).
 * @throws ArgumentFault for an unknown hash, a length that is not 1 to 255 times that of the hash, and an `info` above 1,024 bytes
 */
export function hkdf(
  ikm: Textual,
  salt: Textual = '',
  info: Textual = '',
  length: Numeric = 32,
  hash_algorithm: Textual = 'sha256',
): string {
  const algorithm = findAlgorithm(hash_algorithm ?? 'sha256', 'hkdf')
  const count = integerArgument(length ?? 32, 'hkdf', 'length')
  const maxLength = 255 * createHash(algorithm).digest().length
  if (count < 1 || count > maxLength)
    throw new ArgumentFault(`hkdf filter - length must be 1 to ${maxLength} with ${algorithm}`)
  const context = toBytes(info)
  if (context.length > MAX_INFO) throw new ArgumentFault(`hkdf filter - info must be at most ${MAX_INFO} bytes`)
  return decodeBytes(new Uint8Array(hkdfSync(algorithm, toBytes(ikm), toBytes(salt), context, count)))
}
