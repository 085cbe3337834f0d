/** `base64_url_safe_encode`: a text as URL-safe Base64. */
import { toBytes } from '../../values/bytes.ts'
import { checkTextLength } from '../../values/value-limits.ts'
import type { Textual } from '../types.ts'

/**
 * The bytes of the text as Base64 with `-` and `_`, and with padding.
 * A result that is too long ends the render.
 */
export function base64_url_safe_encode(input: Textual): string {
  const text = toBytes(input).toString('base64')
  return checkTextLength(text.replaceAll('+', '-').replaceAll('/', '_'))
}
