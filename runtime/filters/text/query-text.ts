/** Texts for the query of a URL. */
import { bounded } from '../../values/limits.ts'

/** A text percent-encoded for a query. @throws LimitFault for a text that grows too long */
export function encodeQuery(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text
  // Half a surrogate pair is no character.
  return bounded(encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/%20|[!'()*]/g, encodeRest))
}

function encodeRest(part: string): string {
  return part === '%20' ? '+' : `%${part.charCodeAt(0).toString(16).toUpperCase()}`
}
