/**
 * The REST API: converts a request to a form submission, and the result to a reply. See `status-codes.ts` for the
 * status of each result.
 */
import { parseAuthorization } from '../http/authorization.ts'
import { createRequest, type Reply, type Request } from '../http/message.ts'
import { UnavailableFault } from '../../../runtime/page/fault.ts'
import { sentForm } from '../../../runtime/data/forms/index.ts'
import type { Params } from '../http/params.ts'
import type { Visit } from '../site/host.ts'
import type { Session } from '../site/session.ts'
import { withSessionCookies } from '../site/settle.ts'
import { recordVisitor } from '../site/recorded.ts'
import { withTokenProblem } from '../site/token-problem.ts'
import { openUserSession } from '../site/user-session.ts'
import { type Bearer, permitsVisit } from '../../data/store/tokens.ts'
import type { FormDependencies, Submission } from '../forms/model.ts'
import { submit } from '../forms/submit.ts'
import { answerFailure } from './failure-reply.ts'
import { findRequestedForm, isBrowserForm, readParams, findRequestedTable } from './request-input.ts'
import { type ReplyStyle, findReplyStyle } from './reply-style.ts'
import { answerDeletion, answerOutcome } from './outcome-reply.ts'
import { toClientReply } from './error-pages.ts'
import { malformedInput, errorReply, refusal } from './status-codes.ts'
import type { Operation, RestResource } from './resource.ts'
import { type ApiPath, parseApiPath } from './resources.ts'

/** The dependencies of the API. */
export interface RestDependencies {
  readonly forms: FormDependencies
  /**
   * Returns the owner of a token, or null for an invalid token.
   * @throws the database client's errors
   */
  readonly bearer: (token: string, request: Request) => Bearer | null | Promise<Bearer | null>
  /** Names of the providers with which users can sign in. */
  readonly providers: readonly string[]
}

/** A request to the API, with properties derived from it. */
interface ApiRequest {
  readonly request: Request
  readonly path: ApiPath
  readonly params: Params
  /** Whether an API client with a token sent the request. */
  readonly isApiClient: boolean
  /** The owner of the request's token; null for a visitor. */
  readonly bearer: Bearer | null
  readonly style: ReplyStyle
}

/** The visit of a request. It is null until the session was read. The reply to a failure uses it. */
interface RequestVisit {
  visit: Visit | null
}

/**
 * Answers a request to the API. Returns null when the path or method is not part of the API. The promise never rejects.
 */
export function answerRest(dependencies: RestDependencies, request: Request): Promise<Reply> | null {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return null
  const path = parseApiPath(request.path)
  if (path === null) return null
  if (method === 'OPTIONS')
    return Promise.resolve({ status: 204, headers: { allow: allowedMethods(path) }, body: null })
  return answerOperation(dependencies, request, path)
}

async function answerOperation(dependencies: RestDependencies, request: Request, path: ApiPath): Promise<Reply> {
  const holder: RequestVisit = { visit: null }
  try {
    return await respond(dependencies, request, path, holder)
  } catch (error) {
    return replyToFailure(dependencies, request, path, holder.visit, error)
  }
}

/**
 * Returns whether the API reads the body of a request. Returns null when the path or method is not part of the API.
 * @param request a request whose body was not read yet
 */
export function apiReadsBody(request: Request): boolean | null {
  const path = parseApiPath(request.path)
  if (path === null || /^(?:GET|HEAD)$/.test(request.method)) return null
  if (!hasDecodablePath(request) || isAnonymous(request)) return false
  const operations = path.resource.operations[path.id === null ? 'all' : 'single']
  // The body may contain another method.
  if (request.method === 'POST') return operations.length > 0
  const operation = Object.hasOwn(METHODS, request.method) ? METHODS[request.method] : undefined
  return operation !== undefined && operations.includes(operation)
}

/** Returns whether a request has no token and no cookie, and was not sent by a browser form. Its sender is unknown. */
function isAnonymous(request: Request): boolean {
  return request.authorization === '' && !isBrowserForm(request) && request.cookie === ''
}

function allowedMethods({ resource, id }: ApiPath): string {
  const names = { create: 'POST', update: 'PUT', delete: 'DELETE' } as const
  return ['OPTIONS', ...resource.operations[id === null ? 'all' : 'single'].map((each) => names[each])].join(', ')
}

