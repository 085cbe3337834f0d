/**
 * Renders a page, from its policies to its answer. The language defines the order of the steps, and authors rely on it.
 */
import { LiquidFault } from '../../../runtime/page/fault.ts'
import { Render, type TemplateWatch } from '../../../runtime/page/render.ts'
import type { Format, LayoutEntry, PageEntry, PolicyEntry } from '../../../runtime/page/site.ts'
import { Safe } from '../../../runtime/page/values/safe.ts'
import { CONTENT_TYPES } from '../http/formats.ts'
import { headerOf, type Reply, redirect, type Request } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import { createContext } from './context.ts'
import type { Span } from '../../core/contracts/tracer.ts'
import { type SiteHost, currentSpan, type Visit } from './host.ts'
import { findOrRenderBody } from './page-cache.ts'
import { printedReply } from './print-page.ts'
import { NO_HEADERS, type RenderedBody, renderedBody } from './rendered-body.ts'
import { recordedLayout, recordedTemplate, recordedTemplates } from './recorded.ts'
import { guardedRedirect, guardedTarget, guardHeaders } from './redirects.ts'
import { applyHeaders, parseHeaders } from './response-headers.ts'
import { settingText } from './setting.ts'
import { TemplateSpans } from './template-spans.ts'
import { VisitServices } from './visit-services.ts'
import { hostSpace, identifiesVisitor } from './visitor-cache.ts'

interface PageRequest {
  readonly visit: Visit
  readonly page: PageEntry
  /** Whether a Markdown page is answered with its unconverted text, without a layout. */
  readonly source: boolean
  /** Whether the page has a span already. */
  readonly isTraced?: boolean
}

/** The error for a violated policy that does not redirect. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden'
  constructor(
    readonly policy: string,
    readonly status: 403 | 404,
    file: string,
  ) {
    super(`the authorization policy ${policy} refused (${file})`)
  }
}

/**
 * Answers a request with a page. The result is synchronous when the page waits for nothing.
 * @throws Forbidden, LiquidFault
 */
export function renderPage(host: SiteHost, pageRequest: PageRequest): Reply | Promise<Reply> {
  const { page, visit } = pageRequest
  const span = visit.sharedState.span ?? visit.request.span ?? null
  if (span !== null && pageRequest.isTraced !== true && (span.sampled || span.recording !== null))
    return tracedReply(host, pageRequest, span)
  if (page.staticCache !== null || page.dynamicCache !== null) visit.sharedState.reads ??= { count: 0 }
  const r = createRender(host, visit, page)
  if (page.policies.length > 0 || page.redirect !== null) return guardedReply(host, pageRequest, r)
  return bodyReply(host, pageRequest, r)
}

async function tracedReply(host: SiteHost, pageRequest: PageRequest, parent: Span): Promise<Reply> {
  const { page, visit } = pageRequest
  const span = parent.child(`page ${page.slug}`, 'internal', { 'ingot.template': page.file })
  const { recording } = span
  const begun = recording?.templateBegan('page', page.file, 'host')
  visit.sharedState.span = span
  let bytes: number | null = null
  try {
    const reply = await renderPage(host, { ...pageRequest, isTraced: true })
    bytes = typeof reply.body === 'string' ? reply.body.length : null
    return reply
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    visit.sharedState.span = parent
    if (begun !== undefined) recording?.templateEnded(begun, bytes)
    span.end()
  }
}

/** Checks the page's policies and then its redirect before the page is rendered. */
async function guardedReply(host: SiteHost, pageRequest: PageRequest, r: Render): Promise<Reply> {
  const { page, visit } = pageRequest
  visit.sharedState.varies = true
  const refusal = await checkPolicies(host, visit, page.policies, r)
  if (refusal !== null) return refusal
  if (page.redirect !== null) {
    const target = (await settingText(page.redirect.target, r)).trim()
    if (target !== '') return { ...guardedRedirect(host, visit, page.redirect.code, target), template: page.file }
  }
  return bodyReply(host, pageRequest, r)
}

