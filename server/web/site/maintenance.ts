/**
 * Maintenance mode (`maintenance` in `app/config.yml`): the answer while a site is closed, and the password form for its
 * staff.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { renderNamed } from '../../../runtime/page/calls.ts'
import type { PageEntry } from '../../../runtime/page/site.ts'
import { contentType } from '../http/formats.ts'
import { type Reply, type Request, redirect } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import { html, htmlReply, plainReply, refusedReply, serverPage } from '../http/plain-reply.ts'
import { statusInSlug } from '../http/routes.ts'
import type { SiteHost, Visit } from './host.ts'
import { guardedRedirect, guardHeaders } from './redirects.ts'
import { createRender } from './render-page.ts'
import { applyHeaders } from './response-headers.ts'
import type { Session } from './session.ts'

const FORM_PATH = '/_maintenance'
/** Session field that records that the visitor has sent the password. */
const PASSED_FIELD = '_maintenance'
/** Maximum length of a password in characters. */
const MAX_PASSWORD = 4_096

/** Returns whether a request to a closed site shows or submits the password form. */
export function isPasswordForm({ site: { options } }: SiteHost['loadedSite'], { method, path }: Request): boolean {
  if (!options.maintenance.enabled) return false
  return method === 'POST' ? path === FORM_PATH : (method === 'GET' || method === 'HEAD') && path === `${FORM_PATH}/new`
}

/** Returns whether the maintenance partial is shown instead of a page. Pages for error statuses are always shown. */
export function isClosed({ site }: SiteHost['loadedSite'], { method }: Request, page: PageEntry): boolean {
  if (!site.options.maintenance.enabled || (method !== 'GET' && method !== 'HEAD')) return false
  return statusInSlug(page) === null
}

/** Returns whether the visitor has sent the password. */
export function hasPassed(session: Session | null): boolean {
  return session?.values[PASSED_FIELD] === true
}

/**
 * Returns the answer instead of a page.
 * @throws LiquidFault
 */
export async function closedReply(host: SiteHost, visit: Visit): Promise<Reply> {
  const { site } = host.loadedSite
  const { partial } = site.options.maintenance
  // A closed site may not have the partial.
  if (!Object.hasOwn(site.partials, partial)) return closedPlainly(host, CLOSED)
  const r = createRender(host, visit, null)
  const body = await renderNamed(r, partial, {})
  const headers: Record<string, string> = { 'content-type': contentType('html'), 'x-frame-options': 'SAMEORIGIN' }
  applyHeaders(headers, r.response.headers)
  guardHeaders(host, visit, headers)
  const redirectTarget = r.response.redirect
  if (redirectTarget === null) return { status: r.response.status, headers, body }
  const reply = guardedRedirect(host, visit, redirectTarget.status, redirectTarget.target)
  return { ...reply, headers: { ...headers, ...reply.headers } }
}

const CLOSED = 'the site is closed by `maintenance` in app/config.yml'

function closedPlainly({ facts }: SiteHost, reason: string): Reply {
  return refusedReply(503, 'html', reason, facts.environment === 'development')
}

/**
 * Shows the password form, or checks the password, records it in the session and redirects.
 * @throws SessionsAway
 */
export async function answerPasswordForm(host: SiteHost, visit: Visit): Promise<Reply> {
  const { request, params, session } = visit
  if (session === null || host.attempts === null)
    return closedPlainly(host, 'the form of a closed site needs a database')
  if (request.method !== 'POST') return form(session, 200)
  // All visitors use one password, so the limit treats it as one account.
  const free = await host.attempts.check(request.ip, FORM_PATH)
  if (free !== 'free') {
    const reply = plainReply(429, 'html', 'Too many attempts: try again later')
    return { ...reply, headers: { ...reply.headers, 'retry-after': String(free.retryAfter) } }
  }
  if (!isPassword(host, params['password'])) return form(session, 403)
  await host.attempts.succeeded(request.ip, FORM_PATH)
  session.set(PASSED_FIELD, true)
  return redirect(302, ownTarget(params['return_to'], request.host) ?? '/')
}

function isPassword({ loadedSite, facts, logger }: SiteHost, sentPassword: unknown): boolean {
  const { passwordConstant } = loadedSite.site.options.maintenance
  const constants = facts.constants()
  const password = Object.hasOwn(constants, passwordConstant) ? constants[passwordConstant] : undefined
  if (password === undefined || password.trim() === '') {
    logger.warn(
      {},
      `The site is closed, and its constant ${passwordConstant} is not set, so no one can enter: set the constant.`,
    )
    return false
  }
  if (typeof sentPassword !== 'string' || sentPassword.length > MAX_PASSWORD) return false
  // Digests have equal lengths, which the constant-time comparison needs.
  return timingSafeEqual(digest(sentPassword), digest(password))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function form(session: Session, status: 200 | 403): Reply {
  const wrong = status === 403 ? '<p role="alert">The password is wrong.</p>' : ''
  const body = `<h1>This site is closed for maintenance</h1>${wrong}
<form action="${FORM_PATH}" method="post">
<input type="hidden" name="authenticity_token" value="${html(session.csrfToken())}">
<label>Password <input type="password" name="password" autocomplete="current-password" required autofocus></label>
<button>Enter</button>
</form>`
  return htmlReply(status, serverPage('Maintenance', body))
}
