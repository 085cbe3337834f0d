/** Headers that a page asks for: which ones it may set, and what a value may hold. */
import { LiquidFault } from '../../runtime/page/fault.ts'
import { sendable } from '../../runtime/page/headers.ts'

/** Ours to decide: caching and cookies by the language's rule, the framing of the answer because a wrong one breaks the connection. */
const KEPT_BACK = new Set([
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
 * Writes headers that a page asks for over the ones that stand; an empty value removes a header.
 * @throws LiquidFault for a name or value that cannot be sent
 */
export function applyHeaders(standing: Record<string, string>, asked: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(asked)) {
    if (KEPT_BACK.has(name.trim().toLowerCase())) continue
    const [key, text] = sendable(name, value === null || value === undefined ? '' : String(value))
    if (text === '') delete standing[key]
    else standing[key] = text
  }
}

/** Reads the `response_headers` setting of a page: JSON text of one object. @throws LiquidFault */
export function parseHeaders(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    // answered below, like JSON of another shape
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new LiquidFault('response_headers: expected the text of one JSON object')
  }
  return value as Record<string, unknown>
}
