/** Answers a request to a site: assets first, then pages, then errors. Never throws. */
import { asFault } from '../../../runtime/page/render.ts'
import { LimitFault, type LiquidFault } from '../../../runtime/page/fault.ts'
import type { Format, PageEntry } from '../../../runtime/page/site.ts'
import { toSiteFailure, NO_ORIGIN } from '../../core/contracts/log.ts'
import { isFromHere } from '../http/forwarded.ts'
import { wantedFormats } from '../http/formats.ts'
import { type Reply, type Request, redirect } from '../http/message.ts'
import { plainReply, refusedReply, TRY_AGAIN, UNREACHABLE } from '../http/plain-reply.ts'
import { BadRequest, bodyParams, type Params, parsePairs, queryParams } from '../http/params.ts'
import { type PageRoute, slugParams, statusPage } from '../http/routes.ts'
import { answerAsset } from './assets.ts'
import { keepLanguage, chooseLanguage } from './context.ts'
import { faultReply, noPageReply } from './error-page.ts'
import { readFaultDetails } from './fault-details.ts'
import type { SiteHost, Visit } from './host.ts'
import { answerPasswordForm, closedReply, hasPassed, isPasswordForm, isClosed } from './maintenance.ts'
import { NotFoundError } from './not-found-error.ts'
import { createLogOrigin, hostAndPath } from './log-origin.ts'
import { PageVisit } from './page-visit.ts'
import { PrintersBusy } from './print-page.ts'
import { checkPolicies, createRender, Forbidden, renderPage, renderStatusPage } from './render-page.ts'
import { type Session, SessionsAway } from './session.ts'
import { withSessionCookies } from './settle.ts'
import { withProblem, withTokenProblem } from './token-problem.ts'
import type { UserRequest } from './user-session.ts'
import { identifiesVisitor } from './visitor-cache.ts'

/** The state of a request while it is answered, also used to answer failures. */
interface RequestState {
  readonly request: Request
  /** The user of the request's token; null for a visitor. */
  readonly user: UserRequest | null
  params: Params
  format: Format
  /** Null until a page is needed: assets and cached answers need no session. */
  visit: PageVisit | null
  /** The page that answers; null until it is found. */
  page: PageEntry | null
}

/**
 * Answers a request. Never throws.
 * @param user the user as whom a client with a token sends the request; null for a visitor
 */
export async function answer(host: SiteHost, request: Request, user: UserRequest | null = null): Promise<Reply> {
  const { observer, facts } = host
  const startedAt = performance.now()
  const state: RequestState = { request, user, params: {}, format: 'html', visit: null, page: null }
  let reply: Reply
  try {
    reply = await respond(host, state)
  } catch (error) {
    reply = await answerFailure(host, state, error)
  }
  let session = state.visit?.session ?? null
  reply = withTokenProblem(host, session, reply)
  if (session !== null && !session.isUntouched) {
    reply = await commitSession(host, state, session, reply)
    session = state.visit?.session ?? null
  }
  if (observer && observer.slow.page !== null && state.page !== null) logSlow(host, state, state.page, reply, startedAt)
  if (session !== null && session.user !== null) reply = { ...reply, user: session.user.id }
  // No cache between server and client may keep the answer, whatever headers the page sets.
  if (user !== null && state.visit !== null)
    reply = { ...reply, headers: { ...reply.headers, 'cache-control': 'private, no-store' } }
  return facts.environment === 'development' ? withServerTiming(state, reply) : reply
}

/**
 * Returns the answer to a visitor whom a policy of the site refuses, as a page with this policy answers; null when the policy admits the
 * visitor. Never throws. What the policy changes in the session of an admitted visitor is not stored.
 * @param host the current site
 */
export async function refusalOf(host: SiteHost, request: Request, policy: string): Promise<Reply | null> {
  const state: RequestState = { request, user: null, params: {}, format: 'html', visit: null, page: null }
  let refusal: Reply | null
  try {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    state.params = { ...queryParams(request), ...(isRead ? {} : bodyParams(request)) }
    const visit = await openVisit(host, state)
    refusal = await checkPolicies(host, visit, [policy], createRender(host, visit, null))
  } catch (error) {
    refusal = await answerFailure(host, state, error)
  }
  if (refusal === null) return null
  const session = state.visit?.session ?? null
  return session === null || session.isUntouched ? refusal : commitSession(host, state, session, refusal)
}

