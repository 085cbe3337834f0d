/** Validates names and values of response headers. */
import { ArgumentFault } from './fault.ts'

export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Returns a header ready to send: its name in lower case, and both trimmed.
 * @throws ArgumentFault for a name or value that would break the response
 */
export function normalizeHeader(name: string, value: string): readonly [name: string, value: string] {
  const key = name.trim().toLowerCase()
  const text = value.trim()
  if (HEADER_NAME.test(key) && HEADER_VALUE.test(text)) return [key, text]
  throw new ArgumentFault(`response_headers: '${name.slice(0, 100)}' is not a valid header`)
}
