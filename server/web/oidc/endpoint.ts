/**
 * Answers `/auth/:provider`, where a visitor sets out for a provider, and `/auth/:provider/callback`, where the visitor comes back.
 * Every check stands before the effect that it guards. Addresses of providers that are not configured belong to the site.
 */
import type { Accounts } from '../accounts/accounts.ts'
import type { Journey } from '../accounts/journeys.ts'
import { SESSION_COOKIE, readCookie } from '../accounts/cookies.ts'
import { Masker } from '../../core/mask.ts'
import type { FormDependencies } from '../forms/model.ts'
import { isUnreachable } from '../graphql/database/database-error.ts'
import { DatabaseFailure } from '../graphql/database/statements.ts'
import { isForeignNavigation } from '../http/foreign.ts'
import { mediaTypeIn } from '../http/formats.ts'
import { BadRequest, redirect, type Reply, type Request } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import { decodeBody, queryParams } from '../http/params.ts'
import { html, htmlReply, plainReply, refusedReply, serverPage, UNREACHABLE } from '../http/plain-reply.ts'
import { createLogOrigin, hostAndPath } from '../site/log-origin.ts'
import { NO_ORIGIN } from '../../core/contracts/log.ts'
import type { SiteHost, Visit } from '../site/host.ts'
import { recordVisitor } from '../site/recorded.ts'
import { type Session, SessionsAway } from '../site/session.ts'
import { withSessionCookies } from '../site/settle.ts'
import { FAILURE_PATH, failureAddress, failurePage, hasOwnFailurePage } from './failure-page.ts'
import type { Exchange, ProviderClient } from './provider-client.ts'
import type { SignInProviders } from './providers.ts'
import { SignInRefusal } from './refusal.ts'
import { settleIdentity, SignUpLimit } from './settle.ts'

/** What the endpoint needs. One object exists per loaded site. */
export interface SignInDependencies {
  readonly forms: FormDependencies
  readonly accounts: Pick<Accounts, 'journeys' | 'attempts'>
  readonly providers: SignInProviders
}

/** `/auth/keycloak` and `/auth/keycloak/callback` */
const PATH = /^\/auth\/([a-z\d_]{1,40})(\/callback)?\/?$/
/** The name of the endpoint in logs and metrics. */
const ENDPOINT = '(sign-in)'

interface SignInRoute {
  readonly client: ProviderClient
  readonly isCallback: boolean
}

function routeOf({ clients }: SignInProviders, path: string): SignInRoute | null {
  const match = PATH.exec(path)
  const client = match === null ? undefined : clients.get(match[1] ?? '')
  return client === undefined ? null : { client, isCallback: match?.[2] !== undefined }
}

/** Returns whether the endpoint reads the body of a request. */
export function signInReadsBody(providers: SignInProviders, { method, path }: Request): boolean {
  return method === 'POST' && routeOf(providers, path)?.isCallback === true
}

/** Answers a request. Returns null for all addresses and methods that belong to the site. The promise never rejects. */
export function answerSignIn(dependencies: SignInDependencies, request: Request): Promise<Reply> | null {
  const { method, path } = request
  if (!path.startsWith('/auth/') || dependencies.providers.clients.size === 0) return null
  if (path === FAILURE_PATH) {
    const isAnswered = method === 'GET' && !hasOwnFailurePage(dependencies.forms.host.loadedSite.site)
    return isAnswered
      ? Promise.resolve()
          .then(() => ({ ...failurePage(request), endpoint: ENDPOINT }))
          .catch(refuseUnreadable)
      : null
  }
  const route = routeOf(dependencies.providers, path)
  if (route === null) return null
  if (method === 'POST' && route.isCallback)
    return Promise.resolve()
      .then(() => moveToAddress(request))
      .catch(refuseUnreadable)
  return method === 'GET' ? new SignInRequest(dependencies, route, request).answer() : null
}

function refuseUnreadable(error: unknown): Reply {
  if (error instanceof BadRequest) return refusedReply(error.status, 'html', error.message, true)
  throw error
}

/** The parameters of a provider's response, and the maximum length of each. */
const RESPONSE_PARAMETERS = ['state', 'code', 'iss', 'error'] as const
const MAX_PARAMETER = 4_096

/**
 * Answers a response that the provider sent as a form. Browsers send no `SameSite=Lax` cookies with a form of another site, so the visitor
 * is sent to the same response in the address: the request for it has the cookies of the journey and of the session.
 */
function moveToAddress(request: Request): Reply {
  if (request.unreadable) throw request.unreadable
  const { body, contentType } = request
  if (body === null || mediaTypeIn(contentType) !== 'application/x-www-form-urlencoded')
    throw new BadRequest('the response of the provider is no form')
  const sent = new URLSearchParams(decodeBody(body))
  const kept = new URLSearchParams()
  for (const name of RESPONSE_PARAMETERS)
    for (const value of sent.getAll(name).slice(0, 2)) kept.append(name, value.slice(0, MAX_PARAMETER))
  return { ...withoutStore(redirect(303, `${request.path}?${kept.toString()}`)), endpoint: ENDPOINT }
}

