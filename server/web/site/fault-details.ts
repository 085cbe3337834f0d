/** What developers see about a request that failed: the variables of its templates, its parameters and its user. */
import { type Frame, LimitFault, type LiquidFault } from '../../../runtime/page/fault.ts'
import type { PageEntry } from '../../../runtime/page/site.ts'
import type { FaultDetails, ShownVariable } from './error-page.ts'
import type { SiteHost } from './host.ts'
import type { LoadedSite } from './load.ts'
import { PageVisit } from './page-visit.ts'
import { renderPage } from './render-page.ts'
import type { Inspect } from './stopped-frame.ts'

/** Names of emitted code that are not variables of a template. */
const EMITTED_NAME = /\$|^(?:r|scope|context|out|own|this|arguments|[a-z]+_text)$/

/**
 * Renders a page again to read its variables. A page that has changed data is not rendered again.
 * @param page null when no page was found
 */
export async function readFaultDetails(
  host: SiteHost,
  visit: PageVisit | null,
  page: PageEntry | null,
  fault: LiquidFault,
): Promise<FaultDetails> {
  if (visit === null) return { variables: new Map(), sections: [] }
  const { session, params, request } = visit
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isSafe = isRead && visit.opened?.meter.hasWritten !== true && !(fault instanceof LimitFault)
  const variables =
    host.inspect === undefined || page === null || !isSafe
      ? new Map<string, readonly ShownVariable[]>()
      : await readVariables(host, host.inspect, visit, page)
  const user = session?.user ?? null
  return {
    variables,
    sections: [
      { title: 'Parameters', values: shownValues(params) },
      { title: 'Session', values: shownValues(session?.values ?? {}) },
      { title: 'User', values: user === null ? [] : shownValues({ id: user.id, email: user.email }) },
    ],
  }
}

async function readVariables(
  host: SiteHost,
  inspect: Inspect,
  { request, params, session }: PageVisit,
  page: PageEntry,
): Promise<FaultDetails['variables']> {
  const again = async (): Promise<unknown> =>
    renderPage(host, { visit: new PageVisit(host, request, params, session), page, source: false })
  const frames = await inspect(
    again,
    (url) => host.loadedSite.locator.name(url) !== null || isBundle(host.loadedSite, url),
  )
  const found = new Map<string, readonly ShownVariable[]>()
  for (const { url, line, column, variables } of frames) {
    const frame: Frame | null = host.loadedSite.locator.find(url, line, column)
    const key = frame === null ? null : `${frame.file}:${frame.line}`
    if (key === null || found.has(key)) continue
    found.set(
      key,
      variables
        .filter(({ name, text }) => !EMITTED_NAME.test(name) && text !== '' && text !== '(function)')
        .map(({ name, text }) => ({ name, text: SECRET.test(name) ? HIDDEN : text })),
    )
  }
  return found
}

/** Returns whether a script belongs to the build of the site. */
function isBundle({ folder }: LoadedSite, url: string): boolean {
  return url.startsWith('file:') && decodeURIComponent(new URL(url).pathname).startsWith(folder)
}

/** Names of values that are not shown. */
const SECRET = /pass|token|secret|card_?number|cvv|authenticity/i
const HIDDEN = '(hidden)'

function shownValues(values: Readonly<Record<string, unknown>>): readonly ShownVariable[] {
  return Object.entries(values).map(([name, value]) => ({
    name,
    text: SECRET.test(name) ? HIDDEN : (JSON.stringify(value) ?? 'null').slice(0, 2_000),
  }))
}
