/** Answers a request to a site: built-in endpoints first, then pages, then errors. Never throws. */
import { asFault } from '../../../runtime/page/render.ts'
import { LimitFault, type LiquidFault } from '../../../runtime/page/fault.ts'
import type { Format, PageEntry } from '../../../runtime/page/site.ts'
import { failureOf, NOWHERE } from '../../core/contracts/log.ts'
import { wantedFormats } from '../http/formats.ts'
import { headerOf, pathOf, queryOf, type Reply, type Request, redirect } from '../http/message.ts'
import { plainReply, TRY_AGAIN } from '../http/plain-reply.ts'
import { BadRequest, bodyParams, type Params, queryParams } from '../http/params.ts'
import { type RouteAnswer, slugParams, statusOf, statusPage } from '../http/routes.ts'
import { answerAsset } from './assets.ts'
import { keepLanguage, languageOf } from './context.ts'
import { faultReply, noPageReply } from './error-page.ts'
import type { SiteHost, Visit } from './host.ts'
import { answerPasswordForm, closedReply, hasPassed, isPasswordForm, isClosed } from './maintenance.ts'
import { NotFound } from './not-found.ts'
import { logOriginOf, urlOf } from './log-origin.ts'
import { PageVisit } from './page-visit.ts'
import { Forbidden, renderPage, renderStatusPage } from './render-page.ts'
import { type Session, SessionsAway } from './session.ts'
import { withSessionCookies } from './settle.ts'
import { identifiesVisitor } from './visitor-cache.ts'

/** What is known of a request, so that a failure can be answered. */
interface RequestState {
  readonly request: Request
  params: Params
  format: Format
  /** Null until a page is needed: assets and cached answers need no session. */
  visit: PageVisit | null
  /** The page that answers; null until it is found. */
  page: PageEntry | null
}

export async function answer(host: SiteHost, request: Request): Promise<Reply> {
  const started = performance.now()
  const asked: RequestState = { request, params: {}, format: 'html', visit: null, page: null }
  let reply: Reply
  try {
    reply = await respond(host, request, asked)
  } catch (error) {
    reply = await failure(host, asked, error)
  }
  const session = asked.visit?.session ?? null
  if (session !== null && !session.isUntouched) reply = await ended(host, asked, session, reply)
  logSlow(host, asked, reply, started)
  const user = asked.visit?.session?.user ?? null
  return withServerTiming(host, asked, user === null ? reply : { ...reply, user: user.id })
}

/** Logs a page that took long, with its templates, and how much of the time the database had. */
function logSlow(
  { observer, logger, loaded }: SiteHost,
  { request, visit, page }: RequestState,
  reply: Reply,
  started: number,
): void {
  const limit = observer?.slow.page ?? null
  if (limit === null || page === null) return
  const ms = performance.now() - started
  if (ms < limit) return
  observer?.measures?.slow('page')
  const layout = page.layout === null ? undefined : loaded.site.layouts[page.layout]
  const { statements = 0, milliseconds = 0 } = visit?.opened?.meter ?? {}
  const stack = [page.file, ...(layout === undefined ? [] : [layout.file])]
  const fields = { id: request.id, path: pathOf(request.url), status: reply.status, ms: Math.round(ms) }
  logger.warn({ ...fields, statements, database: Math.round(milliseconds), stack }, 'slow page')
}

async function ended(host: SiteHost, asked: RequestState, session: Session, reply: Reply): Promise<Reply> {
  try {
    return await withSessionCookies(session, reply)
  } catch (error) {
    // Writing the session failed, so the page's answer, which relies on it, is discarded.
    if (asked.visit !== null) asked.visit = asked.visit.withoutSession(host)
    return failure(host, asked, error)
  }
}

/**
 * The visit of a request, with its session and data opened.
 * @throws SessionsAway
 */
function visitOf(host: SiteHost, asked: RequestState): PageVisit | Promise<PageVisit> {
  const { request, params } = asked
  if (asked.visit !== null) return asked.visit
  const opening = host.sessions === null ? null : host.sessions(request, params)
  if (opening instanceof Promise) return visitOfSession(host, asked, opening)
  if (opening !== null && 'language' in params) keepLanguage(host.loaded.site, params, request, opening)
  asked.visit = new PageVisit(host, request, params, opening)
  return asked.visit
}

async function visitOfSession(host: SiteHost, asked: RequestState, opening: Promise<Session>): Promise<PageVisit> {
  const { request, params } = asked
  try {
    const session = await opening
    if ('language' in params) keepLanguage(host.loaded.site, params, request, session)
    asked.visit = new PageVisit(host, request, params, session)
    return asked.visit
  } catch (error) {
    // Without a session, the visitor still gets the page that reports the failure.
    asked.visit = new PageVisit(host, request, params, null)
    throw error
  }
}

