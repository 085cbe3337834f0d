/** `base64_url_safe_encode`: a text as Base64 with the letters that URLs allow. */
import { bounded } from '../../values/limits.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/**
 * The UTF-8 bytes of the text as Base64 with `-` and `_`, and with padding.
 * One that grows too long ends the render.
 */
export function base64_url_safe_encode(input: Textual): string {
  const text = Buffer.from(str(input), 'utf8').toString('base64')
  return bounded(text.replaceAll('+', '-').replaceAll('/', '_'))
}
