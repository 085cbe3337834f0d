/** Reads the token that a program sends. */

/**
 * Returns the token in an `Authorization` header: `Token abc`, `Token token=abc`, `Token token="abc"` or `Bearer abc`.
 */
export function parseAuthorization(header: string): string | null {
  const value = /^(?:Token|Bearer)\s+(.+)$/i.exec(header.trim())?.[1]
  if (value === undefined) return null
  const tokenMatch = /^token\s*=\s*(?:"([^"]*)"|([^\s",;]+))\s*(?:[,;].*)?$/i.exec(value)
  return tokenMatch?.[1] ?? tokenMatch?.[2] ?? (/^[^\s",;]+$/.test(value) ? value : null)
}
