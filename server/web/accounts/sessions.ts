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
import type { SessionDependencies, SessionLookup } from './session-dependencies.ts'
import { rowKeyOf } from './tickets.ts'
import { VisitorSession } from './visitor-session.ts'

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
      if (isReadOnly || hasCsrfToken(secret, request, params)) return null
      if (isForeign(request, dependencies.isOwnHost)) return FOREIGN
      return hasAnyToken(request, params) ? WRONG_TOKEN : NO_TOKEN
    })
  }
}

/** Why a request may not use the session of its cookie, in sentences for developers. */
const FOREIGN = 'the request came from a page of another site, so it ran without the session of its cookie'
const NO_TOKEN =
  'the request has no CSRF token, so it ran without the signed-in user: write <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}"> inside the form, or send the token in the header X-CSRF-Token'
const WRONG_TOKEN =
  'the CSRF token of the request belongs to another session, so it ran without the signed-in user: open the page with the form again, and print {{ context.authenticity_token }} where nothing caches it'

/**
 * Opens the session that a cookie refers to.
 * @param findProblem returns why the request may not use the session, given its CSRF secret; null when it may
 */
async function openFromCookie(
  dependencies: SessionDependencies,
  session: VisitorSession,
  cookie: string,
  findProblem: (secret: Buffer) => string | null,
): Promise<Session> {
  const lookup = await findSession(dependencies, cookie)
  // The cookie is kept, because the request may have been sent before a sign-in whose response arrived first.
  if (lookup === null) return session
  const problem = findProblem(lookup.secret)
  session.recognize(lookup, problem)
  if (problem === null) session.resume(lookup)
  // A page of another site must not learn or change anything of the visitor's session.
  else if (problem !== FOREIGN) session.suspend(lookup)
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

function hasAnyToken(request: Request, params: Params): boolean {
  return (params.authenticity_token ?? '') !== '' || headerOf(request, 'x-csrf-token') !== ''
}
