/**
 * Serves a site in development: the newest successful build, with an event for the next one, or the report of its errors.
 */
import { type App, createApp } from '../../web/app.ts'
import type { AppOptions, TableIds } from '../../web/app-options.ts'
import type { CheckedSite, DevBuild, SavedChanges } from '../../operate/cluster/messages.ts'
import type { Handler, Reply, Request } from '../../web/http/message.ts'
import { html, htmlReply, serverPage } from '../../web/http/plain-reply.ts'
import type { LoadedSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'
import type { DocsPages } from './docs.ts'
import type { Graphiql } from './graphiql.ts'
import { createHotSite } from '../../operate/cluster/hot-site.ts'
import { createFixEndpoint } from './apply-fix.ts'
import type { LiveScript } from './live-page.ts'
import { createLivePages } from './live-pages.ts'
import type { FileOpener } from './open-file.ts'
import type { OutboxPage } from './outbox.ts'
import { type Found, problemItems } from './problem-items.ts'
import type { SiteHost } from '../../web/site/host.ts'
import type { Studio } from '../studio/studio.ts'
import { createSourcePage } from './source-page.ts'
import type { AskStudio } from './studio-frame.ts'
import { createTemplateTracer } from './template-trace.ts'
import type { DevTokens } from './tokens.ts'

export interface DevView {
  readonly handler: Handler
  /** Answers a request for an asset; see `App.asset`. */
  asset(request: Request): Promise<Reply | null> | null
  /** Returns the current site; null before the first successful build. */
  host(): SiteHost | null
  /** Returns whether there was no successful build yet. */
  waits(): boolean
  /** Serves a successful build; see `HotSite.update`. */
  built(build: DevBuild): Promise<void>
  /** Shows saved assets in open pages, before the build that they belong to. */
  saved(assets: SavedChanges['assets']): void
  /** Shows the compiler's report over the pages of the last successful build. */
  problems(report: string): void
  /** Receives what the check of the whole site reports. */
  checked(site: CheckedSite): void
  /** Returns what the last check reports. */
  found(): Found
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
  readonly docs: DocsPages
  readonly studio: Studio
}

/** What keeps open pages up to date, and opens files from them. */
export interface LiveParts {
  readonly script: LiveScript
  readonly tokens: DevTokens
  readonly opener: FileOpener
}

/**
 * Creates the view.
 * @param root the site's folder
 * @param runtime the runtime's exports in this process
 * @param data null without a database
 */
export function createDevView(
  root: string,
  runtime: object,
  options: AppOptions,
  data: DevData | null,
  { script, tokens, opener }: LiveParts,
): DevView {
  const tracer = createTemplateTracer()
  const hot = createHotSite(root, runtime, tracer.observe)
  const live = createLivePages(script, tracer, tokens, (file) => studied?.loadedSite.source(file) ?? null)
  const fixes = createFixEndpoint(root, tokens, (id) =>
    [...shown, ...(checkedSite?.problems ?? [])].flatMap(({ fix }) => fix ?? []).find((fix) => fix.id === id),
  )
  const sources = createSourcePage(root)
  const { cache } = options
  const appOptions = { ...options, ...(cache && { cache: tracer.bypassable(cache) }) }
  let app: App | null = null
  /** The newest build, which the studio shows. */
  let studied: Parameters<Studio['answer']>[1] = null
  let report: string | null = null
  /** Why the last build contains errors, by file and one by one. */
  let errors: DevBuild['errors'] = {}
  let shown: DevBuild['shown'] = []
  let checkedSite: CheckedSite | null = null
  let servedEntry: string | null = null
  // Builds can be faster than loading modules; this queue applies them in order.
  let last: Promise<void> = Promise.resolve()

  function show(text: string): void {
    report = stripColors(text)
    live.failed(shown, report)
    // A page that waits for the first build has no content, so it is replaced by the report.
    if (app === null) live.updated(null)
  }

  async function update({
    entry,
    changedModules,
    errors: nextErrors,
    shown: nextShown,
    saved,
    isChecked,
  }: DevBuild): Promise<void> {
    errors = nextErrors
    shown = nextShown
    const isFirst = app === null
    const isSame = !isFirst && isChecked && entry === servedEntry
    try {
      if (isSame) {
        live.failed(shown, report)
        return live.updated(saved)
      }
      const loadedSite: LoadedSite = {
        ...(await hot.update(entry, changedModules)),
        errors: (file) =>
          Object.hasOwn(errors, file)
            ? { report: errors[file] ?? '', shown: shown.filter((each) => each.file === file) }
            : null,
      }
      const ids = await data?.prepare(loadedSite)
      if (app === null) app = createApp(loadedSite, appOptions, ids)
      else app.swap(loadedSite, ids)
      studied = { loadedSite, ids: ids ?? new Map(), host: app.host() }
      servedEntry = entry
      report = null
      live.failed(shown, report)
      live.updated(isFirst ? null : saved)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      options.logger.error({}, error.message)
      show(error.message)
    }
  }

  return {
    async handler(request) {
      const own = live.answer(request) ?? opener.answer(request) ?? fixes.answer(request)
      if (own !== null) return own
      const queries = data?.graphiql.answer(request) ?? null
      if (queries !== null) return queries
      const askStudio: AskStudio = (page) => data?.studio.answer(page, studied) ?? null
      const source = sources.answer(request, askStudio)
      if (source !== null) return source
      const mails = (await data?.outbox.answer(request, askStudio)) ?? null
      if (mails !== null) return mails
      const docs = data?.docs.answer(request) ?? null
      if (docs !== null) return docs
      const inside = data?.studio.answer(request, studied) ?? null
      if (inside !== null) return inside
      const { handler } = app ?? { handler: () => waitingReply(report) }
      return live.show(request, app !== null, handler)
    },
    asset: (request) => app?.asset(request) ?? null,
    host: () => app?.host() ?? null,
    waits: () => app === null,
    built(build) {
      last = last.then(() => update(build))
      return last
    },
    saved: (assets) => live.updated({ files: [], assets }),
    problems: show,
    checked(site) {
      checkedSite = site
    },
    found: () => problemItems(checkedSite, report),
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
  const title = 'The site does not run yet'
  const reply = htmlReply(500, serverPage(title, `<h1>${title}</h1><pre>${html(report)}</pre>`))
  return { ...reply, reason: 'the site does not run yet' }
}

// The report contains terminal color codes, which pages cannot use.
function stripColors(text: string): string {
  return text.replace(/\x1b\[[\d;]*m/g, '')
}
