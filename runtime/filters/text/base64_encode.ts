/** `base64_encode`: a text as Base64. */
import { bounded } from '../../values/limits.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/**
 * The UTF-8 bytes of the text as Base64 with padding.
 * One that grows too long ends the render.
 */
export function base64_encode(input: Textual): string {
  return bounded(Buffer.from(str(input), 'utf8').toString('base64'))
}