/** Logs a page that took long, with its templates and the time that the database took. */
function logSlow(
  { observer, logger, loadedSite, log }: SiteHost,
  { request, visit }: RequestState,
  page: PageEntry,
  reply: Reply,
  startedAt: number,
): void {
  const limit = observer?.slow.page ?? null
  const ms = performance.now() - startedAt
  if (limit === null || ms < limit) return
  observer?.measures?.slow('page')
  const layout = page.layout === null ? undefined : loadedSite.site.layouts[page.layout]
  const { statements = 0, milliseconds = 0 } = visit?.opened?.meter ?? {}
  const stack = [page.file, ...(layout === undefined ? [] : [layout.file])]
  const fields = {
    id: request.id,
    method: request.method,
    path: request.path,
    status: reply.status,
    ms: Math.round(ms),
  }
  const database = Math.round(milliseconds)
  logger.warn({ ...fields, statements, database, stack }, 'slow page')
  const count = `${statements} statement${statements === 1 ? '' : 's'}`
  const message = `${request.method} ${request.path} took ${fields.ms} ms, ${database} ms of them for ${count}`
  const origin = visit === null ? { ...NO_ORIGIN, url: hostAndPath(request) } : createLogOrigin(visit, page)
  log.keep?.({ type: 'slow page', env: 'all', message, file: page.file, line: 1 }, origin)
}

async function commitSession(host: SiteHost, state: RequestState, session: Session, reply: Reply): Promise<Reply> {
  try {
    return await withSessionCookies(session, reply)
  } catch (error) {
    // Writing the session failed, so the page's answer, which relies on it, is discarded.
    if (state.visit !== null) state.visit = state.visit.withoutSession(host)
    return answerFailure(host, state, error)
  }
}

/**
 * Returns the visit of a request with its session. The visit is opened once.
 * @throws SessionsAway
 */
function openVisit(host: SiteHost, state: RequestState): PageVisit | Promise<PageVisit> {
  const { request, params, user } = state
  if (state.visit !== null) return state.visit
  if (user !== null) {
    if ('language' in params) keepLanguage(host.loadedSite.site, params, request, user.session)
    state.visit = new PageVisit(host, request, params, user.session, null, user.bearer)
    return state.visit
  }
  const opening = host.sessions === null ? null : host.sessions(request, params)
  if (opening instanceof Promise) return openStoredVisit(host, state, opening)
  if (opening !== null && 'language' in params) keepLanguage(host.loadedSite.site, params, request, opening)
  // Without a sent session, there is no refused form.
  state.visit = new PageVisit(host, request, params, opening, null)
  return state.visit
}

async function openStoredVisit(host: SiteHost, state: RequestState, opening: Promise<Session>): Promise<PageVisit> {
  const { request, params } = state
  try {
    const session = await opening
    if ('language' in params) keepLanguage(host.loadedSite.site, params, request, session)
    state.visit = new PageVisit(host, request, params, session)
    return state.visit
  } catch (error) {
    // The visitor gets the page that reports the failure, even without a session.
    state.visit = new PageVisit(host, request, params, null)
    throw error
  }
}

/** Adds the database time of an answer as `Server-Timing`, for the developer tools of browsers. */
function withServerTiming({ visit }: RequestState, reply: Reply): Reply {
  const data = visit === null ? null : visit.opened
  if (data === null || data.meter.statements === 0) return reply
  const { statements, milliseconds } = data.meter
  const timing = `db;dur=${milliseconds.toFixed(1)};desc="${statements} statement${statements === 1 ? '' : 's'}"`
  return { ...reply, headers: { ...reply.headers, 'server-timing': timing } }
}

/** Methods that a form may name instead of POST, because browsers send only GET and POST. */
const FORM_METHODS = ['PUT', 'PATCH', 'DELETE']

/**
 * Returns whether a page reads the body of a request.
 * @param request its body was not read
 */
export function pageTakesBody({ loadedSite, routes }: SiteHost, request: Request): boolean {
  const { method, path, host } = request
  if (isPasswordForm(loadedSite, request)) return true
  const wanted = wantedFormats(request.contentType, request.accept, request.authorization)
  const methods = method === 'POST' ? [method, ...FORM_METHODS] : [method]
  return methods.some((each) => routes.find({ method: each, path, host, wantedFormats: wanted }).kind === 'page')
}

