/** `gzip_compress`: a text compressed by gzip. */
import { gzipSync } from 'node:zlib'
import { toBytes, decodeBytes } from '../../values/bytes.ts'
import { checkTextLength } from '../../values/value-limits.ts'
import type { Textual } from '../types.ts'

export const dialect = 'platform'

/**
 * The text compressed by gzip, as bytes.
 * A result that is too long ends the render.
 */
export function gzip_compress(input: Textual): string {
  return checkTextLength(decodeBytes(gzipSync(toBytes(input))))
}