async function respond(
  dependencies: RestDependencies,
  request: Request,
  path: ApiPath,
  holder: RequestVisit,
): Promise<Reply> {
  const opening = authenticate(dependencies, request)
  const sender = opening instanceof Promise ? await opening : opening
  if (sender === 'none') return errorReply(401)
  const isApiClient = sender !== 'nobody'
  // Unauthorized clients must not learn anything about the effect of a body.
  if (!isApiClient && !isBrowserForm(request) && request.cookie === '') return errorReply(401)
  if (isApiClient && !permitsVisit(sender.scope, false))
    return refusal(403, 'the token needs the scope write or admin, or site if it is the token of a user', true)
  if (isApiClient && sender.user !== null && path.resource.resource === 'session')
    return refusal(403, 'a client with the token of a user has no session', true)
  const params = readParams(request)
  const bearer = isApiClient ? sender : null
  const apiRequest: ApiRequest = {
    request,
    path,
    params,
    isApiClient,
    bearer,
    style: findReplyStyle(request, path, isApiClient),
  }
  const openingSession = openSession(dependencies, apiRequest)
  const session = openingSession instanceof Promise ? await openingSession : openingSession
  if (!isApiClient && !isBrowserForm(request) && session?.csrfValid !== true) return unauthorized(dependencies, session)
  // The user was deleted after the token was verified.
  if (bearer !== null && bearer.user !== null && session === null) return errorReply(401)
  holder.visit = createVisit(dependencies, apiRequest, session)
  const reply = adaptToClient(
    dependencies,
    apiRequest.style,
    holder.visit,
    await perform(dependencies, apiRequest, holder.visit),
  )
  const answered = reply instanceof Promise ? await reply : reply
  return withSessionCookies(session, withTokenProblem(dependencies.forms.host, session, answered))
}

/** Answers a script that has neither an API token nor the CSRF token of its session. */
function unauthorized({ forms: { host } }: RestDependencies, session: Session | null): Reply {
  const problem = session?.tokenProblem ?? null
  return problem === null ? errorReply(401) : refusal(401, problem, host.facts.environment === 'development')
}

/** Converts a failure to a reply. An error page also sets the cookies of the visit. The promise never rejects. */
async function replyToFailure(
  dependencies: RestDependencies,
  request: Request,
  path: ApiPath,
  knownVisit: Visit | null,
  error: unknown,
): Promise<Reply> {
  const { host } = dependencies.forms
  const isApiClient = request.authorization !== '' || !isBrowserForm(request)
  const style = findReplyStyle(request, path, isApiClient)
  const reply = answerFailure(host, request, knownVisit, style, error)
  const visit = knownVisit ?? createVisit(dependencies, { request, params: {}, isApiClient, bearer: null }, null)
  try {
    return await withSessionCookies(visit.session, await adaptToClient(dependencies, style, visit, reply))
  } catch (secondError) {
    return adaptToClient(
      dependencies,
      style,
      { ...visit, session: null },
      answerFailure(host, request, visit, style, secondError),
    )
  }
}

function adaptToClient(
  { forms: { host } }: RestDependencies,
  style: ReplyStyle,
  visit: Visit,
  reply: Reply,
): Reply | Promise<Reply> {
  return toClientReply(host, visit, reply, style, (error) => {
    answerFailure(host, visit.request, visit, style, error)
  })
}

/** Returns the owner of a valid token, `none` for an invalid token, and `nobody` without a token. */
type Sender = Bearer | 'none' | 'nobody'

function authenticate(dependencies: RestDependencies, request: Request): Sender | Promise<Sender> {
  const header = request.authorization
  // Browsers send basic authentication of a password-protected site with every request.
  if (header === '' || (/^basic\s/i.test(header) && isBrowserForm(request))) return 'nobody'
  const token = parseAuthorization(header)
  if (token === null) return 'none'
  const owner = dependencies.bearer(token, request)
  return owner instanceof Promise ? owner.then((bearer) => bearer ?? 'none') : (owner ?? 'none')
}

/**
 * Opens the session of a visitor, or of the user of a token. Other API clients use the session of their cookie only to sign users in or out.
 */
