/** `encoding`: the name of a text's encoding. */
import { Encoded, containsRawBytes } from '../../values/bytes.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { BINARY, UTF8 } from './encoding-names.ts'

export const dialect = 'platform'

/** The encoding of the text: UTF-8, the one set by `encode` or `force_encoding`, or ASCII-8BIT for invalid bytes. */
export function encoding(text: Textual): string {
  if (text instanceof Encoded) return text.$encoding
  return containsRawBytes(str(text)) ? BINARY : UTF8
}
