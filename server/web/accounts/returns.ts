/**
 * Remembers visitors who leave for another site with a `state` in the URL. Some sign-in providers send them back with a
 * POST (`response_mode=form_post`), for which browsers send no `SameSite=Lax` cookies. So an additional cookie
 * remembers the states with which this browser left. A request with one of these states was started by this browser. An
 * attacker has a state of another browser and cannot make this browser send it with a matching cookie.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import { sameDigest } from '../../data/store/tokens.ts'
import { readCookie, formatCookie } from './cookies.ts'

/** The prefix prevents subdomains from setting the cookie. */
const RETURN_COOKIE = '__Host-ingot_return'

/** Minutes in which a visitor has to come back. Some have to look up a password first. */
const LIFETIME = 60
/** Maximum number of remembered states. A visitor may leave in several tabs. */
const MAX_STATES = 5
/** Minimum length of a state, because a shorter one could be guessed. */
const MIN_LENGTH = 8
const COOKIE_FORMAT = /^(?:[0-9a-z]{1,8}-[\w-]{22}(?:\.|$)){1,5}$/

export interface Returns {
  /**
   * Returns the `set-cookie` value that adds a state to those in the sent cookies, or null for a state that could be
   * guessed.
   */
  remember(cookies: string, state: string): string | null
  /** Returns whether the sent cookies remember a state. */
  knows(cookies: string, state: unknown): boolean
  /** Returns the `set-cookie` value that removes all states. */
  forget(): string
}

/**
 * Creates the functions that read and write the cookie of states.
 * @param secret the installation's secret
 * @param now returns the current time in milliseconds
 */
export function createReturns(secret: string, now: () => number): Returns {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot returns', 32))
  const minuteNow = (): number => Math.floor(now() / 60_000)

  function createEntry(minute: string, state: string): string {
    const mac = createHmac('sha256', key).update(`${minute}\n${state}`).digest()
    return `${minute}-${mac.subarray(0, 16).toString('base64url')}`
  }

  /** Returns the entries of the sent cookie that have not expired. */
  function readEntries(cookies: string): readonly string[] {
    const value = readCookie(cookies, RETURN_COOKIE)
    if (value === null || !COOKIE_FORMAT.test(value)) return []
    return value.split('.').filter((entry) => {
      const age = minuteNow() - Number.parseInt(entry, 36)
      return age >= 0 && age <= LIFETIME
    })
  }

  return {
    remember(cookies, state) {
      if (state.length < MIN_LENGTH) return null
      const entries = [createEntry(minuteNow().toString(36), state), ...readEntries(cookies)].slice(0, MAX_STATES)
      return formatCookie(RETURN_COOKIE, entries.join('.'), LIFETIME * 60, RULES)
    },
    knows(cookies, state) {
      if (typeof state !== 'string') return false
      return readEntries(cookies).some((entry) => {
        const expected = createEntry(entry.slice(0, entry.indexOf('-')), state)
        return sameDigest(Buffer.from(entry), Buffer.from(expected))
      })
    },
    forget: () => formatCookie(RETURN_COOKIE, '', 0, RULES),
  }
}

/** The browser must send the cookie with the provider's POST, which is a cross-site request. */
const RULES = { sameSite: 'None', secure: true } as const
