/** `gzip_decompress`: the text of gzip data. */
import { gunzipSync } from 'node:zlib'
import { ArgumentFault } from '../../fault.ts'
import { toBytes, decodeBytes } from '../../values/bytes.ts'
import { MAX_TEXT, tooLong } from '../../values/value-limits.ts'
import type { Textual } from '../types.ts'

export const dialect = 'platform'

/**
 * The decompressed text of gzip data.
 * A result that is too long ends the render.
 * @throws ArgumentFault for invalid gzip data
 */
export function gzip_decompress(input: Textual): string {
  const bytes = toBytes(input)
  try {
    return decodeBytes(gunzipSync(bytes, { maxOutputLength: MAX_TEXT }))
  } catch (error) {
    // A few bytes may expand to gigabytes.
    if (error instanceof RangeError) throw tooLong()
    throw new ArgumentFault('gzip_decompress filter - the text is not compressed by gzip')
  }
}