function bodyReply(host: SiteHost, pageRequest: PageRequest, r: Render): Reply | Promise<Reply> {
  const { page, visit, source } = pageRequest
  const hasLayout = page.layout !== null || page.computedLayout !== undefined
  // A page with refused input is specific to one visitor, so it is not cached.
  const isCached = page.dynamicCache !== null && !source && visit.failedForm === null
  let body = isCached ? cachedBody(host, pageRequest, r, page.dynamicCache) : renderBody(host, pageRequest, r)
  if (hasLayout && !isCached)
    body =
      body instanceof Promise
        ? body.then((content) => withLayout(host, pageRequest, r, content))
        : withLayout(host, pageRequest, r, body)
  if (body instanceof Promise) return body.then((printedBody) => createAnswer(host, pageRequest, r, printedBody))
  return page.responseHeaders === null && page.format !== 'pdf'
    ? createReply(host, pageRequest, r, body, '')
    : createAnswer(host, pageRequest, r, body)
}

/**
 * Answers with the page for a status, without policies or redirects.
 * @throws LiquidFault
 */
export async function renderStatusPage(host: SiteHost, pageRequest: PageRequest, status: number): Promise<Reply> {
  const r = createRender(host, pageRequest.visit, pageRequest.page)
  const body = await withLayout(host, pageRequest, r, await renderBody(host, pageRequest, r))
  const reply = await createAnswer(host, { ...pageRequest, source: false }, r, body)
  return reply.status === 200 ? { ...reply, status } : reply
}

/** Options of a render outside of a page. */
interface RenderChoice {
  readonly format?: Format
  /** Overrides the site's raise mode. */
  readonly raise?: boolean
}

/**
 * Creates a render for a visit, with the ports of its visitor.
 * @param page null outside of pages: for the Liquid of a submitted form, and in jobs
 */
export function createRender(
  host: SiteHost,
  visit: Visit,
  page: PageEntry | null,
  { format = 'html', raise }: RenderChoice = {},
): Render {
  const { site } = host.loadedSite
  const { request, params, session, job, sharedState } = visit
  // The context is created before the render, but its lazy fields need the render only when they are read.
  const render = (): Render => r
  const context =
    job?.context() ??
    createContext({
      site,
      host: host.facts,
      request,
      params,
      session,
      page,
      reads: sharedState.reads,
      shared: sharedState,
      render,
    })
  // Work that a page triggers uses the page's current language.
  if (page === null && sharedState.context !== null) context['language'] = sharedState.context['language']
  else sharedState.context = context
  const services = new VisitServices(host, visit, page, render)
  const r = new Render(site, services, {
    context,
    format: page?.format ?? format,
    limits: job?.limits ?? host.limits,
    ...(raise !== undefined && { raise }),
    // Errors in a job are always raised, so that they are noticed.
    ...(job !== null && { raise: true, inJob: true }),
    watch: watchTemplates(visit, host.observer?.slow.partial ?? null),
  })
  return r
}

/**
 * Returns the object that measures the partials of a visit, or null when the visit is neither traced nor recorded.
 * @param threshold milliseconds from which a partial has a span; null for never
 */
function watchTemplates(visit: Visit, threshold: number | null): TemplateWatch | null {
  const span = currentSpan(visit)
  if (span === null) return null
  const spans = span.sampled && threshold !== null ? new TemplateSpans(visit.sharedState, span, threshold) : null
  return span.recording === null ? spans : recordedTemplates(span.recording, spans)
}

/**
 * Evaluates policies in order. Returns the redirect of the first violated one, null when all hold.
 * @throws Forbidden when the violated policy has no redirect
 */
export async function checkPolicies(
  host: SiteHost,
  visit: Visit,
  names: readonly string[],
  r: Render,
): Promise<Reply | null> {
  for (const name of names) {
    const policy = Object.hasOwn(host.loadedSite.site.policies, name) ? host.loadedSite.site.policies[name] : undefined
    if (policy === undefined)
      throw new LiquidFault(`can't find authorization policy ${name}: write app/authorization_policies/${name}.liquid`)
    const refusal = await checkPolicy(host, policy, visit, r)
    if (refusal !== null) return { ...refusal, template: policy.file }
  }
  return null
}

async function checkPolicy(host: SiteHost, policy: PolicyEntry, visit: Visit, r: Render): Promise<Reply | null> {
  const { request, session } = visit
  r.resume()
  const answer = await recordedTemplate(visit, 'policy', policy.file, () => policy.render(r, {}))
  if (answer.trim() === 'true') return null
  const alert = await settingText(policy.flashAlert, r)
  if (r.response.redirect !== null) {
    session?.addFlash('alert', alert)
    return guardedRedirect(host, visit, r.response.redirect.status, r.response.redirect.target)
  }
  const target = (await settingText(policy.redirectTo, r)).trim()
  // An error page is part of this answer, so the error page shows the message.
  session?.addFlash('alert', alert, target === '')
  if (target === '') throw new Forbidden(policy.name, policy.status, policy.file)
  const guarded = guardedTarget(host, visit, target) ?? '/'
  return redirect(
    302,
    host.loadedSite.site.options.policyReturnTo === false ? guarded : withReturn(guarded, returnUrl(request)),
  )
}

