/** `force_encoding`: the same bytes under another label. */
import { bytesOf, type Encoded } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'
import { encodingNamed } from './encoding-names.ts'
import { labelled } from './encodings.ts'

export const dialect = 'platform'

/**
 * The bytes of the text, read in another encoding from now on.
 * @throws ArgumentFault for an unknown encoding
 */
export function force_encoding(text: Textual, encoding: Textual): string | Encoded {
  return labelled(bytesOf(text), encodingNamed(encoding, 'force_encoding'))
}
