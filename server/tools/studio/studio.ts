/**
 * The studio: pages that show a site's data, users, jobs, mails, logs and requests. It is an Ingot site itself (`site/`), which is compiled
 * when Ingot is built. It is loaded when the first request for it arrives.
 */
import { type App, type AppOptions, createApp } from '../../web/app.ts'
import { isFromHere } from '../../web/http/forwarded.ts'
import { createRequest, headerOf, type Reply, type Request } from '../../web/http/message.ts'
import { plainReply, STUDIO } from '../../web/http/plain-reply.ts'
import type { Visit } from '../../web/site/host.ts'
import { findBuilt, loadSite } from '../../web/site/load.ts'
import { processLog } from '../../core/services/log.ts'
import { StartError } from '../../core/start-error.ts'

type ShownSite = NonNullable<AppOptions['shown']>
/** A site that the studio shows. */
type Shown = ReturnType<ShownSite['current']>

export interface Studio {
  /**
   * Answers requests below the studio's path; returns null for all others.
   * @param shown the current site; null before its first build
   */
  answer(request: Request, shown: Shown | null): Promise<Reply> | null
}

export interface StudioOptions {
  /** Folder of the built studio. */
  readonly folder: string
  /** The runtime's exports in this process. */
  readonly runtime: object
  /** Options of the app that serves the shown site. */
  readonly facts: AppOptions
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

/** Creates the studio for development. It answers only requests from this machine, and changes only what its own pages ask for. */
export function createStudio(options: StudioOptions): Studio {
  const { folder, runtime, facts } = options
  let shown: Shown | null = null
  let opening: Promise<App> | null = null

  async function open(first: Shown): Promise<App> {
    shown = first
    const loadedSite = await loadSite(findBuilt(folder, folder), runtime)
    // The studio's own messages do not belong into the log that it shows.
    const log = processLog(facts.logger, facts.environment)
    return createApp(loadedSite, { ...facts, ...studioFacts(facts, () => shown ?? first), log })
  }

  /** Returns the studio's app for the current site. */
  async function appFor(current: Shown): Promise<App> {
    opening ??= open(current)
    const app = await opening
    if (shown?.loadedSite !== current.loadedSite) {
      shown = current
      app.swap(app.host().loadedSite)
    }
    return app
  }

  async function answerHere(request: Request, current: Shown | null): Promise<Reply> {
    const below = request.url.slice(STUDIO.length)
    const inner = createRequest({
      ...request,
      url: below.startsWith('/') ? below : `/${below}`,
      headers: { ...request.headers, [PREFIX_HEADER]: STUDIO },
    })
    if (!isFromHere(request)) {
      return plainReply(403, 'html', 'The studio is available only on the machine of the developer')
    }
    if (ENDPOINTS.test(inner.path)) return plainReply(404, 'html')
    if (!isRead(request) && !isSameOrigin(request)) return plainReply(403, 'html', 'The request came from another site')
    if (current === null) return plainReply(503, 'html', 'The site is being built')
    try {
      const app = await appFor(current)
      return guarded(await app.handler(inner))
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      return plainReply(503, 'html', error.message)
    }
  }

  return {
    answer(request, current) {
      const { path } = request
      return path === STUDIO || path.startsWith(`${STUDIO}/`) ? answerHere(request, current) : null
    },
  }
}

function studioFacts({ logger, environment }: AppOptions, current: () => Shown): Partial<AppOptions> {
  return {
    // The site's log has only what happens in the site.
    log: processLog(logger, environment),
    assetsUrl: STUDIO,
    hidden: true,
    observer: null,
    shown: { current, changes: changesOf },
    instead: () => null,
  }
}

/** Returns what a visit may change: nothing without the token of a page of the studio. */
function changesOf({ request, session }: Visit): ReturnType<ShownSite['changes']> {
  const user = session?.user ?? null
  const isAllowed = !isRead(request) && session?.csrfValid === true
  return {
    actor: { id: user?.id ?? null, name: user?.email ?? 'development' },
    refusal: isAllowed ? null : 'Changes need a form of the studio.',
  }
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isSameOrigin(request: Request): boolean {
  const site = headerOf(request, 'sec-fetch-site')
  if (site !== '') return site === 'same-origin'
  return headerOf(request, 'origin') === `${request.protocol}://${request.host}`
}

/** Adds the headers that protect the pages. */
function guarded(reply: Reply): Reply {
  const headers = {
    ...reply.headers,
    'content-security-policy': POLICY,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  }
  const isAsset = reply.headers['cache-control'] !== undefined
  return { ...reply, headers: isAsset ? headers : { ...headers, 'cache-control': 'no-store' } }
}
