/** `url_encode`: a text for the query of a URL. */
import type { Textual } from '../types.ts'
import { encodeQuery } from './query-text.ts'

/**
 * The text with everything but letters, digits and `-._~` percent-encoded, a space as `+`; nil stays nil.
 * A result that is too long ends the render.
 */
export function url_encode(input: Textual): string | null {
  if (input === null || input === undefined) return null
  return encodeQuery(input)
}
