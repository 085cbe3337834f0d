/** `scrub`: a text without invalid bytes. */
import { toBytes, type Encoded } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'
import { findEncoding } from './encoding-names.ts'
import { decodeLoosely, encodeLoosely, withEncoding } from './encodings.ts'

export const dialect = 'platform'

/**
 * The bytes of the text, read in the source encoding and converted to the final encoding. Invalid bytes, and
 * characters that the final encoding lacks, are omitted.
 * @throws ArgumentFault for an unknown encoding
 */
export function scrub(
  text: Textual,
  source_encoding: Textual = 'UTF-8',
  final_encoding: Textual = 'UTF-8',
): string | Encoded {
  const from = findEncoding(source_encoding ?? 'UTF-8', 'scrub')
  const to = findEncoding(final_encoding ?? 'UTF-8', 'scrub')
  return withEncoding(encodeLoosely(decodeLoosely(toBytes(text), from), to), to)
}
