/**
 * The studio: pages that show a site's data, users, jobs, mails, logs and requests. It is an Ingot site itself (`site/`), which is compiled
 * when Ingot is built. It is loaded when the first request for it arrives.
 */
import { type App, createApp } from '../../web/app.ts'
import type { AppOptions } from '../../web/app-options.ts'
import type { ShownSite } from '../../web/graphql/site/shown-site.ts'
import { isFromHere } from '../../web/http/forwarded.ts'
import { BadRequest, createRequest, type Reply, type Request } from '../../web/http/message.ts'
import { bodyParams, type Params, queryParams } from '../../web/http/params.ts'
import { plainReply, STUDIO } from '../../web/http/plain-reply.ts'
import { isSameOrigin } from '../../web/http/same-origin.ts'
import type { Visit } from '../../web/site/host.ts'
import { findBuilt, loadSite } from '../../web/site/load.ts'
import type { Session } from '../../web/site/session.ts'
import { processLog } from '../../core/services/log.ts'
import { StartError } from '../../core/start-error.ts'
import { type AnswerExport, createExports } from './export.ts'
import { createImports, type RunImport } from './import.ts'
import { MAIL_POLICY } from './mail-policy.ts'
import type { SiteReleases } from './releases.ts'

/** A site that the studio shows. */
export type Shown = ReturnType<ShownSite['current']>

export interface Studio {
  /**
   * Answers requests below the studio's path; returns null for all others.
   * @param shown the current site; null before its first build
   */
  answer(request: Request, shown: Shown | null): Promise<Reply> | null
}

/** Runs a template that a developer typed. @param host host name of the request */
type RunLiquid = (
  content: string,
  host: string,
) => Promise<{
  /** What it printed; null when it failed. */
  readonly result: string | null
  readonly error: string | null
  readonly log: readonly { readonly type: string; readonly message: string }[]
}>

export interface StudioOptions {
  /** Folder of the built studio. */
  readonly folder: string
  /** The runtime's exports in this process. */
  readonly runtime: object
  /** Options of the app that serves the shown site. */
  readonly facts: AppOptions
  /** Present where a compiler runs: only in development. */
  readonly run?: RunLiquid
  /** Present where releases may be served: only in production. */
  readonly releases?: SiteReleases
}

/**
 * The header with which proxies report the path below which a site is served. The studio's templates read it to build URLs. Never taken
 * from the client.
 */
const PREFIX_HEADER = 'x-forwarded-prefix'

/** The pages run only scripts of the studio, are not shown in frames, and send forms only to this server. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' http: https: data:; media-src 'self' http: https:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Paths of endpoints, which belong to the shown site. */
const ENDPOINTS = /^\/(?:api\/|uploads\/|_)/

/** The page of an import, and the page that shows its result. */
const IMPORT = '/data/import'
const IMPORTED = '/data/imported'

/** The page of the console, and the page that shows a result. */
const CONSOLE = '/console'
const RUN = '/console/result'

/** Activates a release, and the page that shows the result. */
const ACTIVATE = '/releases/activate'
const ACTIVATED = '/releases/activated'

/** The page that shows a mail in a frame. */
const MAIL = '/messages/mail'

/** Creates the studio for development. It answers only requests from this machine. */
export function createStudio(options: StudioOptions): Studio {
  const pages = new StudioPages(STUDIO, options)
  return {
    answer(request, shown) {
      const { path } = request
      if (path !== STUDIO && !path.startsWith(`${STUDIO}/`)) return null
      return isFromHere(request)
        ? pages.answer(request, shown)
        : Promise.resolve(plainReply(403, 'html', FROM_ELSEWHERE))
    },
  }
}

const FROM_ELSEWHERE = 'The studio is available only on the machine of the developer'

/** Answers requests below a path. The caller checks who may send them. Data changes only by forms of the studio's own pages. */
export class StudioPages {
  readonly #base: string
  readonly #options: StudioOptions
  readonly #answerExport: AnswerExport | null
  readonly #runImport: RunImport | null
  #shown: Shown | null = null
  #opening: Promise<App> | null = null

  constructor(base: string, options: StudioOptions) {
    this.#base = base
    this.#options = options
    const sql = options.facts.graphql?.databases.sql ?? null
    this.#answerExport = sql === null ? null : createExports(sql)
    this.#runImport = sql === null ? null : createImports(sql)
  }