/** One request to start or end a sign-in. */
class SignInRequest {
  readonly #dependencies: SignInDependencies
  readonly #client: ProviderClient
  readonly #isCallback: boolean
  readonly #request: Request
  readonly #host: SiteHost
  #visit: Visit | null = null
  #returnTo = '/'
  /** Values of `set-cookie` in addition to those of the session. */
  #cookies: readonly string[] = []

  constructor(dependencies: SignInDependencies, { client, isCallback }: SignInRoute, request: Request) {
    this.#dependencies = dependencies
    this.#client = client
    this.#isCallback = isCallback
    this.#request = request
    this.#host = dependencies.forms.host
  }

  async answer(): Promise<Reply> {
    let reply = await this.#answer().catch((error: unknown) => this.#answerFailure(error))
    try {
      reply = await withSessionCookies(this.#visit?.session ?? null, reply)
    } catch (error) {
      reply = this.#answerFailure(error)
    }
    const user = this.#visit?.session?.user?.id
    const cookies = [...(reply.cookies ?? []), ...this.#cookies]
    return {
      ...withoutStore(reply),
      endpoint: ENDPOINT,
      ...(cookies.length > 0 && { cookies }),
      ...(user !== undefined && { user }),
    }
  }

  async #answer(): Promise<Reply> {
    const params = queryParams(this.#request)
    if (this.#isCallback) return this.#finish()
    const { path, host } = this.#request
    const target = ownTarget(params['return_to'], host) ?? '/'
    // The visitor would set out again at once.
    this.#returnTo = routeOf(this.#dependencies.providers, target.replace(/[?#].*$/s, '')) === null ? target : '/'
    return this.#start(path)
  }

  /** Sends the visitor to the provider. */
  async #start(path: string): Promise<Reply> {
    const { journeys } = this.#dependencies.accounts
    const session = await this.#openSession()
    // Another site could send a visitor here, to link an account of its own that the visitor's browser has at the provider.
    const isForeign = isForeignNavigation(this.#request)
    const user = isForeign ? null : (session.user?.id ?? null)
    const begun = { provider: this.#client.provider.name, returnTo: this.#returnTo, user }
    const { journey, cookies } = journeys.start(begun, this.#request.cookie, this.#isSecure)
    const address = await this.#client.authorizationUrl(this.#exchangeOf(journey, path))
    this.#cookies = cookies
    return redirect(302, address)
  }

  /** Signs the visitor in who came back. */
  async #finish(): Promise<Reply> {
    const { accounts, providers } = this.#dependencies
    const request = this.#request
    if (this.#lacksSession()) return navigation(`${request.url}&${OWN_NAVIGATION}`)
    const response = new URLSearchParams(request.query)
    const journey = await this.#endJourney(response)
    this.#returnTo = journey.returnTo
    const session = await this.#openSession()
    const attempt = await accounts.attempts.check(request.ip, null)
    if (attempt !== 'free') return tooMany(attempt.retryAfter)
    const { provider } = this.#client
    const end = providers.begin(request.ip)
    if (end === null) return tooMany(RETRY_AFTER)
    try {
      const identity = await this.#client.identify(response, this.#exchangeOf(journey, callbackless(request.path)))
      const viewer = session.user?.id ?? null
      const { id, how } = await settleIdentity(
        {
          dependencies: this.#dependencies.forms,
          visit: this.#openVisit(session),
          provider,
          viewer,
          isSameVisitor: journey.user === viewer,
        },
        identity,
      )
      if (viewer === null) await session.signIn(id, null)
      await accounts.attempts.succeeded(request.ip, null)
      this.#host.logger.info({ id: request.id, user: id, identity: how }, `A user signed in with ${provider.name}.`)
    } catch (error) {
      // Only responses that cannot be verified count as attempts to get in.
      if (error instanceof SignInRefusal && error.reason !== 'invalid')
        await accounts.attempts.succeeded(request.ip, null)
      throw error
    } finally {
      end()
    }
    const { cookiesSameSite } = this.#host.loadedSite.site.options
    // Browsers would not send strict cookies with a redirect that began at the provider.
    return cookiesSameSite === 'Strict' ? navigation(journey.returnTo) : redirect(302, journey.returnTo)
  }

  /**
   * Returns the journey that a response ends.
   * @throws SignInRefusal when this browser did not begin it with this provider, or when it has ended
   */
  async #endJourney(response: URLSearchParams): Promise<Journey> {
    const { journeys } = this.#dependencies.accounts
    const [state = '', ...others] = response.getAll('state')
    const journey = others.length > 0 ? null : journeys.find(state, this.#request.cookie, this.#isSecure)
    if (journey === null)
      throw new SignInRefusal('expired', 'this browser has begun no sign-in with this state, or it has expired')
    this.#cookies = [journeys.forget(state, this.#isSecure)]
    this.#returnTo = journey.returnTo
    if (!(await journeys.end(journey))) throw new SignInRefusal('expired', 'this sign-in was ended before')
    if (journey.provider !== this.#client.provider.name)
      throw new SignInRefusal('invalid', `the sign-in was begun with the provider ${journey.provider}`)
    return journey
  }

  #exchangeOf(journey: Journey, path: string): Exchange {
    const { protocol, host } = this.#request
    const redirectUri = `${protocol}://${host}${path.replace(/\/$/, '')}/callback`
    return { redirectUri, state: journey.state, ...this.#dependencies.accounts.journeys.secretsOf(journey.state) }
  }

  /** Whether the browser has withheld the strict session cookie, because the provider has sent the visitor here. */
  #lacksSession(): boolean {
    const { query, cookie } = this.#request
    if (this.#host.loadedSite.site.options.cookiesSameSite !== 'Strict' || query === '') return false
    return readCookie(cookie, SESSION_COOKIE) === null && !query.split('&').includes(OWN_NAVIGATION)
  }

  async #openSession(): Promise<Session> {
    const { sessions } = this.#host
    if (sessions === null) throw new SignInRefusal('unavailable', 'this server keeps no sessions')
    const session = await sessions(this.#request, queryParams(this.#request))
    this.#openVisit(session)
    return session
  }

  #openVisit(session: Session): Visit {
    if (this.#visit !== null) return this.#visit
    const data = this.#host.data?.(session.user?.id ?? null, session, () => visit) ?? null
    const request = this.#request
    const visit: Visit = {
      request,
      params: {},
      session,
      data,
      failedForm: null,
      sharedState: { context: null },
      job: null,
    }
    this.#visit = recordVisitor(visit)
    return this.#visit
  }

  get #isSecure(): boolean {
    return this.#request.protocol === 'https'
  }

  #answerFailure(error: unknown): Reply {
    if (error instanceof BadRequest) return refusedReply(error.status, 'html', error.message, true)
    if (error instanceof SignUpLimit) return tooMany(error.retryAfter)
    const { facts, logger } = this.#host
    if (error instanceof SignInRefusal) {
      const reason = this.#log(error)
      return { ...redirect(303, failureAddress(error.reason, this.#client.provider.name, this.#returnTo)), reason }
    }
    // Its changes are not stored.
    this.#visit = null
    const isAway = error instanceof DatabaseFailure ? error.answer.code === 'UNREACHABLE' : isUnreachable(error)
    if (error instanceof SessionsAway || isAway)
      return refusedReply(503, 'html', UNREACHABLE, facts.environment === 'development')
    logger.error({ id: this.#request.id, err: error }, `GET ${this.#request.path} failed`)
    return plainReply(500, 'html')
  }

  /** Writes a refusal into both logs, without the secrets that the provider's texts may contain. Returns its sentence. */
  #log({ reason, message }: SignInRefusal): string {
    const { logger, log } = this.#host
    const { name, clientSecret } = this.#client.provider
    const masker = new Masker()
    masker.add(clientSecret)
    const sentence = `The sign-in with ${name} was refused (${reason}): ${masker.text(message, MAX_MESSAGE)}`
    logger.warn({ id: this.#request.id, provider: name, reason }, sentence)
    const origin =
      this.#visit === null ? { ...NO_ORIGIN, url: hostAndPath(this.#request) } : createLogOrigin(this.#visit, null)
    log.keep?.({ type: 'sign-in', env: 'all', message: sentence, file: '', line: 0 }, origin)
    return sentence
  }
}

/** Maximum length of a logged message in characters. */
const MAX_MESSAGE = 500
/** Seconds after which a visitor should try again when too many sign-ins are in progress. */
const RETRY_AFTER = 5
/** The parameter of a request that a page of this site has caused. */
const OWN_NAVIGATION = 'own=1'

function callbackless(path: string): string {
  return path.replace(/\/callback\/?$/, '')
}

/** Returns a page that leads on by itself. For the browser, the next request then comes from this site. */
function navigation(target: string): Reply {
  const head = `<meta http-equiv="refresh" content="0; url=${html(target)}">`
  return htmlReply(200, serverPage('Signing in', `${head}<p><a href="${html(target)}">Continue</a></p>`))
}

function tooMany(seconds: number): Reply {
  const reply = plainReply(429, 'html', 'Too many attempts: try again later')
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(Math.max(1, Math.ceil(seconds))) } }
}

/** The answers belong to one visitor and one moment, and their addresses must not be told to other sites. */
function withoutStore(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } }
}
