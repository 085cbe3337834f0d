/**
 * Visitors who leave for another site with a `state` in the address, and come back by a POST from there: some providers
 * of sign-ins answer so (`response_mode=form_post`). Browsers send no `SameSite=Lax` cookie with such a request, so one
 * more cookie remembers the states with which this browser left. A request that brings one of them was begun here; a
 * stranger, who has a state of their own, cannot make another browser send it with this cookie.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import { sameDigest } from '../../data/store/tokens.ts'
import { cookieOf, setCookie } from './cookies.ts'

/** The prefix keeps subdomains from setting it. */
export const RETURN_COOKIE = '__Host-ingot_return'

/** Minutes in which a visitor has to come back: some have to find a password first. */
const LIFETIME = 60
/** A visitor may leave in several tabs. */
const MAX_STATES = 5
/** A shorter state could be guessed. */
const MIN_LENGTH = 8
const VALUE = /^(?:[0-9a-z]{1,8}-[\w-]{22}(?:\.|$)){1,5}$/

export interface Returns {
  /** The `set-cookie` value that remembers a state, beside those in the sent cookies; null for a state that is guessable. */
  remember(cookies: string, state: string): string | null
  /** Whether the sent cookies remember a state. */
  knows(cookies: string, state: unknown): boolean
  /** The `set-cookie` value that forgets all states. */
  forget(): string
}

/**
 * @param secret of the installation
 * @param now the current time in milliseconds
 */
export function createReturns(secret: string, now: () => number): Returns {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot returns', 32))
  const minuteNow = (): number => Math.floor(now() / 60_000)

  function entryOf(minute: string, state: string): string {
    const mac = createHmac('sha256', key).update(`${minute}\n${state}`).digest()
    return `${minute}-${mac.subarray(0, 16).toString('base64url')}`
  }

  /** The entries of the sent cookie that have not ended. */
  function entriesOf(cookies: string): readonly string[] {
    const value = cookieOf(cookies, RETURN_COOKIE)
    if (value === null || !VALUE.test(value)) return []
    return value.split('.').filter((entry) => {
      const age = minuteNow() - Number.parseInt(entry, 36)
      return age >= 0 && age <= LIFETIME
    })
  }

  return {
    remember(cookies, state) {
      if (state.length < MIN_LENGTH) return null
      const entries = [entryOf(minuteNow().toString(36), state), ...entriesOf(cookies)].slice(0, MAX_STATES)
      return setCookie(RETURN_COOKIE, entries.join('.'), LIFETIME * 60, RULES)
    },
    knows(cookies, state) {
      if (typeof state !== 'string') return false
      return entriesOf(cookies).some((entry) => {
        const own = entryOf(entry.slice(0, entry.indexOf('-')), state)
        return sameDigest(Buffer.from(entry), Buffer.from(own))
      })
    },
    forget: () => setCookie(RETURN_COOKIE, '', 0, RULES),
  }
}

/** The browser has to send it with the provider's POST, which is a request from another site. */
const RULES = { sameSite: 'None', secure: true } as const