  /** @param shown the current site; null before its first build */
  async answer(request: Request, shown: Shown | null): Promise<Reply> {
    const below = request.url.slice(this.#base.length)
    // A header with credentials would count instead of the session of the visitor.
    const { authorization: _, ...headers } = request.headers
    const inner = createRequest({
      ...request,
      url: below.startsWith('/') ? below : `/${below}`,
      headers: { ...headers, [PREFIX_HEADER]: this.#base },
    })
    const reply = await this.#answerInner(inner, shown)
    return inner.path === MAIL ? withHeaders(reply, MAIL_HEADERS) : withHeaders(reply, HEADERS)
  }

  async #answerInner(request: Request, shown: Shown | null): Promise<Reply> {
    if (ENDPOINTS.test(request.path)) return plainReply(404, 'html')
    if (!isRead(request) && !isSameOrigin(request)) return plainReply(403, 'html', 'The request came from another site')
    if (shown === null) return plainReply(503, 'html', 'The site does not run yet: its pages show why')
    try {
      const app = await this.#appFor(shown)
      const exported = this.#answerExport?.(request, shown) ?? null
      if (exported !== null) return exported
      if (request.method === 'POST' && request.path === IMPORT) return await this.#import(app, request, shown)
      if (request.method === 'POST' && request.path === CONSOLE) return await this.#runLiquid(app, request)
      if (request.method === 'POST' && request.path === ACTIVATE) return await this.#activate(app, request)
      return await app.handler(request)
    } catch (error) {
      if (error instanceof BadRequest) return plainReply(error.status, 'html', error.message)
      if (!(error instanceof StartError)) throw error
      return plainReply(503, 'html', error.message)
    }
  }

  async #open(): Promise<App> {
    const { folder, runtime, facts } = this.#options
    const loadedSite = await loadSite(findBuilt(folder, folder), runtime)
    return createApp(loadedSite, { ...facts, ...this.#studioFacts() })
  }

  /** Returns the studio's app for the current site. */
  async #appFor(current: Shown): Promise<App> {
    this.#shown ??= current
    this.#opening ??= this.#open()
    const app = await this.#opening
    if (this.#shown.loadedSite !== current.loadedSite) {
      this.#shown = current
      app.swap(app.host().loadedSite)
    }
    return app
  }

  #studioFacts(): Partial<AppOptions> {
    const { logger, environment } = this.#options.facts
    return {
      // The site's log has only what happens in the site.
      log: processLog(logger, environment),
      assetsUrl: this.#base,
      hidden: true,
      observer: null,
      shown: {
        current: () => {
          if (this.#shown === null) throw new Error('the studio shows no site yet')
          return this.#shown
        },
        changes: changesOf,
      },
      instead: () => null,
    }
  }

  /** Imports the file of a form, and answers with the page that shows the result. */
  async #import(app: App, request: Request, { loadedSite, ids }: Shown): Promise<Reply> {
    const form = await this.#readForm(app, request)
    if (form === null || this.#runImport === null) return plainReply(403, 'html', REFUSAL)
    const { params, session } = form
    const result = await this.#runImport({ loadedSite, ids, params, actor: actorOf(session) })
    const { table, strict, overwrite } = params
    return showResult(app, request, IMPORTED, params, { table, strict, overwrite, result })
  }

  /** Runs the template of a form, and answers with the page that shows the result. */
  async #runLiquid(app: App, request: Request): Promise<Reply> {
    const { run } = this.#options
    const form = await this.#readForm(app, request)
    if (form === null || run === undefined) return plainReply(403, 'html', REFUSAL)
    const content = typeof form.params['content'] === 'string' ? form.params['content'] : ''
    const result = await run(content, request.host)
    return showResult(app, request, RUN, form.params, { content, result })
  }

  /** Activates the release of a form, or the previous one, and answers with the page that shows the result. */
  async #activate(app: App, request: Request): Promise<Reply> {
    const { releases } = this.#options
    const form = await this.#readForm(app, request)
    if (form === null || releases === undefined) return plainReply(403, 'html', REFUSAL)
    const id = form.params['id']
    const result = await releases.activate(typeof id === 'string' && id !== '' ? id : null, actorOf(form.session))
    return showResult(app, request, ACTIVATED, form.params, { result })
  }

  /** Returns the values and the session of a form of the studio's pages; null for other requests. */
  async #readForm(app: App, request: Request): Promise<{ params: Params; session: Session } | null> {
    const params = { ...queryParams(request), ...bodyParams(request) }
    const session = (await app.host().sessions?.(request, params)) ?? null
    return session?.csrfValid === true ? { params, session } : null
  }
}

/** Answers with a page that shows a result: the page gets it as parameters. */
function showResult(app: App, request: Request, page: string, params: Params, shown: object): Promise<Reply> {
  const { authenticity_token } = params
  const body = Buffer.from(JSON.stringify({ ...shown, authenticity_token }))
  const { 'transfer-encoding': _, ...headers } = request.headers
  const inner = createRequest({
    ...request,
    url: page,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(body.length),
      accept: 'text/html',
    },
    parts: null,
    body,
  })
  return Promise.resolve(app.handler(inner))
}

const REFUSAL = 'Changes need a form of the studio.'

/** Returns what a visit may change: nothing without the token of a page of the studio. */
function changesOf({ request, session }: Visit): ReturnType<ShownSite['changes']> {
  const isAllowed = !isRead(request) && session?.csrfValid === true
  return { actor: actorOf(session), refusal: isAllowed ? null : REFUSAL }
}

/** Returns who makes the changes of a session. Only in development may no one be signed in. */
function actorOf(session: Session | null): ReturnType<ShownSite['changes']>['actor'] {
  const user = session?.user ?? null
  return { id: user?.id ?? null, name: user?.email ?? 'development' }
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * Adds the headers that protect the pages. Templates of the studio are not counted among the site's. No cache between server and browser may
 * keep what only some visitors may see.
 */
function withHeaders({ template: _, ...reply }: Reply, own: Reply['headers']): Reply {
  const headers = { ...reply.headers, ...own, 'x-content-type-options': 'nosniff' }
  const caching = reply.headers['cache-control']
  return {
    ...reply,
    endpoint: '(studio)',
    headers: { ...headers, 'cache-control': caching === undefined ? 'no-store' : caching.replace('public', 'private') },
  }
}

const HEADERS = { 'content-security-policy': POLICY, 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' }
/** Of the page that shows a mail in a frame. */
const MAIL_HEADERS = {
  'content-security-policy': MAIL_POLICY,
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
}
