/**
 * The open pages of a site in development: what each one shows, and what the server sends to it. A page receives what was saved, and which errors the
 * files that it uses have.
 */
import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { SavedChanges } from '../../operate/cluster/messages.ts'
import { isFromHere } from '../../web/http/forwarded.ts'
import {
  ASSETS,
  createRequest,
  type EventsBody,
  headerOf,
  queryOf,
  type Reply,
  type Request,
} from '../../web/http/message.ts'
import { plainReply } from '../../web/http/plain-reply.ts'
import type { ShownError } from '../../web/site/shown-error.ts'
import type { LiveScript } from './live-page.ts'
import { markedPage } from './marks.ts'
import { PAGE_PURPOSE } from './page-posts.ts'
import type { TemplateTracer } from './template-trace.ts'
import type { DevTokens } from './tokens.ts'

/** Path of the server-sent events that open pages listen to. */
const NEWS = '/_ingot/reload'
/** The header with the id of an open page that is requested again. */
const PAGE_HEADER = 'x-ingot-page'
/** The header that asks for a page with marks. Its value is a token. */
const MARKS_HEADER = 'x-ingot-marks'
const PAGE_ID = /^[\da-f-]{36}$/
/** Number of open pages whose files are remembered. */
const MAX_PAGES = 500
/** Number of builds whose changes are remembered, for pages that were in the background. */
const MAX_HISTORY = 200

export interface LivePages {
  /** Answers requests for the events and the script; returns null for all others. */
  answer(request: Request): Reply | null
  /** Answers a request for a page, and adds the script to it. @param isReady whether there is a build */
  show(request: Request, isReady: boolean, page: (request: Request) => Reply | Promise<Reply>): Promise<Reply>
  /** Sends the pages what another build has changed. @param saved null when anything may have changed */
  updated(saved: SavedChanges | null): void
  /**
   * Sends the errors to the pages.
   * @param report the reason why the last build failed; null if it succeeded
   */
  failed(errors: readonly ShownError[], report: string | null): void
}

/** An open page. */
interface OpenPage {
  /** The templates that it was rendered from. */
  readonly files: ReadonlySet<string>
  /** Whether it shows the error itself. */
  readonly isErrorPage: boolean
}

interface Listener {
  readonly send: (event: string, data: string) => void
  readonly page: string
  readonly isHere: boolean
}

/** The changes of one build, or of several. */
interface Change {
  /** Whether pages must be rendered again. */
  readonly page: boolean
  readonly assets: readonly { readonly path: string; readonly stamp: string | null }[]
}

const EVERYTHING: Change = { page: true, assets: [] }
const NO_FILES: ReadonlySet<string> = new Set()

/** Returns an error without the edits of its fix, which stay on the server. */
function toPage({ fix, ...error }: ShownError): object {
  return { ...error, fix: fix === null ? null : { id: fix.id, title: fix.title } }
}

/**
 * Creates the pages.
 * @param sourceOf returns the source of a template; null when it is unknown
 */
