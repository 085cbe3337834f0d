/** The W3C trace context as far as everyone needs it: the id of the trace that a request belongs to. */

const PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/

/** The id in a `traceparent` header; null for one that is missing or malformed. */
export function traceIdOf(header: string): string | null {
  if (header === '') return null
  const found = PARENT.exec(header)
  // The first version has nothing behind its flags.
  return found === null || (header.startsWith('00') && header.length !== 55) ? null : (found[1] ?? null)
}