/** Adds the database time of an answer as `Server-Timing`, for the developer tools of browsers. */
function withServerTiming(host: SiteHost, { visit }: RequestState, reply: Reply): Reply {
  const data = visit === null ? null : visit.opened
  if (host.facts.environment !== 'development' || data === null || data.meter.statements === 0) return reply
  const { statements, milliseconds } = data.meter
  const timing = `db;dur=${milliseconds.toFixed(1)};desc="${statements} statement${statements === 1 ? '' : 's'}"`
  return { ...reply, headers: { ...reply.headers, 'server-timing': timing } }
}

/** Methods that a form may name in place of the POST that a browser sends. */
const FORM_METHODS = ['PUT', 'PATCH', 'DELETE']

/**
 * Whether a page reads the body of a request.
 * @param request one whose body was not read
 */
export function pageTakesBody({ loaded, routes }: SiteHost, request: Request): boolean {
  const { method, host } = request
  const path = pathOf(request.url)
  if (isPasswordForm(loaded, request, path)) return true
  const wanted = formatsOf(request)
  const methods = method === 'POST' ? [method, ...FORM_METHODS] : [method]
  return methods.some((each) => routes.find({ method: each, path, host, wanted }).kind === 'page')
}

function formatsOf(request: Request): readonly Format[] {
  const header = (name: string): string => headerOf(request, name)
  return wantedFormats(header('content-type'), header('accept'), header('authorization'))
}

async function respond(host: SiteHost, request: Request, asked: RequestState): Promise<Reply> {
  const { loaded, routes } = host
  const asset = answerAsset(loaded, request)
  if (asset !== null) {
    const reply = await asset
    if (reply !== null) return reply
  }
  const wanted = formatsOf(request)
  asked.format = wanted[0] ?? 'html'
  const path = pathOf(request.url)
  const sent = queryParams(request)
  let { method } = request
  if (method !== 'GET' && method !== 'HEAD') {
    const body = bodyParams(request)
    Object.assign(sent, body)
    method = methodOf(request, body)
  }
  const isForm = isPasswordForm(loaded, request, path)
  const route = routes.find({ method, path, host: request.host, wanted })
  if (isForm || route.kind !== 'page') asked.params = { ...sent, ...slugParams(path, asked.format) }
  if (isForm) return answerPasswordForm(host, await visitOf(host, asked))
  switch (route.kind) {
    case 'page':
      // The site was replaced since its body was discarded.
      if (request.dropped) throw new BadRequest('this page has just come: send the request again', 503)
      asked.format = route.page.format
      asked.page = route.page
      asked.params = { ...sent, ...route.params }
      if (isClosed(loaded, request, route.page)) {
        const visit = await visitOf(host, asked)
        if (!hasPassed(visit.session)) return closedReply(host, visit)
      }
      return page(host, asked, route)
    case 'redirect':
      return redirect(route.status, queryOf(request.url) === '' ? route.path : `${route.path}?${queryOf(request.url)}`)
    case 'allow':
      return { status: 204, headers: { allow: route.methods.join(', ') }, body: null }
    case 'malformed':
      // Malformed paths below the API's are answered like unknown ones.
      if (path.startsWith('/api/')) return notFound(host, asked)
      throw new BadRequest('the address is not valid percent-encoding')
    case 'none':
      asked.format = route.format
      return notFound(host, asked)
  }
}

// Browsers send GET and POST only, so a form names the method it means.
function methodOf(request: Request, body: Params): string {
  const named = body._method
  if (request.method !== 'POST' || typeof named !== 'string') return request.method
  const upper = named.toUpperCase()
  return FORM_METHODS.includes(upper) ? upper : request.method
}

async function page(host: SiteHost, asked: RequestState, route: RouteAnswer & { kind: 'page' }): Promise<Reply> {
  const { request, params } = asked
  const seconds =
    route.source || (request.method !== 'GET' && request.method !== 'HEAD') ? null : route.page.staticCache
  if (seconds === null || seconds <= 0) {
    const opening = visitOf(host, asked)
    const visit = opening instanceof Promise ? await opening : opening
    const rendering = renderPage(host, { visit, page: route.page, source: route.source })
    const reply = withStatusOfPage(route, rendering instanceof Promise ? await rendering : rendering)
    if (isForEverybody(host, visit, route.page, reply)) host.kept.keep(request, reply)
    return reply
  }
  const { site } = host.loaded
  const language = languageOf(site, params, request, null)
  const key = JSON.stringify([route.page.file, request.protocol, request.host, request.url, language])
  const known = host.replies.reply(key)
  host.observer?.measures?.cache('answers', known === null ? 'computed' : 'memory')
  if (known !== null) return known
  const visit = await visitOf(host, asked)
  const reply = withStatusOfPage(route, await renderPage(host, { visit, page: route.page, source: false }))
  if (
    reply.status === 200 &&
    isShareable(visit, languageOf(site, params, request, visit.session) === language, reply)
  ) {
    host.replies.keepReply(key, reply, seconds)
  }
  return reply
}

