/** `encode`: the same characters in another encoding. */
import { ArgumentFault } from '../../fault.ts'
import { bytesOf, type Encoded } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'
import { encodingNamed } from './encoding-names.ts'
import { decodeStrictly, encodeStrictly, labelled } from './encodings.ts'

export const dialect = 'platform'

/**
 * The characters that the bytes of the text are in the source encoding, as bytes of the destination encoding.
 * @throws ArgumentFault for an unknown encoding, bytes that are no characters, and characters that the destination lacks
 */
export function encode(text: Textual, destination_encoding: Textual, source_encoding: Textual): string | Encoded {
  const to = encodingNamed(destination_encoding, 'encode')
  const from = encodingNamed(source_encoding, 'encode')
  const characters = decodeStrictly(bytesOf(text), from)
  if (characters === null) throw new ArgumentFault(`encode filter - the text is not valid in ${from}`)
  const bytes = encodeStrictly(characters, to)
  if (bytes === null) throw new ArgumentFault(`encode filter - ${to} lacks a character of the text`)
  return labelled(bytes, to)
}
