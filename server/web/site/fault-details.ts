/** What developers see about a request that failed: the variables of its templates, its queries, its parameters and its user. */
import { type Frame, LimitFault, type LiquidFault } from '../../../runtime/page/fault.ts'
import type { PageEntry } from '../../../runtime/page/site.ts'
import { MASK, Masker } from '../../core/mask.ts'
import { createRequest } from '../http/message.ts'
import type { FaultDetails, ShownVariable } from './error-page.ts'
import type { SiteHost } from './host.ts'
import type { LoadedSite } from './load.ts'
import { PageVisit } from './page-visit.ts'
import { recordingOf } from './recorded.ts'
import { renderPage } from './render-page.ts'
import type { Inspect } from './stopped-frame.ts'

/** Names of emitted code that are not variables of a template, even if its text has these words. */
const EMITTED_NAME = /^(?:r|scope|context|out|own|this|arguments)$/
/** Maximum number of variables of a template. */
const MAX_VARIABLES = 60
/** Maximum length of a shown value. */
const LENGTH = { length: 2_000 }

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
  if (visit === null) return { variables: new Map(), sections: [], recorded: null }
  const { session, params, request } = visit
  const recording = recordingOf(visit)
  const recorded = recording === null ? null : { request: request.id, queries: [...recording.queries] }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isSafe = isRead && visit.opened?.meter.hasWritten !== true && !(fault instanceof LimitFault)
  const masker = new Masker()
  for (const value of Object.values(host.facts.constants())) masker.add(value)
  for (const token of session?.tokens ?? []) masker.add(token)
  masker.collect(params)
  masker.collect(session?.values)
  const variables =
    host.inspect === undefined || page === null || !isSafe
      ? new Map<string, readonly ShownVariable[]>()
      : await readVariables(host, host.inspect, visit, page, masker)
  const user = session?.user ?? null
  const shown = (values: object): readonly ShownVariable[] =>
    Object.entries(masker.mask(values, LENGTH) ?? {}).map(([name, value]) => ({ name, text: printed(value) }))
  return {
    variables,
    sections: [
      { title: 'Parameters', values: shown(params) },
      { title: 'Session', values: shown(session?.values ?? {}) },
      { title: 'User', values: user === null ? [] : shown({ id: user.id, email: user.email }) },
    ],
    recorded,
  }
}

async function readVariables(
  host: SiteHost,
  inspect: Inspect,
  { request, params, session }: PageVisit,
  page: PageEntry,
  masker: Masker,
): Promise<FaultDetails['variables']> {
  // The second render is not recorded.
  const unrecorded = createRequest({ ...request, span: null })
  const again = async (): Promise<unknown> =>
    renderPage(host, { visit: new PageVisit(host, unrecorded, params, session), page, source: false })
  const frames = await inspect(
    again,
    (url) => host.loadedSite.locator.name(url) !== null || isBundle(host.loadedSite, url),
  )
  const found = new Map<string, readonly ShownVariable[]>()
  for (const { url, line, column, variables } of frames) {
    const frame: Frame | null = host.loadedSite.locator.find(url, line, column)
    const key = frame === null ? null : `${frame.file}:${frame.line}`
    if (key === null || found.has(key)) continue
    const own = ownVariables(variables, host.loadedSite.source(frame?.file ?? '') ?? '')
    found.set(
      key,
      own.slice(0, MAX_VARIABLES).map(({ name, text }) => maskedVariable(masker, name, text)),
    )
  }
  return found
}

/**
 * Returns the variables whose names are in the source. Emitted code has others too, and it calls a variable `name2` or `nameValue` if it uses
 * the name itself.
 */
function ownVariables(variables: readonly ShownVariable[], source: string): readonly ShownVariable[] {
  const words = new Set(source.match(/[\p{L}\p{N}_-]+/gu)?.map((word) => word.replaceAll('-', '_')) ?? [])
  const own = new Map<string, ShownVariable>()
  for (const renamed of [true, false])
    for (const { name, text } of variables) {
      const written = words.has(name) && !EMITTED_NAME.test(name) ? name : name.replace(/^_|(?:Value)?\d*$/g, '')
      if ((written !== name) === renamed && words.has(written) && !EMITTED_NAME.test(written) && !own.has(written))
        own.set(written, { name: written, text })
    }
  return [...own.values()]
}

/** Masks a printed value. It is JSON, unless it was cut. */
function maskedVariable(masker: Masker, name: string, text: string): ShownVariable {
  try {
    const values = masker.mask({ [name]: JSON.parse(text) }, LENGTH)
    return { name, text: printed(Object.values(values ?? {})[0]) }
  } catch {
    const values = masker.mask({ [name]: text }, LENGTH)
    return { name, text: String(Object.values(values ?? {})[0]) }
  }
}

function printed(value: unknown): string {
  return value === MASK ? MASK : (JSON.stringify(value) ?? 'null').slice(0, LENGTH.length)
}

/** Returns whether a script belongs to the build of the site. */
function isBundle({ folder }: LoadedSite, url: string): boolean {
  return url.startsWith('file:') && decodeURIComponent(new URL(url).pathname).startsWith(folder)
}
