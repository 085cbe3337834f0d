/** `url_encode`: a text for the query of a URL. */
import { bounded } from '../../values/limits.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/**
 * The text with everything but letters, digits and `-._~` percent-encoded, a space as `+`; nil stays nil.
 * @throws LimitFault for a text that grows too long
 */
export function url_encode(input: Textual): string | null {
  if (input === null || input === undefined) return null
  return encodeQuery(str(input))
}

/** A text percent-encoded for a query. @throws LimitFault for a text that grows too long */
export function encodeQuery(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text
  // Half a surrogate pair is no character.
  return bounded(encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/%20|[!'()*]/g, encodeRest))
}

function encodeRest(part: string): string {
  return part === '%20' ? '+' : `%${part.charCodeAt(0).toString(16).toUpperCase()}`
}
