/**
 * The composition root: combines a loaded site, the ports and the limits into one request handler. The site can be
 * replaced while serving.
 */
import type { AppOptions, TableIds } from './app-options.ts'
import type { EffectHost } from '../../runtime/data/query/effects.ts'
import type { SiteFacts } from '../../runtime/data/query/site-facts.ts'
import { CLIENTS_ONLY, SiteChangeError } from '../../runtime/data/query/change-model.ts'
import { locate } from '../../runtime/page/locate.ts'
import { Render } from '../../runtime/page/render.ts'
import { DEFAULT_LIMITS } from '../../runtime/page/limits.ts'
import type { Services } from '../../runtime/page/services.ts'
import { SESSION_COOKIE } from './accounts/cookies.ts'
import { hashPassword, verifyPassword } from './accounts/passwords.ts'
import { identifyUser, sentUserToken } from './accounts/user-token.ts'
import type { SharedCache } from './cache/model.ts'
import { memoryCache } from './cache/open.ts'
import { importMutationRows } from './transfer/mutation-import.ts'
import { answerFile, isUpload } from './files/endpoint.ts'
import { identifyUploader } from './files/uploader.ts'
import { openForms } from './forms/port.ts'
import { submitFromMutation } from './forms/submit-from-mutation.ts'
import { createAccountPort } from './graphql/templates/account-port.ts'
import { isUnreachable } from './graphql/database/database-error.ts'
import { answerEndpoint, isEndpoint } from './graphql/endpoint/endpoint.ts'
import type { OpenEffects } from './graphql/host/effects.ts'
import type { PrintUpload } from './graphql/host/uploads.ts'
import { createSiteData, type SiteData } from './graphql/site/site-data.ts'
import type { Handler, Reply, Request } from './http/message.ts'
import { mediaTypeIn } from './http/formats.ts'
import { refusedReply, UNREACHABLE } from './http/plain-reply.ts'
import { createSlots, SharedCapacity } from './http/shared-capacity.ts'
import { createRoutes } from './http/routes.ts'
import { answerSignIn, signInReadsBody } from './oidc/endpoint.ts'
import { createEffects } from './notifications/effects.ts'
import { notificationsWithin } from './notifications/open.ts'
import type { PrintingRequest } from './print/site-printer.ts'
import { enqueue } from '../data/queue/enqueue.ts'
import { answerRest, apiReadsBody, type RestDependencies } from './rest/answer.ts'
import { answerOpenApi } from './openapi.ts'
import { PrintFailure } from '../core/print/model.ts'
import { createChallenge } from '../core/services/challenge.ts'
import { systemClock } from '../core/services/clock.ts'
import { NO_ORIGIN, type SiteLog } from '../core/contracts/log.ts'
import { createLogPort, processLog } from '../core/services/log.ts'
import { createMarkdown } from '../core/services/markdown.ts'
import { createServices } from '../core/services/services.ts'
import { answer, pageTakesBody } from './site/answer.ts'
import { answerAsset } from './site/assets.ts'
import { createBareContext, type HostFacts } from './site/context.ts'
import { type SiteHost, currentSpan, type Visit } from './site/host.ts'
import { createJobOrigin } from './site/job-visit.ts'
import type { LoadedSite } from './site/load.ts'
import { visitLog } from './site/visit-services.ts'
import { installedModules, type ModuleFacts } from './site/modules.ts'
import { printedPage } from './site/printed-page.ts'
import { createRender } from './site/render-page.ts'
import { answerIdentity } from './site/identity.ts'
import { createKeptPages } from './site/kept-pages.ts'
import { recordQueued } from './graphql/host/recorded-queue.ts'
import { recordingOf, recordVisitor } from './site/recorded.ts'
import { createReplyCache } from './site/reply-cache.ts'
import type { Session } from './site/session.ts'
import { openUserSession } from './site/user-session.ts'
import { type Bearer, permits } from '../data/store/tokens.ts'

