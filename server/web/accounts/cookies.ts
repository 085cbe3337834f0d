/** Reads and writes cookies: of a session its id and a CSRF token, which alone scripts can read. */

export const SESSION_COOKIE = '_pos_session'
export const TOKEN_COOKIE = 'CSRF-TOKEN'

export interface CookieRules {
  readonly sameSite: 'Lax' | 'Strict' | 'None'
  /** Whether the visitor's connection is encrypted. */
  readonly secure: boolean
}

/** Browsers keep no cookie longer than 400 days. */
const MAX_AGE = 400 * 86_400

/** The value of the first cookie with this name, undecoded; null when there is none. */
export function cookieOf(header: string, name: string): string | null {
  if (!header.includes(name)) return null
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim()
  }
  return null
}

/**
 * A value for the `set-cookie` header.
 * @param seconds how long the cookie lives; 0 removes it
 */
export function setCookie(name: string, value: string, seconds: number, rules: CookieRules): string {
  const age = Math.min(Math.max(0, Math.ceil(seconds)), MAX_AGE)
  const hidden = name === TOKEN_COOKIE ? '' : '; HttpOnly'
  return `${name}=${value}; Path=/; Max-Age=${age}${hidden}${rules.secure ? '; Secure' : ''}; SameSite=${rules.sameSite}`
}
