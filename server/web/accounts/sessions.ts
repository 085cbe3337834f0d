/**
 * Opens visitors' sessions. A signed cookie refers to a row with fields and flash messages. The session also has the
 * CSRF tokens of forms.
 */
import { isForeign } from '../http/foreign.ts'
import { headerOf, type Request } from '../http/message.ts'
import type { Params } from '../http/params.ts'
import type { OpenSession, Session } from '../site/session.ts'
import { readCookie, SESSION_COOKIE } from './cookies.ts'
import { isTokenOf } from './csrf.ts'
import { rowKeyOf } from './tickets.ts'
import { type SessionLookup, type SessionDependencies, VisitorSession } from './visitor-session.ts'

/** Authorization schemes that browsers add automatically, even to cross-site requests. */
const BROWSER_SCHEMES = /^(?:basic|digest|negotiate|ntlm)(?: |$)/i

/** Creates the function that opens the session of a request. */
export function createSessions(dependencies: SessionDependencies): OpenSession {
  return (request, params, program = false) => {
    const header = request.cookie
    const sentCookie = header === '' ? null : readCookie(header, SESSION_COOKIE)
    const authorization = request.authorization
    const isReadOnly = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    // Clients with a token have no session.
    const hasApiToken = authorization !== '' && !BROWSER_SCHEMES.test(authorization)
    const session = new VisitorSession(
      dependencies,
      request,
      params,
      isReadOnly || authorization !== '',
      hasApiToken,
      program,
    )
    if (sentCookie === null || hasApiToken) return session
    return openFromCookie(dependencies, session, sentCookie, (secret) => {
      if (isReadOnly || hasCsrfToken(secret, request, params)) return 'resume'
      // A page of another site must not end the visitor's session.
      return authorization === '' && !isForeign(request, dependencies.isOwnHost) ? 'discard' : 'keep'
    })
  }
}

/**
 * Opens the session that a cookie refers to.
 * @param decide returns what to do with the session, given its CSRF secret
 */
async function openFromCookie(
  dependencies: SessionDependencies,
  session: VisitorSession,
  cookie: string,
  decide: (secret: Buffer) => 'resume' | 'discard' | 'keep',
): Promise<Session> {
  const lookup = await findSession(dependencies, cookie)
  // The cookie is kept, because the request may have been sent before a sign-in whose response arrived first.
  if (lookup === null) return session
  session.recognize(lookup)
  const decision = decide(lookup.secret)
  if (decision === 'resume') session.resume(lookup)
  else if (decision === 'discard') session.discard(lookup.ticket)
  return session
}

/**
 * Returns the session that a cookie refers to. Returns null when the cookie has no valid signature, or when the session
 * has expired or ended.
 */
async function findSession(
  { tickets, rows, timeoutInMinutes, now }: SessionDependencies,
  cookie: string,
): Promise<SessionLookup | null> {
  const ticket = tickets.read(cookie)
  if (ticket === null) return null
  if (ticket.kind === 'fresh') {
    const isAlive = now() / 60_000 - ticket.minute < timeoutInMinutes
    return isAlive ? { ticket, secret: tickets.deriveCsrfSecret(ticket), row: null } : null
  }
  const row = await rows.read(rowKeyOf(ticket))
  return row === null ? null : { ticket, secret: row.csrf, row }
}

function hasCsrfToken(secret: Buffer, request: Request, params: Params): boolean {
  return isTokenOf(secret, params.authenticity_token) || isTokenOf(secret, headerOf(request, 'x-csrf-token'))
}
