/** Answers one request of a site: built-in answers, then pages, then errors. Never throws. */
import { asFault } from '../../runtime/render.ts'
import { LimitFault, type LiquidFault } from '../../runtime/fault.ts'
import type { Format } from '../../runtime/site.ts'
import { wantedFormats } from '../http/formats.ts'
import { headerOf, pathOf, queryOf, type Reply, type Request, redirect } from '../http/message.ts'
import { plainReply } from '../http/plain-reply.ts'
import { BadRequest, bodyParams, type Params, queryParams } from '../http/params.ts'
import { type RouteAnswer, slugParams, statusPage } from '../http/routes.ts'
import { answerAsset } from './assets.ts'
import { languageOf } from './context.ts'
import { faultReply, noPageReply } from './error-page.ts'
import type { RequestData, SiteHost } from './host.ts'
import { Forbidden, renderPage, renderStatusPage } from './render-page.ts'

/** What is known of a request when its answer fails. */
interface Asked {
  readonly request: Request
  /** What it has of the database, null without one. */
  readonly data: RequestData | null
  params: Params
  format: Format
}

export async function answer(host: SiteHost, request: Request): Promise<Reply> {
  const asked: Asked = { request, data: host.data === null ? null : host.data(null, null), params: {}, format: 'html' }
  try {
    return timed(host, asked, await respond(host, request, asked))
  } catch (error) {
    return timed(host, asked, await failure(host, asked, error))
  }
}

/** Tells developers, in the network panel of their browser, what the database did for an answer. */
function timed(host: SiteHost, { data }: Asked, reply: Reply): Reply {
  if (host.facts.environment !== 'development' || data === null || data.meter.statements === 0) return reply
  const { statements, milliseconds } = data.meter
  const timing = `db;dur=${milliseconds.toFixed(1)};desc="${statements} statement${statements === 1 ? '' : 's'}"`
  return { ...reply, headers: { ...reply.headers, 'server-timing': timing } }
}

async function respond(host: SiteHost, request: Request, asked: Asked): Promise<Reply> {
  const { loaded, routes } = host
  const asset = await answerAsset(loaded.site, loaded.root, request)
  if (asset !== null) return asset
  const wanted = wantedFormats(headerOf(request, 'content-type'), headerOf(request, 'accept'))
  asked.format = wanted[0] ?? 'html'
  const path = pathOf(request.url)
  const sent: Params = { ...queryParams(request) }
  const body = request.method === 'GET' || request.method === 'HEAD' ? {} : await bodyParams(request)
  Object.assign(sent, body)
  asked.params = { ...sent, ...slugParams(path, asked.format) }
  const method = methodOf(request, body)
  const found = routes.find({ method, path, host: request.host, wanted })
  switch (found.kind) {
    case 'page':
      asked.format = found.page.format
      asked.params = { ...sent, ...found.params }
      return page(host, asked, found)
    case 'redirect':
      return redirect(found.status, queryOf(request.url) === '' ? found.path : `${found.path}?${queryOf(request.url)}`)
    case 'allow':
      return { status: 204, headers: { allow: found.methods.join(', ') }, body: null }
    case 'malformed':
      throw new BadRequest('the address is not valid percent-encoding')
    case 'none':
      asked.format = found.format
      return missing(host, asked)
  }
}

// Browsers send GET and POST only, so a form names the method it means.
function methodOf(request: Request, body: Params): string {
  const named = body._method
  if (request.method !== 'POST' || typeof named !== 'string') return request.method
  return /^(?:put|patch|delete)$/i.test(named) ? named.toUpperCase() : request.method
}

async function page(
  host: SiteHost,
  { request, params, data }: Asked,
  found: RouteAnswer & { kind: 'page' },
): Promise<Reply> {
  const seconds =
    found.source || (request.method !== 'GET' && request.method !== 'HEAD') ? null : found.page.staticCache
  if (seconds === null || seconds <= 0)
    return own(found, await renderPage(host, { request, params, page: found.page, source: found.source, data }))
  const language = languageOf(host.loaded.site, params, request)
  const key = JSON.stringify([found.page.file, request.protocol, request.host, request.url, language])
  const known = host.replies.reply(key)
  if (known !== null) return known
  const reply = own(found, await renderPage(host, { request, page: found.page, params, source: false, data }))
  if (reply.status === 200) host.replies.keepReply(key, reply, seconds)
  return reply
}

// An error page is a page too; whoever asks for it by its address gets its status with it.
function own(found: RouteAnswer & { kind: 'page' }, reply: Reply): Reply {
  const status = /^(?:403|404|500|503)$/.test(found.page.slug) ? Number(found.page.slug) : 200
  return reply.status === 200 && status !== 200 ? { ...reply, status } : reply
}

async function missing(host: SiteHost, asked: Asked): Promise<Reply> {
  const { pages } = host.loaded.site
  if (asked.format === 'html' && host.facts.environment === 'development' && statusPage(pages, 404, 'html') === null) {
    return noPageReply(host.loaded.site, asked.request.method, pathOf(asked.request.url))
  }
  return statusReply(host, asked, 404)
}

/** The site's page for a status, else the plain one. */
async function statusReply(host: SiteHost, asked: Asked, status: 403 | 404 | 500 | 503): Promise<Reply> {
  const page = statusPage(host.loaded.site.pages, status, asked.format)
  if (page === null) return plainReply(status, asked.format)
  try {
    const { request, params, data } = asked
    return await renderStatusPage(host, { request, params, page, source: false, data }, status)
  } catch (error) {
    report(host, asked.request, located(host, error))
    return plainReply(status, asked.format)
  }
}

async function failure(host: SiteHost, asked: Asked, error: unknown): Promise<Reply> {
  if (error instanceof BadRequest) return plainReply(error.status, asked.format, error.message)
  if (error instanceof Forbidden) return statusReply(host, asked, error.status)
  const fault = located(host, error)
  report(host, asked.request, fault)
  const late = fault instanceof LimitFault && fault.limit === 'time'
  const status = late ? 504 : asked.data?.meter.unreachable === true ? 503 : 500
  if (host.facts.environment === 'development') return faultReply(fault, host.loaded, status, asked.format)
  return status === 504 ? plainReply(504, asked.format) : statusReply(host, asked, status)
}

function located(host: SiteHost, error: unknown): LiquidFault {
  const fault = asFault(error)
  // A stack that overflowed becomes a fault of its own, which was made here: the way there is in the error itself.
  if (fault !== error) fault.cause ??= error
  host.services.locate(fault)
  return fault
}

function report(host: SiteHost, request: Request, fault: LiquidFault): void {
  const stack = fault.frames.map((frame) => `    at ${frame.file}:${frame.line}`)
  if (fault.cause instanceof Error) stack.push(`  caused by ${fault.cause.stack ?? fault.cause.message}`)
  const fields = { id: request.id, type: fault.name, stack: stack.join('\n') }
  host.logger.error(fields, `${request.method} ${pathOf(request.url)}: ${fault.message}`)
}
