/** `force_encoding`: the same bytes with another encoding. */
import { toBytes, type Encoded } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'
import { findEncoding } from './encoding-names.ts'
import { withEncoding } from './encodings.ts'

export const dialect = 'platform'

/**
 * The bytes of the text, which are read in another encoding from now on.
 * @throws ArgumentFault for an unknown encoding
 */
export function force_encoding(text: Textual, encoding: Textual): string | Encoded {
  return withEncoding(toBytes(text), findEncoding(encoding, 'force_encoding'))
}
