/** What a process answers at addresses of its own before the site is asked: its health, and the metrics of all processes. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import { headerOf, pathOf, type Reply, type Request } from '../../web/http/message.ts'
import type { MetricsSettings, ObserveSettings } from '../../core/settings.ts'
import { type Health, type HealthLog, hiddenPages } from './health.ts'
import type { MetricsPage } from './page.ts'

export type Probes = (request: Request) => Promise<Reply> | null

/** Where the page of metrics comes from; it is null when it cannot be made. */
export interface PageSource {
  page(): Promise<MetricsPage | null>
}

/** @param source null where nothing is measured */
export function createProbes(health: Health, metrics: MetricsSettings, source: PageSource | null): Probes {
  const { path, token } = metrics
  // Without a token the metrics have a port of their own, and are not shown here.
  if (source === null || token === null) return health.answer
  return (request) => health.answer(request) ?? (isRead(request, path) ? metricsReply(request, token, source) : null)
}

/** Whether a request reads a path. */
export function isRead({ method, url }: Pick<Request, 'method' | 'url'>, path: string): boolean {
  return url.startsWith(path) && (method === 'GET' || method === 'HEAD') && pathOf(url) === path
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
const PLAIN = { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }

/** @param token null where everyone who reaches the port may read */
export async function metricsReply(
  request: Pick<Request, 'headers'>,
  token: string | null,
  source: PageSource,
): Promise<Reply> {
  if (token !== null && !hasToken(request, token)) {
    const headers = { ...PLAIN, 'www-authenticate': 'Bearer' }
    return { status: 401, headers, body: 'The metrics need the token of INGOT_METRICS_TOKEN.\n' }
  }
  const page = await source.page()
  if (page === null) return { status: 503, headers: PLAIN, body: 'The metrics cannot be read right now.\n' }
  return { status: 200, headers: { ...HEADERS, 'content-type': page.contentType }, body: page.text }
}

function hasToken(request: Pick<Request, 'headers'>, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(headerOf(request, 'authorization'))?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(token))
}

// Of the same length for whatever was sent.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Warns of pages that cannot be reached, because the server answers at their addresses. */
export function warnOfHidden({ pages }: CompiledSite, settings: ObserveSettings, log: HealthLog): void {
  const { upPath, readyPath, metrics } = settings
  const shown = metrics.token === null ? {} : { INGOT_METRICS_PATH: metrics.path }
  const paths = { INGOT_UP_PATH: upPath, INGOT_READY_PATH: readyPath, ...shown }
  for (const sentence of hiddenPages(pages, paths)) log.warn({}, sentence)
}