/** Finds what answers the request: an asset, a page, a redirect or an error. */
async function respond(host: SiteHost, state: RequestState): Promise<Reply> {
  const { loadedSite, routes } = host
  const { request } = state
  const { path, query } = request
  if (request.mayBeAsset) {
    const asset = await answerAsset(loadedSite, request)
    if (asset !== null) return asset
  }
  const wanted = wantedFormats(request.contentType, request.accept, request.authorization)
  state.format = wanted[0] ?? 'html'
  const queryParams = query === '' ? {} : parsePairs(query)
  let { method } = request
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead) {
    const body = bodyParams(request)
    Object.assign(queryParams, body)
    method = formMethod(request, body)
  }
  const isMaintained = loadedSite.site.options.maintenance.enabled
  const isForm = isMaintained && isPasswordForm(loadedSite, request)
  const route = routes.find({ method, path, host: request.host, wantedFormats: wanted })
  if (isForm || route.kind !== 'page') state.params = { ...queryParams, ...slugParams(path, state.format) }
  if (isForm) return answerPasswordForm(host, await openVisit(host, state))
  switch (route.kind) {
    case 'page': {
      // The site was replaced after the body was discarded.
      if (request.dropped) throw new BadRequest('this page was just added: send the request again', 503)
      state.format = route.page.format
      state.page = route.page
      state.params = { ...queryParams, ...route.params }
      if (isMaintained && isClosed(loadedSite, request, route.page)) {
        const visit = await openVisit(host, state)
        if (!hasPassed(visit.session)) return closedReply(host, visit)
      }
      const isCached = isRead && !route.source && state.user === null && request.isUncached !== true
      return answerPage(host, state, route, isCached ? route.page.staticCache : null)
    }
    case 'redirect':
      return redirect(route.status, query === '' ? route.path : `${route.path}?${query}`)
    case 'allow':
      return { status: 204, headers: { allow: route.methods.join(', ') }, body: null }
    case 'malformed':
      // Malformed paths below the API's are answered like unknown ones.
      if (path.startsWith('/api/')) return notFound(host, state)
      throw new BadRequest('the address is not valid percent-encoding')
    case 'none':
      state.format = route.format
      return notFound(host, state)
  }
}

/** Returns the method of a request, which a form may name in a field. */
function formMethod(request: Request, body: Params): string {
  const requestedMethod = body._method
  if (request.method !== 'POST' || typeof requestedMethod !== 'string') return request.method
  const upper = requestedMethod.toUpperCase()
  return FORM_METHODS.includes(upper) ? upper : request.method
}

/**
 * Answers with a page, and sets the headers for caches.
 * @param seconds for which the answer may be cached (`static_cache`); null for a page that is not cached
 */
async function answerPage(
  host: SiteHost,
  state: RequestState,
  route: PageRoute,
  seconds: number | null,
): Promise<Reply> {
  if (seconds !== null && seconds > 0) return answerCachedPage(host, state, route, seconds)
  const { page, source, status } = route
  const opening = openVisit(host, state)
  const visit = opening instanceof Promise ? await opening : opening
  const rendering = renderPage(host, { visit, page, source })
  const reply = rendering instanceof Promise ? await rendering : rendering
  // The page of a status answers with that status even when its URL is requested directly.
  if (status !== null && reply.status === 200) return { ...reply, status }
  if (state.user === null && isForEverybody(host, visit, page, reply)) host.keptPages.offer(state.request, reply)
  return reply
}

/** Answers with a page from the cache of whole answers, or renders and caches it. */
async function answerCachedPage(
  host: SiteHost,
  state: RequestState,
  route: PageRoute,
  seconds: number,
): Promise<Reply> {
  const { request, params } = state
  const { page, status } = route
  const { site } = host.loadedSite
  const language = chooseLanguage(site, params, request, null)
  const key = JSON.stringify([page.file, request.protocol, request.host, request.url, language])
  const cachedReply = host.replies.reply(key)
  host.observer?.measures?.cache('answers', cachedReply === null ? 'computed' : 'memory')
  if (cachedReply !== null) return cachedReply
  const visit = await openVisit(host, state)
  const reply = await renderPage(host, { visit, page, source: false })
  if (status !== null && reply.status === 200) return { ...reply, status }
  if (
    reply.status === 200 &&
    isShareable(visit, chooseLanguage(site, params, request, visit.session) === language, reply)
  ) {
    host.replies.storeReply(key, reply, seconds)
  }
  return reply
}

