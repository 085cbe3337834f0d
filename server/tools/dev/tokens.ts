/**
 * Tokens for the developer's own pages. A token expires after minutes, ends with the process, and works only for one purpose, on this machine,
 * in requests of the same origin.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isFromHere } from '../../web/http/forwarded.ts'
import type { Request } from '../../web/http/message.ts'
import { isSameOrigin } from '../../web/http/same-origin.ts'

export interface DevTokens {
  /** Returns a token for a purpose, such as `graphql`. */
  issue(purpose: string): string
  /** Returns whether this token was issued for the purpose, and a page of this site on this machine sent the request. */
  accepts(token: string, purpose: string, request: Request): boolean
}

/** Milliseconds for which a token is accepted. */
const TOKEN_LIFETIME = 10 * 60_000
const TOKEN = /^dev-(\d{1,15})-([\w-]{43})$/

/** Creates the tokens of a process. @param now the current time in milliseconds */
export function createDevTokens(now: () => number = Date.now): DevTokens {
  const key = randomBytes(32)

  function sign(purpose: string, until: string): string {
    return createHmac('sha256', key).update(`${until} ${purpose}`).digest('base64url')
  }

  return {
    issue(purpose) {
      const until = String(now() + TOKEN_LIFETIME)
      return `dev-${until}-${sign(purpose, until)}`
    },
    accepts(token, purpose, request) {
      const [, until = '', signature = ''] = TOKEN.exec(token) ?? []
      if (until === '' || !isFromHere(request) || !isSameOrigin(request)) return false
      // Both signatures have the same length, because the pattern fixes the number of characters.
      return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(purpose, until))) && Number(until) > now()
    },
  }
}
