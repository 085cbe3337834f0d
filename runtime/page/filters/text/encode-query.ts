/** Encodes texts for the query of a URL. */
import { toBytes, Encoded } from '../../values/bytes.ts'
import { checkTextLength } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { chargeText } from '../../values/meter.ts'

/** Returns the text of a value, percent-encoded for a query. @throws LimitFault for a text that grows too long */
export function encodeQuery(value: unknown): string {
  const text = str(value)
  if (value instanceof Encoded || !text.isWellFormed()) return encodeBytes(toBytes(value))
  if (/^[\w.~-]*$/.test(text)) return text
  chargeText(8 * text.length)
  return checkTextLength(encodeURIComponent(text).replace(/%20|[!'()*]/g, encodeRemaining))
}

function encodeRemaining(part: string): string {
  return part === '%20' ? '+' : percentEncode(part)
}

function encodeBytes(bytes: Buffer): string {
  return checkTextLength(
    bytes.toString('latin1').replace(/[^\w.~-]/g, (character) => (character === ' ' ? '+' : percentEncode(character))),
  )
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
