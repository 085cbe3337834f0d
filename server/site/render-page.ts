/** One page, from its policies to its answer. The order of the steps is the language's: authors rely on it. */
import { LiquidFault, UnavailableFault } from '../../runtime/page/fault.ts'
import { Render } from '../../runtime/page/render.ts'
import type { CachePort, Services } from '../../runtime/page/services.ts'
import type { Format, PageEntry, PolicyEntry } from '../../runtime/page/site.ts'
import { Safe } from '../../runtime/page/values/safe.ts'
import { portOf } from '../services/log.ts'
import { contentType } from '../http/formats.ts'
import { type Reply, redirect } from '../http/message.ts'
import { placeOf } from './place.ts'
import { createContext } from './context.ts'
import type { SiteHost, Visit } from './host.ts'
import { keptBody, type RenderedBody } from './page-cache.ts'
import { applyHeaders, parseHeaders } from './response-headers.ts'
import { settingText } from './setting.ts'
import { tells, visitorCache } from './visitor-cache.ts'

export interface PageRequest {
  readonly visit: Visit
  readonly page: PageEntry
  /** Answer a markdown page with its unconverted text, without layout. */
  readonly source: boolean
}

/** A policy that was violated without sending the visitor elsewhere. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden'
  constructor(
    readonly policy: string,
    readonly status: 403 | 404,
  ) {
    super(`the policy ${policy} is violated`)
  }
}

/** Answers a request by a page. @throws Forbidden, LiquidFault */
export async function renderPage(host: SiteHost, asked: PageRequest): Promise<Reply> {
  const { page, visit } = asked
  if (page.format === 'pdf') throw new UnavailableFault('this server does not make PDF pages yet')
  const r = createRender(host, visit, page)
  if (page.policies.length > 0) {
    const refusal = await checkPolicies(host, visit, page.policies, r)
    if (refusal !== null) return refusal
  }
  if (page.redirect !== null) {
    const target = (await settingText(page.redirect.target, r)).trim()
    if (target !== '') return { ...redirect(page.redirect.code, target), file: page.file }
  }
  return answerOf(await rendered(host, asked, r), r, page, asked.source)
}

/** Answers with a page that stands for a status: no policies, no redirect. @throws LiquidFault */
export async function renderStatusPage(host: SiteHost, asked: PageRequest, status: number): Promise<Reply> {
  const r = createRender(host, asked.visit, asked.page)
  const body = await withLayout(host, asked, r, await bodyOf(host, asked, r))
  const reply = await answerOf(body, r, asked.page, false)
  return reply.status === 200 ? { ...reply, status } : reply
}

/** Of a render that is no page's. */
export interface RenderChoice {
  readonly format?: Format
  /** Overrides the site's raise mode. */
  readonly raise?: boolean
}

/**
 * A render for one visit, with the ports of its visitor.
 * @param page null outside of pages: for the Liquid of a form that was sent, and in jobs
 */
export function createRender(
  host: SiteHost,
  visit: Visit,
  page: PageEntry | null,
  { format = 'html', raise }: RenderChoice = {},
): Render {
  const { site } = host.loaded
  const { request, params, session, data, job } = visit
  // The context's lazy fields render with the render that reads them, which exists only after its context.
  const render = (): Render => r
  const context = job?.context() ?? createContext({ site, host: host.facts, request, params, session, page, render })
  // What a page sets off speaks the language that the page speaks now.
  if (page === null && visit.shared.context !== null) context['language'] = visit.shared.context['language']
  else visit.shared.context = context
  // Queries run as the visitor of this request, and are counted for it.
  const services: Services = {
    ...host.services,
    graphql: data?.graphql ?? null,
    jobs: data?.jobs ?? null,
    transactions: data?.transactions ?? null,
    sessions: session,
    forms: host.forms === null ? null : host.forms(visit, render, page),
    cache: cacheOf(host, visit),
    log: portOf(host.log, () => placeOf(visit, page)),
  }
  const r = new Render(site, services, {
    context,
    format: page?.format ?? format,
    limits: job?.limits ?? host.limits,
    ...(raise !== undefined && { raise }),
    // What fails in a job is to be seen, whatever the site does with errors in pages.
    ...(job !== null && { raise: true, inJob: true }),
  })
  return r
}

/**
 * Where fragments are kept. What a visitor sent and got back is kept nowhere, nor what is made while a transaction is open: it may
 * show what never comes to be.
 */
function cacheOf({ services: { cache }, mark }: SiteHost, { request, session, failed, data }: Visit): CachePort | null {
  if (cache === null || failed !== null) return cache === null ? null : UNKEPT
  const kept = visitorCache(cache, mark, request, session)
  if (data === null) return kept
  return {
    fragment: (key, expire, compute) => (data.inTransaction() ? UNKEPT : kept).fragment(key, expire, compute),
  }
}

const UNKEPT: CachePort = { fragment: async (_key, _expire, compute) => (await compute()).text }

/**
 * Asks policies in order. Gives the answer of the first that is violated and sends the visitor elsewhere, null where none is.
 * @throws Forbidden where it sends the visitor nowhere
 */
export async function checkPolicies(
  host: SiteHost,
  visit: Visit,
  names: readonly string[],
  r: Render,
): Promise<Reply | null> {
  for (const name of names) {
    const policy = Object.hasOwn(host.loaded.site.policies, name) ? host.loaded.site.policies[name] : undefined
    if (policy === undefined) throw new LiquidFault(`can't find authorization policy ${name}`)
    const refusal = await checkPolicy(host, policy, visit, r)
    if (refusal !== null) return { ...refusal, file: policy.file }
  }
  return null
}

