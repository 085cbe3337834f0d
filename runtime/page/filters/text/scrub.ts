/** `scrub`: a text without bytes that are no characters. */
import { bytesOf, type Encoded } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'
import { encodingNamed } from './encoding-names.ts'
import { decodeLoosely, encodeLoosely, labelled } from './encodings.ts'

export const dialect = 'platform'

/**
 * The characters that the bytes of the text are in the source encoding, in the final encoding; what is none is left out.
 * @throws ArgumentFault for an unknown encoding
 */
export function scrub(
  text: Textual,
  source_encoding: Textual = 'UTF-8',
  final_encoding: Textual = 'UTF-8',
): string | Encoded {
  const from = encodingNamed(source_encoding ?? 'UTF-8', 'scrub')
  const to = encodingNamed(final_encoding ?? 'UTF-8', 'scrub')
  return labelled(encodeLoosely(decodeLoosely(bytesOf(text), from), to), to)
}
