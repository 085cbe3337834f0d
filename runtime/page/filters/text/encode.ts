/** `encode`: a text converted to another encoding. */
import { ArgumentFault } from '../../fault.ts'
import { toBytes, type Encoded } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'
import { findEncoding } from './encoding-names.ts'
import { decodeStrictly, encodeStrictly, withEncoding } from './encodings.ts'

export const dialect = 'platform'

/**
 * The bytes of the text, read in the source encoding and converted to the destination encoding.
 * @throws ArgumentFault for an unknown encoding, for invalid bytes, and for characters that the destination lacks
 */
export function encode(text: Textual, destination_encoding: Textual, source_encoding: Textual): string | Encoded {
  const to = findEncoding(destination_encoding, 'encode')
  const from = findEncoding(source_encoding, 'encode')
  const characters = decodeStrictly(toBytes(text), from)
  if (characters === null) throw new ArgumentFault(`encode filter - the text is not valid in ${from}`)
  const bytes = encodeStrictly(characters, to)
  if (bytes === null) throw new ArgumentFault(`encode filter - ${to} lacks a character of the text`)
  return withEncoding(bytes, to)
}
