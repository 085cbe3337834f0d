/**
 * The composition root: combines a loaded site, the ports and the limits into one request handler. The site can be
 * replaced while serving.
 */
import { locate } from '../runtime/page/locate.ts'
import { DEFAULT_LIMITS, type Limits, Render } from '../runtime/page/render.ts'
import type { FetchPort, Services } from '../runtime/page/services.ts'
import type { Accounts } from './accounts/accounts.ts'
import { hashPassword, verifyPassword } from './accounts/passwords.ts'
import type { SharedCache } from './cache/model.ts'
import { memoryCache } from './cache/open.ts'
import { answerFile } from './files/endpoint.ts'
import type { FileService } from './files/files.ts'
import { openForms } from './forms/port.ts'
import { throughForm } from './forms/through.ts'
import { createAccountPort } from './graphql/templates/account-port.ts'
import { answerEndpoint, isEndpoint } from './graphql/endpoint/endpoint.ts'
import type { OpenEffects } from './graphql/host/effects.ts'
import type { GraphqlProcess } from './graphql/process.ts'
import { createSiteData, type SiteData } from './graphql/site/site-data.ts'
import type { Handler, Reply, Request } from './http/message.ts'
import { createRoutes } from './http/routes.ts'
import { createEffects } from './notifications/effects.ts'
import type { Notifications } from './notifications/model.ts'
import { enqueue } from './queue/enqueue.ts'
import { answerRest, type RestParts } from './rest/answer.ts'
import { answerOpenApi } from './openapi.ts'
import { createChallenge, type ProviderUrls } from './services/challenge.ts'
import { systemClock } from './services/clock.ts'
import { type Logger, NOWHERE, type SiteLog } from './contracts/log.ts'
import { portOf, processLog } from './services/log.ts'
import { createMarkdown } from './services/markdown.ts'
import { createServices } from './services/services.ts'
import { answer } from './site/answer.ts'
import { createBareContext, type HostFacts } from './site/context.ts'
import type { Environment } from './settings.ts'
import type { SiteHost, Visit } from './site/host.ts'
import { originOf } from './site/job-visit.ts'
import type { LoadedSite } from './site/load.ts'
import { placeOf } from './site/place.ts'
import { installedModules, type ModuleFacts } from './site/modules.ts'
import { createRender } from './site/render-page.ts'
import { createReplyCache } from './site/reply-cache.ts'
import type { Bearer } from './store/tokens.ts'

export interface AppOptions {
  readonly environment: Environment
  readonly version: string
  /** The site's constants by name; a new object after each change. */
  readonly constants: HostFacts['constants']
  readonly logger: Logger
  readonly limits?: Limits
  /** URLs of the spam challenge providers; by default their own. */
  readonly challenges?: ProviderUrls
  /** The process's access to the database. Without it, templates that ask for data get an error. */
  readonly graphql?: GraphqlProcess
  /** User accounts. Without them nobody can sign in. */
  readonly accounts?: Accounts
  /** Stores files. Without it, forms with files are refused. */
  readonly files?: FileService
  /** Sends mails and text messages and calls other services. Without it nothing is sent. */
  readonly notifications?: Notifications
  /** Caches fragments; by default in the memory of this process. */
  readonly cache?: SharedCache
  /** Receives the site's log entries; by default the log of this process. */
  readonly log?: SiteLog
  /** Fetches what templates download. Without it, templates cannot download. */
  readonly fetch?: FetchPort
  /** Whether a token that is not in the database has full access in this request. */
  readonly trusts?: (token: string, request: Request) => boolean
}

/** Ids of the site's tables in the database, by name. */
export type TableIds = ReadonlyMap<string, number>

export interface App {
  readonly handler: Handler
  /** The site that is being served; jobs run with it. */
  host(): SiteHost
  /** Serves another site from the next request on, and forgets what was cached of the old one. */
  swap(loaded: LoadedSite, tableIds?: TableIds): void
}

const NO_TABLES: TableIds = new Map()
const PROVIDERS_OWN: ProviderUrls = { recaptcha: null, hcaptcha: null }