export function createLivePages(
  script: LiveScript,
  tracer: TemplateTracer,
  tokens: DevTokens,
  sourceOf: (file: string) => string | null,
): LivePages {
  const boot = randomUUID()
  const pages = new LRUCache<string, OpenPage>({ max: MAX_PAGES })
  /** The files of the last render of each template, for answers that come from a cache. */
  const lastFiles = new LRUCache<string, ReadonlySet<string>>({ max: MAX_PAGES })
  const listeners = new Set<Listener>()
  const history: Change[] = []
  let stateNumber = 0
  let errors: readonly ShownError[] = []
  let report: string | null = null

  const state = (): string => `${boot}.${stateNumber}`

  /** Returns what has changed since a state; null if nothing has. */
  function since(shown: string): Change | null {
    const number = shown.startsWith(`${boot}.`) ? Number(shown.slice(boot.length + 1)) : Number.NaN
    const count = stateNumber - number
    if (count === 0) return null
    if (!Number.isInteger(count) || count < 0 || count > history.length) return EVERYTHING
    const changes = history.slice(-count)
    const assets = new Map(changes.flatMap((change) => change.assets).map((asset) => [asset.path, asset]))
    return { page: changes.some(({ page }) => page), assets: [...assets.values()] }
  }

  function sendErrors({ send, page: id, isHere }: Listener): void {
    // Sources are not shown to other machines.
    const shown = isHere ? errors : []
    const page = pages.get(id)
    const used = tracer.withCalled(page?.files ?? NO_FILES)
    const text = report === null || isHere ? report : 'The site cannot be built. The terminal of `ingot dev` shows why.'
    const own = page?.isErrorPage === true ? [] : shown.filter(({ file }) => used.has(file)).map(toPage)
    const others = shown.filter(({ file }) => !used.has(file)).map(toPage)
    send('errors', JSON.stringify({ report: text, own, others }))
  }

  function open(request: Request, send: Listener['send']): () => void {
    const query = new URLSearchParams(queryOf(request.url))
    const listener = { send, page: query.get('page') ?? '', isHere: isFromHere(request) }
    listeners.add(listener)
    send('hello', state())
    sendErrors(listener)
    const change = since(query.get('state') ?? state())
    if (change !== null) send('update', JSON.stringify({ state: state(), ...change }))
    return () => listeners.delete(listener)
  }

  async function render(request: Request, isMarked: boolean, page: (request: Request) => Reply | Promise<Reply>) {
    return tracer.run(isMarked, async (trace) => ({ reply: await page(request), trace }))
  }

  return {
    answer(request) {
      if (request.path !== NEWS) return script.answer(request)
      const news: EventsBody = { kind: 'events', open: (send) => open(request, send) }
      return { status: 200, headers: {}, body: news }
    },
    async show(request, isReady, page) {
      const shownState = state()
      const marks = headerOf(request, MARKS_HEADER)
      if (marks !== '' && !tokens.accepts(marks, PAGE_PURPOSE, request)) return plainReply(401, 'txt')
      const { reply, trace } = await render(withoutOwnHeaders(request, marks !== ''), marks !== '', page)
      if (!isPage(request, reply)) return reply
      const isOk = reply.status < 500
      const known = trace.files.size > 0 ? trace.files : (lastFiles.get(reply.template ?? '') ?? NO_FILES)
      const files = reply.template === undefined ? known : new Set([...known, reply.template])
      if (reply.template !== undefined && isOk) lastFiles.set(reply.template, files)
      if (trace.printed !== null) {
        const headers = { ...reply.headers, 'cache-control': 'no-store' }
        return { ...reply, headers, body: markedPage(reply.body, trace.printed, sourceOf) }
      }
      const sent = headerOf(request, PAGE_HEADER)
      const id = PAGE_ID.test(sent) ? sent : randomUUID()
      // A page that is requested again and fails keeps what it shows, unless that is the error.
      if (isOk || sent === '' || pages.get(id)?.isErrorPage === true) pages.set(id, { files, isErrorPage: !isOk })
      const token = isFromHere(request) ? tokens.issue(PAGE_PURPOSE) : null
      const update = !isReady ? 'reload' : request.method === 'GET' ? 'patch' : 'ask'
      return {
        ...reply,
        body: script.addTo(reply.body, { state: shownState, page: id, token, request: request.id, update }),
      }
    },
    updated(saved) {
      stateNumber++
      const change: Change =
        saved === null
          ? EVERYTHING
          : {
              page: saved.files.length > 0,
              assets: saved.assets.map(({ name, stamp }) => ({ path: `${ASSETS}${name}`, stamp })),
            }
      history.push(change)
      if (saved === null) history.length = 0
      if (history.length > MAX_HISTORY) history.shift()
      for (const { send } of listeners) send('update', JSON.stringify({ state: state(), ...change }))
    },
    failed(newErrors, newReport) {
      errors = newErrors
      report = newReport
      for (const listener of listeners) sendErrors(listener)
    },
  }
}

type PageReply = Reply & { readonly body: string }

/** Returns whether an answer is a page in a window. Parts of pages, which scripts request, have no script. */
function isPage(request: Request, reply: Reply): reply is PageReply {
  if (typeof reply.body !== 'string' || !(reply.headers['content-type'] ?? '').startsWith('text/html')) return false
  if (reply.status >= 300 && reply.status < 400) return false
  const isRequestedAgain = headerOf(request, PAGE_HEADER) !== '' || headerOf(request, MARKS_HEADER) !== ''
  return isRequestedAgain || ['', 'document', 'iframe', 'frame'].includes(headerOf(request, 'sec-fetch-dest'))
}

/** Returns the request as the page sees it: like the one of a browser that loads the page. */
function withoutOwnHeaders(request: Request, isUncached: boolean): Request {
  const { [PAGE_HEADER]: page, [MARKS_HEADER]: marks, ...headers } = request.headers
  if (page === undefined && marks === undefined) return request
  return createRequest({ ...request, headers, isUncached })
}