/** Returns whether a page gives the same answer to every request for its URL until the site changes. */
function isForEverybody(
  host: SiteHost,
  visit: PageVisit,
  page: PageEntry,
  { status, template: file, cookies }: Reply,
): boolean {
  const { session, sharedState } = visit
  if (sharedState.varies === true || status !== 200 || file !== page.file || cookies !== undefined) return false
  // In development, answers are not cached, because the site changes often.
  if (page.dynamicCache !== null || page.staticCache !== null || host.facts.environment === 'development') return false
  return visit.opened === null && visit.failedForm === null && (session === null || session.isUntouched)
}

/**
 * Returns whether an answer may be cached for all visitors. The answer must not depend on the visitor: no language,
 * token, message or cookie of a session, no signed-in user (whose queries may return other data), and no read session
 * field, header, cookie or address.
 * @param language whether the session does not change the language
 */
function isShareable({ request, session, sharedState }: Visit, language: boolean, { body }: Reply): boolean {
  if ((sharedState.reads?.count ?? 0) > 0) return false
  if (session === null) return true
  if (session.keptForm !== null) return false
  if (!language || session.user !== null || session.reads > 0) return false
  if (session.tokens.length > 0 || Object.keys(session.flash).length > 0) return false
  return typeof body !== 'string' || !identifiesVisitor(body, request, session)
}

async function notFound(host: SiteHost, state: RequestState): Promise<Reply> {
  const { pages } = host.loadedSite.site
  if (state.format === 'html' && host.facts.environment === 'development' && statusPage(pages, 404, 'html') === null) {
    return noPageReply(host.loadedSite.site, state.request.method, state.request.path)
  }
  return statusReply(host, state, 404)
}

/** Answers with the site's page for a status, or else with a plain one. */
async function statusReply(
  host: SiteHost,
  state: RequestState,
  status: 403 | 404 | 500 | 503,
  detail: string | null = null,
): Promise<Reply> {
  const page = statusPage(host.loadedSite.site.pages, status, state.format)
  if (page === null) return plainReply(status, state.format, detail)
  try {
    return await renderStatusPage(host, { visit: await openVisit(host, state), page, source: false }, status)
  } catch (error) {
    report(host, state, locateFault(host, error))
    return plainReply(status, state.format)
  }
}

async function answerFailure(host: SiteHost, state: RequestState, error: unknown): Promise<Reply> {
  if (error instanceof BadRequest) return refusedReply(error.status, state.format, error.message, true)
  if (error instanceof Forbidden) {
    // The names of policies are not for visitors.
    if (host.facts.environment !== 'development') return statusReply(host, state, error.status)
    const reason = withProblem(state.visit?.session ?? null, error.message)
    return { ...(await statusReply(host, state, error.status, reason)), reason }
  }
  const fault = locateFault(host, error)
  report(host, state, fault)
  const isTimeout = fault instanceof LimitFault && fault.limit === 'time'
  const unavailable = error instanceof SessionsAway || state.visit?.opened?.meter.unreachable === true
  const isBusy = fault instanceof PrintersBusy
  const status = isTimeout ? 504 : unavailable || isBusy ? 503 : fault instanceof NotFoundError ? 404 : 500
  const reason = status !== 503 ? null : isBusy ? fault.message : UNREACHABLE
  const reply =
    host.facts.environment === 'development'
      ? await developerReply(host, state, fault, status, reason)
      : status === 504
        ? plainReply(504, state.format)
        : await statusReply(host, state, status)
  // A page of the site may set `Retry-After` itself.
  return reason === null ? reply : { ...reply, headers: { ...TRY_AGAIN, ...reply.headers }, reason }
}

async function developerReply(
  host: SiteHost,
  { request, visit, page, format }: RequestState,
  fault: LiquidFault,
  status: number,
  reason: string | null,
): Promise<Reply> {
  // Values are shown only on the machine of the developer.
  const isShown = format === 'html' && reason === null && isFromHere(request)
  const details = isShown ? await readFaultDetails(host, visit, page, fault) : undefined
  return faultReply(fault, host.loadedSite, status, format, reason, details)
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
  request.span?.recording?.failed(fault.located)
  host.logger.error(fields, `${request.method} ${request.path}: ${fault.message}`)
  const origin = visit === null ? { ...NO_ORIGIN, url: hostAndPath(request) } : createLogOrigin(visit, page)
  host.log.failed(toSiteFailure(fault), origin)
}
