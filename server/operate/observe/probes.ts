/** Endpoints that a process answers before the site: its health, and the metrics of all processes. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import { SECURITY_HEADERS } from '../../core/default-headers.ts'
import { headerOf, pathOf, type Reply, type Request } from '../../web/http/message.ts'
import type { MetricsSettings, ObserveSettings } from '../../core/settings.ts'
import { type Health, type HealthLog, hiddenPages } from './health.ts'
import type { MetricsPage } from './page.ts'

export type Probes = (request: Request) => Promise<Reply> | null

/** Source of the metrics page; the page is null when it cannot be created. */
export interface PageSource {
  printMetrics(): Promise<MetricsPage | null>
}

/** Creates the endpoints. @param source null when nothing is measured */
export function createProbes(health: Health, metrics: MetricsSettings, source: PageSource | null): Probes {
  const { path, token } = metrics
  // Without a token, the metrics have a separate port, and are not available here.
  if (source === null || token === null) return health.answer
  return (request) => health.answer(request) ?? (isRead(request, path) ? metricsReply(request, token, source) : null)
}

/** Returns whether a request reads a path with GET or HEAD. */
export function isRead({ method, url }: Pick<Request, 'method' | 'url'>, path: string): boolean {
  return url.startsWith(path) && (method === 'GET' || method === 'HEAD') && pathOf(url) === path
}

const HEADERS = { ...SECURITY_HEADERS, 'cache-control': 'no-store' }
const TEXT_HEADERS = { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }

/** Answers with the metrics page. @param token null when every client of the port may read it */
export async function metricsReply(
  request: Pick<Request, 'headers'>,
  token: string | null,
  source: PageSource,
): Promise<Reply> {
  if (token !== null && !hasToken(request, token)) {
    const headers = { ...TEXT_HEADERS, 'www-authenticate': 'Bearer' }
    return {
      status: 401,
      headers,
      body: 'The metrics need the token of INGOT_METRICS_TOKEN: send it as a bearer token.\n',
    }
  }
  const page = await source.printMetrics()
  if (page === null)
    return { status: 503, headers: TEXT_HEADERS, body: 'The metrics cannot be read right now: try again later.\n' }
  return { status: 200, headers: { ...HEADERS, 'content-type': page.contentType }, body: page.text }
}

function hasToken(request: Pick<Request, 'headers'>, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(headerOf(request, 'authorization'))?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(token))
}

// Digests have the same length, as `timingSafeEqual` requires.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Warns about pages that cannot be reached, because the server answers at their paths. */
export function warnAboutHiddenPages({ pages }: CompiledSite, settings: ObserveSettings, log: HealthLog): void {
  const { upPath, readyPath, metrics } = settings
  const metricsPath = metrics.token === null ? {} : { INGOT_METRICS_PATH: metrics.path }
  const paths = { INGOT_UP_PATH: upPath, INGOT_READY_PATH: readyPath, ...metricsPath }
  for (const sentence of hiddenPages(pages, paths)) log.warn({}, sentence)
}