/**
 * Returns where a visitor continues after a redirect by a policy. The browser will send GET, which only the URL of a GET request is sure to
 * answer. After other requests, it is the page of this site that sent them, or the start page.
 */
function returnUrl(request: Request): string {
  if (request.method === 'GET' || request.method === 'HEAD') return request.url
  return ownTarget(headerOf(request, 'referer'), request.host) ?? '/'
}

function withReturn(target: string, url: string): string {
  const hash = target.indexOf('#')
  const path = hash < 0 ? target : target.slice(0, hash)
  return `${path}${path.includes('?') ? '&' : '?'}return_to=${encodeURIComponent(url)}${hash < 0 ? '' : target.slice(hash)}`
}

/** Returns the body of a page from the dynamic cache, or renders and caches it. */
async function cachedBody(
  host: SiteHost,
  pageRequest: PageRequest,
  r: Render,
  dynamicCache: NonNullable<PageEntry['dynamicCache']>,
): Promise<RenderedBody> {
  const key = await cacheKey(host, pageRequest, r)
  const { cache } = host.services
  // The answer to a client with a token belongs to the token's user, so it is not cached.
  if (key === null || cache === null || pageRequest.visit.bearer !== undefined)
    return withLayout(host, pageRequest, r, await renderBody(host, pageRequest, r))
  const seconds = dynamicCache.expire !== null && dynamicCache.expire > 0 ? dynamicCache.expire : null
  const { session, sharedState } = pageRequest.visit
  const countReads = (): number => (session?.reads ?? 0) + (sharedState.reads?.count ?? 0)
  const cached = await findOrRenderBody(cache, key.text, seconds, async () => {
    const readsBefore = countReads()
    const content = await renderBody(host, pageRequest, r)
    const body = dynamicCache.layout ? await withLayout(host, pageRequest, r, content) : content
    // The author of an explicit key guarantees that it covers the visitor. A URL is shared by all visitors.
    const owned = !key.layoutName && countReads() > readsBefore
    return { body, isCacheable: !owned && isCacheable(body, pageRequest.visit, r) }
  })
  if (dynamicCache.layout) return cached
  // The layout prints the blocks that the body collected when it was rendered.
  for (const [name, text] of cached.blocks) r.blocks.set(name, text)
  return withLayout(host, pageRequest, r, cached)
}

/** Returns whether a body may be cached. A cached body does not redirect and contains no error, token or message. */
function isCacheable(body: RenderedBody, { request, session }: Visit, r: Render): boolean {
  if (body.status !== 200 || r.response.redirect !== null || r.faults.length > 0) return false
  if (session === null) return true
  return (
    session.tokens.length === 0 &&
    Object.keys(session.flash).length === 0 &&
    !identifiesVisitor(body.text, request, session)
  )
}

interface CacheKey {
  readonly text: string
  /** Whether the page sets the key explicitly. Otherwise the key is the URL. */
  readonly layoutName: boolean
}

/** Returns the cache key. A blank key with a time caches by URL; a key alone caches until the site changes; null without both. */
async function cacheKey(
  { lastingHost }: SiteHost,
  { page, visit: { request } }: PageRequest,
  r: Render,
): Promise<CacheKey | null> {
  const key = (await settingText(page.dynamicCache?.key ?? null, r)).trim()
  if (key !== '')
    return { text: `${hostSpace(request, lastingHost)}${JSON.stringify([page.file, key])}`, layoutName: true }
  if ((page.dynamicCache?.expire ?? 0) <= 0) return null
  return { text: JSON.stringify([page.file, request.host, request.url, r.context.language]), layoutName: false }
}

/** Renders a page without its layout. */
function renderBody(
  host: SiteHost,
  { visit, page, source }: PageRequest,
  r: Render,
): RenderedBody | Promise<RenderedBody> {
  r.resume()
  const printedText = page.render(r, {})
  // A template that had to wait has used another service, whose results may differ for the next request.
  if (typeof printedText !== 'string') visit.sharedState.varies = true
  if (page.markdown && !source) return markdownBody(host, r, printedText)
  return typeof printedText === 'string'
    ? renderedBody(r, printedText, null)
    : printedText.then((text) => renderedBody(r, text, null))
}

