/** Reads and writes cookies. The session has two cookies: its id, and a CSRF token that scripts can read. */

export const SESSION_COOKIE = '_pos_session'
export const TOKEN_COOKIE = 'CSRF-TOKEN'

export interface CookieRules {
  readonly sameSite: 'Lax' | 'Strict' | 'None'
  /** Whether the visitor's connection is encrypted. */
  readonly secure: boolean
}

/** Browsers keep cookies for at most 400 days. */
const MAX_AGE = 400 * 86_400

/** Returns the undecoded value of the first cookie with this name, or null when there is none. */
export function readCookie(header: string, name: string): string | null {
  if (!header.includes(name)) return null
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim()
  }
  return null
}

/**
 * Formats a value of the `set-cookie` header.
 * @param seconds lifetime of the cookie; 0 removes it
 */
export function formatCookie(name: string, value: string, seconds: number, rules: CookieRules): string {
  const age = Math.min(Math.max(0, Math.ceil(seconds)), MAX_AGE)
  const httpOnly = name === TOKEN_COOKIE ? '' : '; HttpOnly'
  return `${name}=${value}; Path=/; Max-Age=${age}${httpOnly}${rules.secure ? '; Secure' : ''}; SameSite=${rules.sameSite}`
}