export interface App {
  readonly handler: Handler
  /** Returns whether the body of a request to the handler is needed. The body has not been read yet. */
  takesBody(request: Request): boolean
  /** Answers a request for an asset; null for all other requests. */
  asset(request: Request): Promise<Reply | null> | null
  /**
   * Prepares what the first visitors would otherwise wait for.
   * @param time milliseconds that this may take, approximately
   */
  warm(time: number): Promise<void>
  /** Returns the current site. Jobs use this site. */
  host(): SiteHost
  /** Serves another site from the next request on, and forgets the caches of the old one. */
  swap(loadedSite: LoadedSite, tableIds?: TableIds): void
}

/** Milliseconds for a PDF that a client of the API creates. */
const CLIENT_PRINT_TIME = 60_000

/** Maximum number of concurrent verifications of a process with the providers of spam challenges. */
const MAX_VERIFICATIONS = 100
const NO_TABLES: TableIds = new Map()

/** Creates the application of a loaded site. */
export function createApp(first: LoadedSite, options: AppOptions, ids: TableIds = NO_TABLES): App {
  return new SiteApp(first, options, ids)
}

/** Beginnings of the paths of built-in endpoints; all other paths belong to pages and assets. */
const ENDPOINTS = /^\/(?:api\/|uploads\/|auth\/|_)/

class SiteApp implements App {
  readonly #options: AppOptions
  readonly #cache: SharedCache
  readonly #log: SiteLog
  readonly #markdown = createMarkdown()
  readonly #ports: Omit<Services, 'cache'>
  #loaded: LoadedSite
  #tableIds: TableIds
  #services: Services
  #data: SiteData | null
  #host: SiteHost
  #rest: RestDependencies | null

  constructor(first: LoadedSite, options: AppOptions, ids: TableIds) {
    this.#options = options
    this.#loaded = first
    this.#tableIds = ids
    if (options.shown === undefined) options.graphql?.translations.applyTo(first.site)
    this.#cache = options.cache ?? memoryCache(options.logger)
    this.#log = options.log ?? processLog(options.logger, options.environment)
    this.#ports = this.#createPorts()
    this.#services = this.#createServices()
    this.#data = this.#createData()
    this.#host = this.#createHost()
    this.#rest = this.#createRest()
  }

  readonly handler: Handler = (request) => {
    const { path, span } = request
    if (ENDPOINTS.test(path)) {
      const endpointReply = this.#endpoint(request)
      if (endpointReply !== null) return endpointReply
    }
    const { instead } = this.#options
    const replaced = instead?.({ loadedSite: this.#loaded, ids: this.#tableIds, host: this.#host }, request) ?? null
    if (replaced !== null) return replaced
    // A sampled trace shows how the page is made, so the page is rendered.
    const keptReply = span?.sampled === true ? null : this.#host.keptPages.find(request)
    return keptReply ?? this.#answerPage(request)
  }

  #answerPage(request: Request): Promise<Reply> {
    const token = sentUserToken(request)
    return token === null ? answer(this.#host, request) : this.#answerUser(token, request)
  }

  /** Answers a request for a page as the user of a token. */
  async #answerUser(token: string, request: Request): Promise<Reply> {
    // A request uses the same site until it ends.
    const host = this.#host
    const identified = await identifyUser(host, request, () => this.#bearer(token, request))
    return 'refusal' in identified ? identified.refusal : answer(host, request, identified)
  }

  /** Returns the answer of the built-in endpoint with the path; null for all other paths. */
  #endpoint(request: Request): Promise<Reply> | null {
    return (
      this.#orPage('(graph)', this.#answerGraphql(request), request) ??
      this.#orPage(null, this.#answerOpenApi(request), request) ??
      this.#orPage(null, answerIdentity(this.#loaded, request), request) ??
      this.#orPage('(upload)', this.#answerFile(request), request) ??
      this.#orPage('(form)', this.#rest === null ? null : answerRest(this.#rest, request), request) ??
      this.#answerSignIn(request)
    )
  }

  /**
   * Returns the answer of an endpoint, or of a page if the endpoint does not answer.
   * @param endpoint name for the request log when no template answers; null for none
   */
  #orPage(
    endpoint: string | null,
    endpointReply: Promise<Reply | null> | Reply | null,
    request: Request,
  ): Promise<Reply> | null {
    return endpointReply === null ? null : this.#endpointOrPage(endpoint, endpointReply, request)
  }