export function createApp(first: LoadedSite, options: AppOptions, ids: TableIds = NO_TABLES): App {
  const { environment, version, constants, logger, graphql } = options
  let loaded = first
  let tableIds = ids
  graphql?.translations.over(first.site)
  const cache = options.cache ?? memoryCache(logger)
  const log = options.log ?? processLog(logger, environment)
  const markdown = createMarkdown()
  const ports = createServices({
    site: () => loaded.site,
    locate: (fault) => locate(fault, loaded.places),
    accounts: graphql === undefined ? null : createAccountPort(graphql),
    challenge: createChallenge({
      environment,
      constants,
      urls: options.challenges ?? PROVIDERS_OWN,
      logger,
      clock: systemClock,
    }),
    ...(options.fetch !== undefined && { fetch: options.fetch }),
    log: portOf(log, () => NOWHERE),
  })
  let services = servicesOf()
  let data = dataOf()
  let host = hostOf()
  let rest = restOf()

  function factsOf(): HostFacts {
    const { site, root, name: siteName } = loaded
    // Read lazily: most requests never ask for it.
    let modules: readonly ModuleFacts[] | null = null
    return { environment, version, siteName, constants, modules: () => (modules ??= installedModules(site, root)) }
  }

  function dataOf(): SiteData | null {
    if (graphql === undefined) return null
    const { site } = loaded
    const facts = factsOf()
    const render = (): Render => new Render(site, services, { context: createBareContext(facts) })
    const accounts = { hashPassword, verifyPassword, signInByPassword: options.accounts?.signInByPassword ?? null }
    return createSiteData(graphql, {
      loaded,
      render,
      markdown,
      tableIds,
      accounts,
      files: options.files ?? null,
      assetUrl: services.assets.url,
    })
  }

  // Cached fragments are valid for one build of the templates and one revision of the translations. A render that began
  // with the previous site stores nothing for the new one.
  function servicesOf(): Services {
    const { site } = loaded
    return { ...ports, cache: cache.of(() => `${site.fingerprint} ${graphql?.translations.revision() ?? ''}`) }
  }

  function hostOf(): SiteHost {
    return {
      loaded,
      routes: createRoutes(loaded.site.pages, loaded.site.options),
      services,
      data: data === null ? null : openerOf(data),
      sessions: options.accounts?.sessions({ sameSite: loaded.site.options.cookiesSameSite }) ?? null,
      forms: data === null ? null : openForms(() => loaded.site.forms),
      attempts: options.accounts?.attempts ?? null,
      facts: factsOf(),
      limits: options.limits ?? DEFAULT_LIMITS,
      markdown,
      replies: createReplyCache(systemClock),
      mark: cache.mark,
      logger,
      log,
    }
  }

  // Forms need the host, and the host needs the data; this function connects them when a mutation names a form.
  function openerOf({ open }: SiteData): NonNullable<SiteHost['data']> {
    return (viewer, session, visit) =>
      open({
        viewer,
        session,
        throughForm: async (call) =>
          rest === null ? { refusal: 'No forms are sent here.' } : throughForm(rest.forms, visit(), call),
        origin: () => originOf(host, visit()),
        effects: effectsOf(visit),
      })
  }

  function effectsOf(visit: () => Visit): OpenEffects | null {
    const { notifications } = options
    if (notifications === undefined) return null
    const current = loaded
    // A request that has begun finishes with the site that it began with.
    const served = host
    return ({ run, whenKept }) =>
      createEffects({
        notifications,
        loaded: current,
        render: (format) => createRender(served, visit(), null, { format, raise: true }),
        origin: () => originOf(served, visit()),
        enqueue: (jobs) => enqueue(jobs, run),
        where: visit().job === null ? 'web' : 'job',
        log: portOf(log, () => placeOf(visit(), null)),
        translationsChanged: async () => {
          if (graphql !== undefined) await whenKept(graphql.translations.reload)
        },
      })
  }

  /** The effects of GraphQL mutations that a client with a token runs; no user is signed in. */
  function effectsOfProgram(request: Request): OpenEffects | null {
    const shared = { context: null }
    // Callbacks run queries of their own.
    const opened = host.data?.(null, null, () => visit) ?? null
    const visit: Visit = { request, params: {}, session: null, data: opened, failed: null, shared, job: null }
    return effectsOf(() => visit)
  }

  function restOf(): RestParts | null {
    if (data === null) return null
    const refuse = async (): Promise<{ refused: 'wrong' }> => ({ refused: 'wrong' })
    const signIn = options.accounts?.signInByPassword ?? refuse
    const forms = {
      host,
      catalog: data.catalog,
      files: options.files ?? null,
      challenge: services.challenge,
      hashPassword,
      signIn,
    }
    return { forms, bearer }
  }

  async function bearer(token: string, request: Request): Promise<Bearer | null> {
    if (options.trusts?.(token, request) === true) return TRUSTED
    return graphql === undefined ? null : graphql.tokens.bearer(token)
  }

  async function handler(request: Request): Promise<Reply> {
    if (graphql !== undefined && data !== null && isEndpoint(request)) {
      const reply = await answerEndpoint({ data, bearer, logger, effects: effectsOfProgram }, request)
      if (reply !== null) return reply
    }
    if (environment === 'development') {
      const document = answerOpenApi({ site: loaded.site, name: loaded.name, version }, request)
      if (document !== null) return document
    }
    if (options.files !== undefined) {
      const reply = await answerFile(options.files, request)
      if (reply !== null) return reply
    }
    if (rest !== null) {
      const reply = await answerRest(rest, request)
      if (reply !== null) return reply
    }
    return answer(host, request)
  }

  return {
    handler,
    host: () => host,
    swap(next, ids = NO_TABLES) {
      loaded = next
      graphql?.translations.over(next.site)
      tableIds = ids
      services = servicesOf()
      data = dataOf()
      host = hostOf()
      rest = restOf()
    },
  }
}

const TRUSTED: Bearer = { id: null, name: 'development', scope: 'admin' }
