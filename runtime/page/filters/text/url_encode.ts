/** `url_encode`: a text encoded for the query of a URL. */
import type { Textual } from '../types.ts'
import { encodeQuery } from './encode-query.ts'

/**
 * The text with all characters except letters, digits and `-._~` percent-encoded, and with spaces as `+`. Nil stays
 * nil.
 * A result that is too long ends the render.
 */
export function url_encode(input: Textual): string | null {
  if (input === null || input === undefined) return null
  return encodeQuery(input)
}
