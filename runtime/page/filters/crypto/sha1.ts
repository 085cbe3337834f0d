/** `sha1`: the SHA-1 hash of a text. */
import { createHash } from 'node:crypto'
import { toBytes } from '../../values/bytes.ts'
import type { Textual } from '../types.ts'

export const deprecated = 'digest'
export const dialect = 'platform'

/** The SHA-1 hash of the text as hex. */
export function sha1(input: Textual): string {
  return createHash('sha1').update(toBytes(input)).digest('hex')
}