/** Whether a page gives the same answer to every request for its address until the site changes. */
function isForEverybody(host: SiteHost, visit: PageVisit, page: PageEntry, { status, file, cookies }: Reply): boolean {
  const { session, shared } = visit
  if (shared.varies === true || status !== 200 || file !== page.file || cookies !== undefined) return false
  // Each build in development is looked at as it is.
  if (page.dynamicCache !== null || page.staticCache !== null || host.facts.environment === 'development') return false
  return visit.opened === null && visit.failed === null && (session === null || session.isUntouched)
}

// An answer may be cached for everyone only if it does not depend on the visitor: no language, token, message or cookie
// of a session, no signed-in user, whose queries may return other data, and no read of session fields, of a header, a
// cookie or the address.
function isShareable({ request, session, shared }: Visit, language: boolean, { body }: Reply): boolean {
  if ((shared.reads?.count ?? 0) > 0) return false
  if (session === null) return true
  if (session.keptForm !== null) return false
  if (!language || session.user !== null || session.reads > 0) return false
  if (session.tokens.length > 0 || Object.keys(session.flash).length > 0) return false
  return typeof body !== 'string' || !identifiesVisitor(body, request, session)
}

// The page of a status answers with that status even when its URL is requested directly.
function withStatusOfPage(route: RouteAnswer & { kind: 'page' }, reply: Reply): Reply {
  const status = statusOf(route.page)
  return reply.status === 200 && status !== null ? { ...reply, status } : reply
}

async function notFound(host: SiteHost, asked: RequestState): Promise<Reply> {
  const { pages } = host.loaded.site
  if (asked.format === 'html' && host.facts.environment === 'development' && statusPage(pages, 404, 'html') === null) {
    return noPageReply(host.loaded.site, asked.request.method, pathOf(asked.request.url))
  }
  return statusReply(host, asked, 404)
}

/** The site's page for a status, or else a plain one. */
async function statusReply(host: SiteHost, asked: RequestState, status: 403 | 404 | 500 | 503): Promise<Reply> {
  const page = statusPage(host.loaded.site.pages, status, asked.format)
  if (page === null) return plainReply(status, asked.format)
  try {
    return await renderStatusPage(host, { visit: await visitOf(host, asked), page, source: false }, status)
  } catch (error) {
    report(host, asked, locateFault(host, error))
    return plainReply(status, asked.format)
  }
}

async function failure(host: SiteHost, asked: RequestState, error: unknown): Promise<Reply> {
  if (error instanceof BadRequest) return plainReply(error.status, asked.format, error.message)
  if (error instanceof Forbidden) return statusReply(host, asked, error.status)
  const fault = locateFault(host, error)
  report(host, asked, fault)
  const late = fault instanceof LimitFault && fault.limit === 'time'
  const unavailable = error instanceof SessionsAway || asked.visit?.opened?.meter.unreachable === true
  const status = late ? 504 : unavailable ? 503 : fault instanceof NotFound ? 404 : 500
  if (host.facts.environment === 'development') return faultReply(fault, host.loaded, status, asked.format)
  if (status === 504) return plainReply(504, asked.format)
  const reply = await statusReply(host, asked, status)
  // A page of the site may say by itself when to come back.
  return status === 503 ? { ...reply, headers: { ...TRY_AGAIN, ...reply.headers } } : reply
}

function locateFault(host: SiteHost, error: unknown): LiquidFault {
  const fault = asFault(error)
  // For a stack overflow the fault is created here, so the original error, whose stack leads to the cause, is attached.
  if (fault !== error) fault.cause ??= error
  host.services.locate(fault)
  return fault
}

function report(host: SiteHost, { request, visit, page }: RequestState, fault: LiquidFault): void {
  const stack = fault.frames.map((frame) => `    at ${frame.file}:${frame.line}`)
  if (fault.cause instanceof Error) stack.push(`  caused by ${fault.cause.stack ?? fault.cause.message}`)
  const fields = { id: request.id, type: fault.name, stack: stack.join('\n') }
  request.span?.fail(fault)
  host.logger.error(fields, `${request.method} ${pathOf(request.url)}: ${fault.message}`)
  const origin = visit === null ? { ...NOWHERE, url: urlOf(request) } : logOriginOf(visit, page)
  host.log.failed(failureOf(fault), origin)
}
