/**
 * The journey of a visitor to a provider and back. A signed cookie of the browser holds it, one cookie for each journey, so that
 * several tabs work. The nonce and the code verifier are derived from the state with the server's secret, so they never leave the server
 * except for the provider. The database keeps the states that have come back, so that each is accepted once.
 */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { prepared, sql } from '../../../runtime/data/sql/sql.ts'
import { sameDigest } from '../../data/store/tokens.ts'
import type { RunAccountStatement } from './run-statement.ts'
import { type CookieRules, formatCookie } from './cookies.ts'

export interface Journey {
  /** Returned by the provider; also tells the journeys of a browser apart. */
  readonly state: string
  /** Name of the provider. */
  readonly provider: string
  /** Where the visitor goes afterwards: a path of this site. */
  readonly returnTo: string
  /** Id of the user who was signed in and links an identity; null for a visitor who signs in. */
  readonly user: string | null
}

interface StartedJourney {
  readonly journey: Journey
  /** Values of `set-cookie`: the new journey, and the removal of the oldest ones. */
  readonly cookies: readonly string[]
}

export interface Journeys {
  /** Begins a journey. @param cookies the sent cookies */
  start(journey: Omit<Journey, 'state'>, cookies: string, secure: boolean): StartedJourney
  /** Returns the journey with a state that this browser has begun; null when there is none, or when it has expired. */
  find(state: string, cookies: string, secure: boolean): Journey | null
  /**
   * Marks a journey as ended. Returns false when it had ended before.
   * @throws SessionsAway
   */
  end(journey: Journey): Promise<boolean>
  /** Returns the `set-cookie` value that removes a journey. */
  forget(state: string, secure: boolean): string
  /** Returns the nonce and the code verifier of a journey. */
  secretsOf(state: string): { readonly nonce: string; readonly verifier: string }
}

/** Minutes in which a visitor has to come back. Some have to look up a password, or confirm an address. */
const LIFETIME = 15
/** Maximum number of journeys of a browser at once, and maximum length of the path to return to. Servers refuse requests with long cookies. */
const MAX_JOURNEYS = 5
const MAX_PATH = 600

const STATE = /^[\w-]{43}$/
const PAYLOAD = z.tuple([z.string().regex(STATE), z.number().int(), z.string(), z.string(), z.string().nullable()])

const INSERT_STATE = prepared<[state: string, minutes: number]>(
  (state, minutes) => sql`insert into ingot.used_states (state, until)
    values (decode(${state}, 'hex'), now() + ${minutes}::float8 * interval '1 minute') on conflict do nothing returning 1`,
)

/**
 * Creates the functions for journeys.
 * @param secret the installation's secret
 * @param now returns the current time in milliseconds
 */
export function createJourneys(secret: string, runStatement: RunAccountStatement, now: () => number): Journeys {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot sign-in journeys', 32))
  const mac = (purpose: string, text: string): Buffer =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest()
  const rules = (secure: boolean): CookieRules => ({ sameSite: 'Lax', secure })
  const minuteNow = (): number => Math.floor(now() / 60_000)
  const nameOf = (state: string, secure: boolean): string =>
    `${prefixOf(secure)}${mac('name', state).subarray(0, 9).toString('base64url')}`

  function write({ state, provider, returnTo, user }: Journey): string {
    const payload = Buffer.from(JSON.stringify([state, minuteNow(), provider, returnTo, user])).toString('base64url')
    return `${payload}.${mac('cookie', payload).toString('base64url')}`
  }

  /** Returns the journey in a cookie and the minute in which it began; null for a cookie that is forged or has expired. */
  function read(value: string): { readonly journey: Journey; readonly minute: number } | null {
    const [payload = '', signature = '', ...rest] = value.split('.')
    const expected = mac('cookie', payload).toString('base64url')
    if (rest.length > 0 || !sameDigest(Buffer.from(signature), Buffer.from(expected))) return null
    const [state, minute, provider, returnTo, user] = PAYLOAD.parse(
      JSON.parse(Buffer.from(payload, 'base64url').toString()),
    )
    const age = minuteNow() - minute
    return age < 0 || age > LIFETIME ? null : { journey: { state, provider, returnTo, user }, minute }
  }

  return {
    start(begun, cookies, secure) {
      const isShort = begun.returnTo.length <= MAX_PATH
      const journey = {
        ...begun,
        returnTo: isShort ? begun.returnTo : '/',
        state: randomBytes(32).toString('base64url'),
      }
      const others = sentJourneys(cookies, secure)
        .map(({ name, value }) => ({ name, minute: read(value)?.minute ?? Number.NEGATIVE_INFINITY }))
        .toSorted((a, b) => b.minute - a.minute)
      const removed = others.slice(MAX_JOURNEYS - 1).map(({ name }) => formatCookie(name, '', 0, rules(secure)))
      const own = formatCookie(nameOf(journey.state, secure), write(journey), LIFETIME * 60, rules(secure))
      return { journey, cookies: [own, ...removed] }
    },
    find(state, cookies, secure) {
      if (!STATE.test(state)) return null
      const name = nameOf(state, secure)
      const sent = sentJourneys(cookies, secure).find((each) => each.name === name)
      const journey = sent === undefined ? null : (read(sent.value)?.journey ?? null)
      return journey?.state === state ? journey : null
    },
    async end({ state }) {
      // A digest is enough to recognize a state. Readers of the table cannot use it to sign in.
      const rows = await runStatement(INSERT_STATE(mac('used', state).toString('hex'), 2 * LIFETIME), 'write')
      return rows.length > 0
    },
    forget: (state, secure) => formatCookie(nameOf(state, secure), '', 0, rules(secure)),
    secretsOf: (state) => ({
      nonce: mac('nonce', state).toString('base64url'),
      verifier: mac('verifier', state).toString('base64url'),
    }),
  }
}

/** The prefix `__Host-` prevents subdomains from setting the cookie. Browsers accept it only over encrypted connections. */
function prefixOf(secure: boolean): string {
  return `${secure ? '__Host-' : ''}ingot_sign_in_`
}

/** Returns the cookies of journeys that a browser has sent. */
function sentJourneys(cookies: string, secure: boolean): readonly { readonly name: string; readonly value: string }[] {
  const prefix = prefixOf(secure)
  if (!cookies.includes(prefix)) return []
  return cookies.split(';').flatMap((part) => {
    const equals = part.indexOf('=')
    const name = part.slice(0, Math.max(0, equals)).trim()
    return name.startsWith(prefix) ? [{ name, value: part.slice(equals + 1).trim() }] : []
  })
}