  async #endpointOrPage(
    endpoint: string | null,
    endpointReply: Promise<Reply | null> | Reply,
    request: Request,
  ): Promise<Reply> {
    const reply = await endpointReply
    if (reply === null) return this.#answerPage(request)
    return endpoint === null || reply.template !== undefined ? reply : { ...reply, endpoint }
  }

  // The order of the endpoints is the same as in the handler.
  takesBody(request: Request): boolean {
    const { graphql, files, providers } = this.#options
    const posted = request.method === 'POST'
    if (posted && graphql !== undefined && isEndpoint(request))
      return mediaTypeIn(request.contentType) !== 'multipart/form-data'
    if (files !== undefined && isUpload(request)) return true
    if (providers !== undefined && signInReadsBody(providers, request)) return true
    return (this.#rest === null ? null : apiReadsBody(request)) ?? pageTakesBody(this.#host, request)
  }

  asset(request: Request): Promise<Reply | null> | null {
    return answerAsset(this.#loaded, request)
  }

  async warm(time: number): Promise<void> {
    await this.#data?.warm(time)
  }

  host(): SiteHost {
    return this.#host
  }

  swap(next: LoadedSite, ids: TableIds = NO_TABLES): void {
    this.#loaded = next
    if (this.#options.shown === undefined) this.#options.graphql?.translations.applyTo(next.site)
    this.#tableIds = ids
    this.#services = this.#createServices()
    this.#data = this.#createData()
    this.#host = this.#createHost()
    this.#rest = this.#createRest()
  }

  #answerGraphql(request: Request): Promise<Reply | null> | null {
    const { graphql, logger } = this.#options
    if (graphql === undefined || this.#data === null || !isEndpoint(request)) return null
    const host = this.#host
    return answerEndpoint(
      {
        data: this.#data,
        bearer: this.#bearer,
        userSession: (sent, user) => openUserSession(host, sent, user),
        logger,
        effects: (sent, session, bearer) => this.#effectsOfClient(sent, session, bearer),
        print: (sent) => this.#printUpload(sent, CLIENT_PRINT_TIME),
      },
      request,
    )
  }

  #answerOpenApi(request: Request): Reply | null {
    const { environment, version } = this.#options
    const { site, name } = this.#loaded
    return environment === 'development' ? answerOpenApi({ site, name, version }, request) : null
  }

  #answerSignIn(request: Request): Promise<Reply> | null {
    const { providers, accounts } = this.#options
    if (providers === undefined || accounts === undefined || this.#rest === null) return null
    return answerSignIn({ forms: this.#rest.forms, accounts, providers }, request)
  }

  #answerFile(request: Request): Promise<Reply | null> | null {
    const { files } = this.#options
    const endpointReply = files === undefined ? null : answerFile(files, request)
    if (endpointReply === null) return null
    return endpointReply.catch((error: unknown) => {
      if (isUnreachable(error))
        return refusedReply(503, 'html', UNREACHABLE, this.#options.environment === 'development')
      throw error
    })
  }

  readonly #bearer = (token: string, request: Request): Bearer | null | Promise<Bearer | null> => {
    const { graphql, trusts } = this.#options
    if (trusts?.(token, request) === true) return TRUSTED
    return graphql === undefined ? null : graphql.tokens.bearer(token)
  }

  #createPorts(): ReturnType<typeof createServices> {
    const { environment, constants, logger, graphql, challenges, fetch, assetsUrl } = this.#options
    return createServices({
      site: () => this.#loaded.site,
      ...(assetsUrl !== undefined && { assetsUrl }),
      locate: (fault) => locate(fault, this.#loaded.locator),
      accounts: graphql === undefined ? null : createAccountPort(graphql),
      challenge: createChallenge({
        environment,
        constants,
        urls: challenges ?? { recaptcha: null, hcaptcha: null },
        logger,
        clock: systemClock,
        begin: createSlots(new SharedCapacity(MAX_VERIFICATIONS)),
      }),
      ...(fetch !== undefined && { fetch }),
      log: createLogPort(this.#log, () => NO_ORIGIN),
    })
  }

  // Cached fragments are valid for one build of the templates and one revision of the translations. A render that began
  // with the previous site stores nothing for the new one.
  #createServices(): Services {
    const { site } = this.#loaded
    const { graphql } = this.#options
    const space = (): string => `${site.fingerprint} ${graphql?.translations.revision() ?? ''}`
    return { ...this.#ports, cache: this.#cache.forSite(space) }
  }

  #facts(): HostFacts {
    const { environment, version, constants, shown } = this.#options
    const loadedSite = shown?.current().loadedSite ?? this.#loaded
    // Read on first use, because most requests do not need it.
    let modules: readonly ModuleFacts[] | null = null
    return {
      environment,
      version,
      siteName: loadedSite.name,
      constants,
      modules: () => (modules ??= installedModules(loadedSite)),
    }
  }

  #createData(): SiteData | null {
    const { graphql, accounts, files = null, running, shown } = this.#options
    if (graphql === undefined) return null
    const { loadedSite, ids } = shown?.current() ?? { loadedSite: this.#loaded, ids: this.#tableIds }
    const facts = this.#facts()
    return createSiteData(graphql, {
      loadedSite,
      ...(shown !== undefined && { querying: this.#loaded.site }),
      render: () => new Render(loadedSite.site, this.#services, { context: createBareContext(facts) }),
      markdown: this.#markdown,
      renderPage: (page, openData) =>
        printedPage(this.#host, page, (visit) =>
          openData({ viewer: null, session: null, origin: () => createJobOrigin(this.#host, visit()) }),
        ),
      tableIds: ids,
      accounts: {
        hashPassword,
        verifyPassword,
        signInByPassword: accounts?.signInByPassword ?? null,
        attempts: accounts?.attempts ?? null,
      },
      files,
      assetUrl: this.#services.assets.url,
      locate: this.#services.locate,
      running,
    })
  }

  #createHost(): SiteHost {
    const {
      accounts,
      limits = DEFAULT_LIMITS,
      redirectHosts = [],
      logger,
      lastingHost = (mutationForm) => mutationForm,
      hidden = false,
    } = this.#options
    const { site } = this.#loaded
    return {
      loadedSite: this.#loaded,
      routes: createRoutes(site.pages, site.options),
      services: this.#services,
      data: this.#data === null ? null : this.#dataOpener(this.#data),
      sessions: accounts?.sessions({ sameSite: site.options.cookiesSameSite }) ?? null,
      forms: this.#data === null ? null : openForms(() => this.#loaded.site.forms),
      attempts: accounts?.attempts ?? null,
      facts: this.#facts(),
      limits,
      markdown: this.#markdown,
      print:
        this.#options.printing === undefined ? null : (html, { request }, time) => this.#print(html, request, time),
      replies: createReplyCache(systemClock),
      keptPages: createKeptPages(() => this.#options.graphql?.translations.revision() ?? '', logger, SESSION_COOKIE),
      lastingHost,
      hidden,
      redirectHosts,
      tokenPlaceholder: this.#cache.tokenPlaceholder,
      logger,
      log: this.#log,
      observer: this.#options.observer ?? null,
      ...(this.#options.fetchWithin !== undefined && { fetchWithin: this.#options.fetchWithin }),
      ...(this.#options.inspect !== undefined && { inspect: this.#options.inspect }),
    }
  }

  /** Prints HTML as a document of the site with the URL of a request. @throws PrintFailure */
  #print(html: string, request: PrintingRequest, time: number): Promise<Uint8Array> {
    const { printing } = this.#options
    if (printing === undefined) throw new PrintFailure('This host cannot create PDF files.', 'unavailable')
    return printing.print(html, request, time, this.handler)
  }

  /** Prints an upload of a page or a job. @throws PrintFailure */
  async #printForVisit(html: string, { request, job }: Visit): Promise<Uint8Array> {
    const { limits = DEFAULT_LIMITS } = this.#options
    return this.#printUpload(request, job?.limits.time ?? limits.time)(html)
  }

  /** Returns the function that prints uploads for a request. Relative addresses in them lead from the root of the site. */
  #printUpload(request: Request, time: number): PrintUpload {
    return async (html) => {
      // Otherwise documents could request pages that print documents, without end.
      if (request.isPrinted) throw new PrintFailure('A printed document cannot create PDF files.', 'unavailable')
      return this.#print(html, { ...request, url: '/' }, time)
    }
  }

  #createRest(): RestDependencies | null {
    if (this.#data === null) return null
    const { accounts, files = null } = this.#options
    const forms = {
      host: this.#options.shown?.current().host ?? this.#host,
      catalog: this.#data.catalog,
      files,
      challenge: this.#services.challenge,
      hashPassword,
      signIn: accounts?.signInByPassword ?? (async () => ({ refused: 'wrong' as const })),
    }
    return { forms, bearer: this.#bearer, providers: [...(this.#options.providers?.clients.keys() ?? [])] }
  }

  // Forms need the host, and the host needs the data; this function connects them when a mutation names a form.
  #dataOpener({ open }: SiteData): NonNullable<SiteHost['data']> {
    const { wrapData = (data) => data, shown } = this.#options
    return (viewer, session, visit) => {
      const data = open({
        viewer,
        session,
        throughForm: async (call) =>
          this.#rest === null
            ? { refusal: 'Forms cannot be submitted here.' }
            : submitFromMutation(this.#rest.forms, visit(), call),
        uploader: () => identifyUploader(visit()),
        print: (html) => this.#printForVisit(html, visit()),
        origin: () => createJobOrigin(this.#host, visit()),
        about: () => logFields(visit()),
        span: () => currentSpan(visit()),
        effects: this.#effects(visit),
        ...(shown !== undefined && { changes: shown.changes(visit()) }),
      })
      return wrapData(data)
    }
  }

  #effects(visit: () => Visit, files?: Pick<EffectHost, 'changeSite' | 'assets'>): OpenEffects | null {
    const { notifications, graphql, shown } = this.#options
    if (notifications === undefined || graphql === undefined) return null
    // A request uses the same site until it ends. The studio sends the mails of the shown site, and imports into its tables.
    const { loadedSite, ids } = shown?.current() ?? { loadedSite: this.#loaded, ids: this.#tableIds }
    const host = shown === undefined ? this.#host : { ...this.#host, loadedSite }
    const target = { sql: graphql.databases.sql, data: loadedSite.site.data, ids }
    return ({ run, afterCommit }) =>
      createEffects({
        notifications: notificationsWithin(notifications, currentSpan(visit())),
        loadedSite,
        render: (format) => createRender(host, visit(), null, { format, raise: true }),
        origin: () => createJobOrigin(host, visit()),
        enqueue: async (jobs) => recordQueued(recordingOf(visit()), jobs, await enqueue(jobs, run)),
        place: visit().job === null ? 'web' : 'job',
        log: visitLog(host, visit(), null),
        importRows: (sent) => importMutationRows({ ...target, inTransaction: visit().data?.inTransaction() }, sent),
        translationsChanged: async () => void (await afterCommit(graphql.translations.reload)),
        sendMessage: (message) => afterCommit(async () => this.#options.sendMessage?.(message)),
        changeSite: files?.changeSite,
        assets: files?.assets ?? null,
      })
  }

  /** The effects of mutations of a client with a token. @param session that of the token's user; null without one */
  #effectsOfClient(request: Request, session: Session | null, { scope }: Bearer): OpenEffects | null {
    const sharedState = { context: null }
    // Callbacks run separate queries.
    const data = this.#host.data?.(session?.user?.id ?? null, session, () => visit) ?? null
    const visit: Visit = { request, params: {}, session, data, failedForm: null, sharedState, job: null }
    return this.#effects(() => recordVisitor(visit), permits(scope, 'deploy') ? this.#siteFiles(request) : undefined)
  }

  /** Returns the effects on the site's files; undefined where they cannot be changed. */
  #siteFiles(request: Request): Pick<EffectHost, 'changeSite' | 'assets'> | undefined {
    const files = this.#options.siteFiles?.() ?? null
    if (files === null) return undefined
    // Read again after a change, which swaps the site.
    const facts = (): SiteFacts => {
      if (this.#data === null) throw new SiteChangeError(CLIENTS_ONLY, null)
      return this.#data.facts
    }
    return {
      async changeSite(changes) {
        const changed = await files.change(changes)
        return { site: facts(), files: changed }
      },
      assets: files.assets(request, () => facts().assets()),
    }
  }
}

function logFields({ request, job }: Visit): object {
  return job === null ? { id: request.id } : { job: job.id ?? null }
}

const TRUSTED: Bearer = { id: null, name: 'development', scope: 'admin', user: null }
