/** Opens visitors' sessions: a row behind a signed cookie with fields, flash messages, and the CSRF tokens of forms. */
import { isForeign } from '../http/foreign.ts'
import { headerOf, type Request } from '../http/message.ts'
import type { Params } from '../http/params.ts'
import type { OpenSession, Session } from '../site/session.ts'
import { cookieOf, SESSION_COOKIE } from './cookies.ts'
import { isTokenOf } from './csrf.ts'
import { rowOf } from './tickets.ts'
import { type SessionLookup, type SessionParts, VisitorSession } from './visitor-session.ts'

/** Schemes that browsers add themselves, to requests of other sites too. */
const OF_BROWSERS = /^(?:basic|digest|negotiate|ntlm)(?: |$)/i

/** Creates the function that opens the session of a request. */
export function createSessions(parts: SessionParts): OpenSession {
  return (request, params, program = false) => {
    const header = request.cookie
    const sent = header === '' ? null : cookieOf(header, SESSION_COOKIE)
    const authorization = request.authorization
    const reads = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    // Clients with a token have no session.
    const tokenBearer = authorization !== '' && !OF_BROWSERS.test(authorization)
    const session = new VisitorSession(parts, request, params, reads || authorization !== '', tokenBearer, program)
    if (sent === null || tokenBearer) return session
    return openSent(parts, session, sent, (secret) => {
      if (reads || holdsToken(secret, request, params)) return 'resume'
      // Another site must not end the session of its visitor.
      return authorization === '' && !isForeign(request, parts.isOurs) ? 'discard' : 'keep'
    })
  }
}

/** Opens the session that a cookie names. @param fate what becomes of it in this request, by its secret */
async function openSent(
  parts: SessionParts,
  session: VisitorSession,
  sent: string,
  fate: (secret: Buffer) => 'resume' | 'discard' | 'keep',
): Promise<Session> {
  const lookup = await find(parts, sent)
  // The cookie is kept: the request may have been sent before a sign-in whose answer arrived first.
  if (lookup === null) return session
  session.recognize(lookup)
  const becomes = fate(lookup.secret)
  if (becomes === 'resume') session.resume(lookup)
  else if (becomes === 'discard') session.discard(lookup.ticket)
  return session
}

/** The session that a cookie names; null when the cookie is not signed by us, or the session has expired or ended. */
async function find(
  { tickets, rows, timeoutInMinutes, now }: SessionParts,
  sent: string,
): Promise<SessionLookup | null> {
  const ticket = tickets.read(sent)
  if (ticket === null) return null
  if (ticket.kind === 'fresh') {
    const lives = now() / 60_000 - ticket.minute < timeoutInMinutes
    return lives ? { ticket, secret: tickets.secretOf(ticket), row: null } : null
  }
  const row = await rows.read(rowOf(ticket))
  return row === null ? null : { ticket, secret: row.csrf, row }
}

function holdsToken(secret: Buffer, request: Request, params: Params): boolean {
  return isTokenOf(secret, params.authenticity_token) || isTokenOf(secret, headerOf(request, 'x-csrf-token'))
}
