/** `base64_encode`: a text as Base64. */
import { toBytes } from '../../values/bytes.ts'
import { checkTextLength } from '../../values/value-limits.ts'
import type { Textual } from '../types.ts'

/**
 * The bytes of the text as Base64 with padding.
 * A result that is too long ends the render.
 */
export function base64_encode(input: Textual): string {
  return checkTextLength(toBytes(input).toString('base64'))
}
