/** Checks and applies the headers that a page sets. */
import { LiquidFault } from '../../../runtime/page/fault.ts'
import { normalizeHeader } from '../../../runtime/page/headers.ts'

/**
 * Headers that a page cannot set: the language has its own rules for caching and cookies, and wrong framing would break
 * the connection.
 */
const RESERVED = new Set([
  'cache-control',
  'etag',
  'set-cookie',
  'x-request-id',
  'x-xss-protection',
  'connection',
  'content-length',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Applies a page's headers to those already set; an empty value removes a header.
 * @throws LiquidFault for an invalid name or value
 */
export function applyHeaders(headers: Record<string, string>, changes: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(changes)) {
    if (RESERVED.has(name.trim().toLowerCase())) continue
    const [key, text] = normalizeHeader(name, value === null || value === undefined ? '' : String(value))
    if (text === '') delete headers[key]
    else headers[key] = text
  }
}

/**
 * Parses the `response_headers` setting: JSON text of one object.
 * @throws LiquidFault
 */
export function parseHeaders(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    // treated below like JSON of another shape
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new LiquidFault('response_headers: expected the text of one JSON object')
  }
  return Object.fromEntries(Object.entries(value))
}