/**
 * Returns what a page prints without its layout. Its policies and its cache are ignored.
 * @throws LiquidFault
 */
export async function pageBody(host: SiteHost, pageRequest: PageRequest, r: Render): Promise<string> {
  return (await renderBody(host, pageRequest, r)).text
}

async function markdownBody(host: SiteHost, r: Render, printedText: string | Promise<string>): Promise<RenderedBody> {
  return renderedBody(r, await host.markdown.html(await printedText), null)
}

function withLayout(
  host: SiteHost,
  { visit, page, source }: PageRequest,
  r: Render,
  body: RenderedBody,
): RenderedBody | Promise<RenderedBody> {
  if (source || r.response.redirect !== null) return body
  if (page.computedLayout !== undefined) return inComputedLayout(host, visit, page, r, body)
  if (page.layout === null) return body
  const layout = host.loadedSite.site.layouts[page.layout]
  if (layout === undefined) throw new LiquidFault(`can't find layout ${page.layout}`)
  return inLayout(visit, layout, r, body)
}

/** Prints a body in a layout with a computed name. A blank name means no layout. A layout of the page's format is preferred. */
async function inComputedLayout(
  { loadedSite: { site } }: SiteHost,
  visit: Visit,
  { computedLayout, format }: PageEntry,
  r: Render,
  body: RenderedBody,
): Promise<RenderedBody> {
  visit.sharedState.varies = true
  r.resume()
  const name = (await settingText(computedLayout?.name ?? null, r)).trim()
  const layoutName = [`${name}.${format}`, name].find((key) => Object.hasOwn(site.layouts, key))
  const layout = layoutName === undefined ? undefined : site.layouts[layoutName]
  if (layout !== undefined) return inLayout(visit, layout, r, body)
  if (name === '' || computedLayout?.mayMiss === true) return body
  throw new LiquidFault(`can't find layout ${name}`)
}

function inLayout(
  visit: Visit,
  layout: LayoutEntry,
  r: Render,
  body: RenderedBody,
): RenderedBody | Promise<RenderedBody> {
  r.resume()
  const printedText = recordedLayout(visit, layout.file, () =>
    layout.render(r, { content_for_layout: new Safe(body.text) }),
  )
  if (typeof printedText === 'string') return renderedBody(r, printedText, body)
  visit.sharedState.varies = true
  return printedText.then((text) => renderedBody(r, text, body))
}

const UNINDEXED = { 'x-robots-tag': 'noindex, nofollow' } as const

async function createAnswer(host: SiteHost, pageRequest: PageRequest, r: Render, body: RenderedBody): Promise<Reply> {
  const { responseHeaders, format } = pageRequest.page
  const set = responseHeaders === null ? '' : await settingText(responseHeaders, r)
  const reply = createReply(host, pageRequest, r, body, set)
  return format === 'pdf' ? printedReply(host, pageRequest.visit, reply, r.timeLeft) : reply
}

/**
 * Creates the reply from a rendered body.
 * @param set the page's `response_headers` as text
 */
function createReply(
  host: SiteHost,
  { visit, page, source }: PageRequest,
  r: Render,
  body: RenderedBody,
  set: string,
): Reply {
  // Printed faults must be logged for every request.
  if (r.faultCount > 0) visit.sharedState.varies = true
  const redirectTarget = r.response.redirect
  const reply =
    redirectTarget === null ? null : guardedRedirect(host, visit, redirectTarget.status, redirectTarget.target)
  const headers: Record<string, string> = {
    'content-type': CONTENT_TYPES[source ? 'md' : page.format],
    'x-frame-options': 'SAMEORIGIN',
    ...(host.hidden && UNINDEXED),
  }
  if (set !== '') applyHeaders(headers, parseHeaders(set))
  if (body.headers !== NO_HEADERS) applyHeaders(headers, body.headers)
  if (headers['location'] !== undefined || headers['refresh'] !== undefined) guardHeaders(host, visit, headers)
  if (reply !== null) return { ...reply, headers: { ...headers, ...reply.headers }, template: page.file }
  return { status: body.status, headers, body: body.text, template: page.file }
}