function openSession(
  { forms }: RestDependencies,
  { request, params, isApiClient, bearer, path }: ApiRequest,
): Session | null | Promise<Session | null> {
  const { sessions } = forms.host
  if (sessions === null) return null
  if (bearer !== null && bearer.user !== null) return openUserSession(forms.host, request, bearer.user)
  // API clients start without a session. Session changes of a form's callback are returned with the reply.
  if (isApiClient && path.resource.resource !== 'session')
    return sessions(createRequest({ ...request, method: 'GET', headers: {} }), params, true)
  // Browsers send this header automatically on a site with basic authentication, so it does not replace a CSRF token.
  const { authorization: _authorization, ...headers } = request.headers
  if (!isApiClient) return sessions(createRequest({ ...request, headers }), params)
  // The API token replaces the CSRF token. The cookie selects the session.
  return sessions(createRequest({ ...request, method: 'GET', headers }), params, true)
}

async function perform(dependencies: RestDependencies, apiRequest: ApiRequest, visit: Visit): Promise<Reply> {
  const { request, path, params, isApiClient } = apiRequest
  const operation = findOperation(apiRequest)
  // The body was not read when the URL cannot be decoded.
  if (operation === null || !hasDecodablePath(request)) return errorReply(404)
  if (path.resource.remove !== undefined) return remove(dependencies, apiRequest, visit, path.resource.remove)
  const { host } = dependencies.forms
  const formResult = findRequestedForm(host.loadedSite.site.forms, params)
  if ('problem' in formResult) return malformedInput(formResult.problem)
  const { form } = formResult
  if (form === null || form.resource !== path.resource.resource || !form.requestAllowed) return errorReply(404)
  const raw = (isApiClient ? params.form : sentForm(params)) ?? (isApiClient || operation === 'delete' ? undefined : {})
  if (operation !== 'delete' && !isObject(raw)) {
    return malformedInput(raw === undefined ? 'form: is missing' : 'form: expected an object')
  }
  let table = form.table
  if (form.resource === 'record' && operation === 'create') {
    const tableResult = findRequestedTable(dependencies.forms.catalog, form, params, raw, isApiClient)
    if ('problem' in tableResult) return malformedInput(tableResult.problem)
    table = tableResult.table
  }
  // A client with the token of a user may do what the user may do.
  const trusted = isApiClient && apiRequest.bearer?.user === null
  const submission: Submission = { form, operation, id: path.id, table, raw, trusted }
  const outcome = await submit(dependencies.forms, visit, submission)
  return answerOutcome(dependencies.forms.host, visit, submission, path.resource, apiRequest.style, outcome)
}

/** Deletes a resource without forms. */
async function remove(
  { providers }: RestDependencies,
  { path, isApiClient, bearer, style }: ApiRequest,
  visit: Visit,
  removeResource: NonNullable<RestResource['remove']>,
): Promise<Reply> {
  const { id } = path
  const { data, session } = visit
  if (data === null) throw new UnavailableFault('this server has no database')
  if (id === null || !/^\d{1,18}$/.test(id)) return errorReply(404)
  const viewer = session?.user?.id ?? null
  const isTrusted = isApiClient && bearer?.user === null
  return answerDeletion(
    visit,
    style,
    await removeResource({ query: data.query(viewer), id, viewer, isTrusted, providers }),
  )
}

function createVisit(
  { forms }: RestDependencies,
  { request, params, isApiClient, bearer }: Pick<ApiRequest, 'request' | 'params' | 'isApiClient' | 'bearer'>,
  session: Session | null,
): Visit {
  const viewer = isApiClient ? (bearer?.user ?? null) : (session?.user?.id ?? null)
  const data = forms.host.data?.(viewer, session, () => visit) ?? null
  const sharedState = { context: null }
  const sender = bearer === null ? {} : { bearer }
  const visit: Visit = { request, params, session, data, failedForm: null, sharedState, job: null, ...sender }
  return recordVisitor(visit)
}

const METHODS: Readonly<Record<string, Operation>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/**
 * Returns the requested operation, or null when the resource does not support it. Forms send `_method`, because
 * browsers only send GET and POST.
 */
function findOperation({ request, params, path, isApiClient }: ApiRequest): Operation | null {
  const hidden = params._method
  const method =
    request.method === 'POST' && !isApiClient && typeof hidden === 'string' ? hidden.toUpperCase() : request.method
  const operation = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  if (operation === undefined) return null
  return path.resource.operations[path.id === null ? 'all' : 'single'].includes(operation) ? operation : null
}

/** Returns whether the path can be decoded. Other paths are treated as unknown. */
function hasDecodablePath({ path }: Request): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