async function checkPolicy(
  host: SiteHost,
  policy: PolicyEntry,
  { request, session }: Visit,
  r: Render,
): Promise<Reply | null> {
  const answer = await policy.render(r, {})
  if (answer.trim() === 'true') return null
  const alert = await settingText(policy.flashAlert, r)
  if (r.response.redirect !== null) {
    session?.say('alert', alert)
    return redirect(r.response.redirect.status, r.response.redirect.target)
  }
  const target = (await settingText(policy.redirectTo, r)).trim()
  // An error page is this answer still.
  session?.say('alert', alert, target === '')
  if (target === '') throw new Forbidden(policy.name, policy.status)
  return redirect(302, host.loaded.site.options.policyReturnTo === false ? target : withReturn(target, request.url))
}

function withReturn(target: string, url: string): string {
  const hash = target.indexOf('#')
  const path = hash < 0 ? target : target.slice(0, hash)
  return `${path}${path.includes('?') ? '&' : '?'}return_to=${encodeURIComponent(url)}${hash < 0 ? '' : target.slice(hash)}`
}

/** The whole text of a page, from the dynamic cache where the page keeps one. */
async function rendered(host: SiteHost, asked: PageRequest, r: Render): Promise<RenderedBody> {
  const { dynamicCache } = asked.page
  // A form that was refused shows what its sender wrote, and so do the parameters that came with it.
  const own = asked.source || asked.visit.failed !== null
  const key = dynamicCache === null || own ? null : await cacheKey(asked, r)
  const { cache } = host.services
  if (dynamicCache === null || key === null || cache === null)
    return withLayout(host, asked, r, await bodyOf(host, asked, r))
  const seconds = dynamicCache.expire !== null && dynamicCache.expire > 0 ? dynamicCache.expire : null
  const { session } = asked.visit
  const kept = await keptBody(cache, key.text, seconds, async () => {
    const before = session?.reads ?? 0
    const inner = await bodyOf(host, asked, r)
    const body = dynamicCache.layout ? await withLayout(host, asked, r, inner) : inner
    // Whose key it is, the author says; an address is everybody's.
    const owned = !key.named && (session?.reads ?? 0) > before
    return { body, keep: !owned && keepable(body, asked.visit, r) }
  })
  if (dynamicCache.layout) return kept
  // The layout prints the blocks that the body collected when it ran.
  for (const [name, text] of kept.blocks) r.blocks.set(name, text)
  return withLayout(host, asked, r, kept)
}

// An answer that sends away, holds a printed error, a token or a message, is this visitor's.
function keepable(body: RenderedBody, { request, session }: Visit, r: Render): boolean {
  if (body.status !== 200 || r.response.redirect !== null || r.faults.length > 0) return false
  if (session === null) return true
  return session.tokens.length === 0 && Object.keys(session.flash).length === 0 && !tells(body.text, request, session)
}

interface CacheKey {
  readonly text: string
  /** The page names it; else it is the address. */
  readonly named: boolean
}

/** Blank key and a time: by URL. A key alone: until the site changes. Neither: no cache. */
async function cacheKey({ page, visit: { request } }: PageRequest, r: Render): Promise<CacheKey | null> {
  const key = (await settingText(page.dynamicCache?.key ?? null, r)).trim()
  if (key !== '') return { text: JSON.stringify([page.file, key]), named: true }
  if ((page.dynamicCache?.expire ?? 0) <= 0) return null
  return { text: JSON.stringify([page.file, request.host, request.url, r.context.language]), named: false }
}

async function bodyOf(host: SiteHost, { page, source }: PageRequest, r: Render): Promise<RenderedBody> {
  const printed = await page.render(r, {})
  const text = page.markdown && !source ? await host.markdown.html(printed) : printed
  return { text, status: r.response.status, headers: { ...r.response.headers }, blocks: new Map(r.blocks) }
}

async function withLayout(
  host: SiteHost,
  { page, source }: PageRequest,
  r: Render,
  body: RenderedBody,
): Promise<RenderedBody> {
  if (page.layout === null || source || r.response.redirect !== null) return body
  const layout = host.loaded.site.layouts[page.layout]
  if (layout === undefined) throw new LiquidFault(`can't find layout ${page.layout}`)
  const text = await layout.render(r, { content_for_layout: new Safe(body.text) })
  return { text, status: r.response.status, headers: { ...body.headers, ...r.response.headers }, blocks: body.blocks }
}

async function answerOf(body: RenderedBody, r: Render, page: PageEntry, source: boolean): Promise<Reply> {
  const sent = r.response.redirect
  const reply = sent === null ? null : redirect(sent.status, sent.target)
  const headers: Record<string, string> = {
    'content-type': contentType(source ? 'md' : page.format),
    'x-frame-options': 'SAMEORIGIN',
  }
  if (page.responseHeaders !== null) applyHeaders(headers, parseHeaders(await settingText(page.responseHeaders, r)))
  applyHeaders(headers, body.headers)
  if (reply !== null) return { ...reply, headers: { ...headers, ...reply.headers }, file: page.file }
  return { status: body.status, headers, body: body.text, file: page.file }
}
