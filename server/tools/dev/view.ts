/**
 * Serves a site in development: the newest successful build, with an event for the next one, or the report of its errors.
 */
import { randomUUID } from 'node:crypto'
import { type App, type AppOptions, createApp, type TableIds } from '../../web/app.ts'
import type { DevBuild } from '../../operate/cluster/messages.ts'
import type { EventsBody, Handler, Reply, Request } from '../../web/http/message.ts'
import { html, htmlReply, serverPage } from '../../web/http/plain-reply.ts'
import type { LoadedSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'
import type { Graphiql } from './graphiql.ts'
import { createHotSite } from '../../operate/cluster/hot-site.ts'
import { NEWS, withScript } from './live-page.ts'
import type { OutboxPage } from './outbox.ts'
import type { Studio } from '../studio/studio.ts'

export interface DevView {
  readonly handler: Handler
  /** Answers a request for an asset; see `App.asset`. */
  asset(request: Request): Promise<Reply | null> | null
  /** Returns whether there was no successful build yet. */
  waits(): boolean
  /** Serves a successful build; see `HotSite.update`. */
  built(build: DevBuild): Promise<void>
  /** Shows the compiler's report over the pages of the last successful build. */
  problems(report: string): void
}

/** The parts of the site's data that the view needs. */
export interface DevData {
  /**
   * Updates the database to the site's declarations.
   * @throws StartError when that fails
   */
  prepare(loadedSite: LoadedSite): Promise<TableIds>
  readonly graphiql: Graphiql
  readonly outbox: OutboxPage
  readonly studio: Studio
}

/**
 * Creates the view.
 * @param root the site's folder
 * @param runtime the runtime's exports in this process
 * @param data null without a database
 */
export function createDevView(root: string, runtime: object, options: AppOptions, data: DevData | null): DevView {
  const hot = createHotSite(root, runtime)
  // Identifies the state that a page shows. A page that was sent just before a build notices the build when it connects.
  const boot = randomUUID()
  let stateNumber = 0
  const state = (): string => `${boot}.${stateNumber}`
  const listeners = new Set<(event: string, data: string) => void>()
  let app: App | null = null
  /** The newest build, which the studio shows. */
  let shown: Parameters<Studio['answer']>[1] = null
  let report: string | null = null
  // Builds can be faster than loading modules; this queue applies them in order.
  let last: Promise<void> = Promise.resolve()

  function publish(event: string, data: string): void {
    for (const send of listeners) send(event, data)
  }

  function show(text: string): void {
    report = stripColors(text)
    // An open page of the site keeps its content and shows the report on top.
    if (app !== null) publish('problems', report)
    else {
      // A page that waits for the first build has no content, so it is replaced by the report.
      stateNumber++
      publish('reload', '')
    }
  }

  async function update({ entry, changedModules, errors }: DevBuild): Promise<void> {
    try {
      const loadedSite: LoadedSite = {
        ...(await hot.update(entry, changedModules)),
        errors: (file) => (Object.hasOwn(errors, file) ? (errors[file] ?? null) : null),
      }
      const ids = await data?.prepare(loadedSite)
      if (app === null) app = createApp(loadedSite, options, ids)
      else app.swap(loadedSite, ids)
      shown = { loadedSite, ids: ids ?? new Map() }
      report = null
      stateNumber++
      publish('reload', '')
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      options.logger.error({}, error.message)
      show(error.message)
    }
  }

  const news: EventsBody = {
    kind: 'events',
    open(send) {
      listeners.add(send)
      send('hello', state())
      if (report !== null && app !== null) send('problems', report)
      return () => listeners.delete(send)
    },
  }

  return {
    async handler(request) {
      if (request.path === NEWS) return { status: 200, headers: {}, body: news }
      const queries = data?.graphiql.answer(request) ?? null
      if (queries !== null) return queries
      const mails = (await data?.outbox.answer(request)) ?? null
      if (mails !== null) return mails
      const inside = data?.studio.answer(request, shown) ?? null
      if (inside !== null) return inside
      const shownState = state()
      if (app === null) return withNews(waitingReply(report), shownState)
      return withNews(await app.handler(request), shownState)
    },
    asset: (request) => app?.asset(request) ?? null,
    waits: () => app === null,
    built(build) {
      last = last.then(() => update(build))
      return last
    },
    problems: show,
  }
}

function waitingReply(report: string | null): Reply {
  if (report === null)
    return {
      ...htmlReply(
        503,
        serverPage('Building', '<h1>The site is being built</h1><p>This page opens as soon as it is ready.</p>'),
      ),
      reason: 'the site is being built',
    }
  const title = 'The site does not build yet'
  const reply = htmlReply(500, serverPage(title, `<h1>${title}</h1><pre>${html(report)}</pre>`))
  return { ...reply, reason: 'the site does not build yet' }
}

function withNews(reply: Reply, state: string): Reply {
  if (typeof reply.body !== 'string' || !(reply.headers['content-type'] ?? '').startsWith('text/html')) return reply
  if (reply.status >= 300 && reply.status < 400) return reply
  return { ...reply, body: withScript(reply.body, state) }
}

// The report contains terminal color codes, which pages cannot use.
function stripColors(text: string): string {
  return text.replace(/\x1b\[[\d;]*m/g, '')
}
