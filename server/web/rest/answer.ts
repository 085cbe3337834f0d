/** The REST API: converts a request to a form submission, and its outcome to an answer. */
import { tokenOf } from '../graphql/endpoint/endpoint.ts'
import { createRequest, type Reply, type Request } from '../http/message.ts'
import { sentForm } from '../../../runtime/data/forms/index.ts'
import type { Params } from '../http/params.ts'
import type { Visit } from '../site/host.ts'
import type { Session } from '../site/session.ts'
import { withSessionCookies } from '../site/settle.ts'
import type { Bearer, TokenScope } from '../../data/store/tokens.ts'
import type { FormParts, Submission } from '../forms/model.ts'
import { submit } from '../forms/submit.ts'
import { answerFailure } from './failure.ts'
import { formOf, isBrowserForm, readParams, tableOf } from './input.ts'
import { type ReplyStyle, replyStyleOf } from './reply-style.ts'
import { answerOutcome } from './outcome.ts'
import { adaptReply } from './readers.ts'
import { malformed, refusal } from './replies.ts'
import type { Operation } from './resource.ts'
import { type ApiPath, parseApiPath } from './resources.ts'

export interface RestParts {
  readonly forms: FormParts
  /**
   * The owner of a token, null when it is invalid.
   * @throws the database client's errors
   */
  readonly bearer: (token: string, request: Request) => Bearer | null | Promise<Bearer | null>
}

/** A request and its derived properties. */
interface ApiRequest {
  readonly request: Request
  readonly path: ApiPath
  readonly params: Params
  /** Whether a client with a token sent it. */
  readonly program: boolean
  /** Its token; null for a visitor. */
  readonly bearer: Bearer | null
  readonly style: ReplyStyle
}

const SCOPES: ReadonlySet<TokenScope> = new Set(['write', 'admin'])

/** Filled once the session was read, so that a failure can use it; null before. */
interface RequestVisit {
  visit: Visit | null
}

/** Answers a request to the API; null when the path or method is not part of it. The answer never fails. */
export function answerRest(parts: RestParts, request: Request): Promise<Reply> | null {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return null
  const path = parseApiPath(request.path)
  if (path === null) return null
  if (method === 'OPTIONS') return Promise.resolve({ status: 204, headers: { allow: methodsOf(path) }, body: null })
  return answerOperation(parts, request, path)
}

async function answerOperation(parts: RestParts, request: Request, path: ApiPath): Promise<Reply> {
  const known: RequestVisit = { visit: null }
  try {
    return await respond(parts, request, path, known)
  } catch (error) {
    return failure(parts, request, path, known.visit, error)
  }
}

/**
 * Whether the API reads the body of a request; null when the path or method is not part of it.
 * @param request one whose body was not read
 */
export function apiTakesBody(request: Request): boolean | null {
  const path = parseApiPath(request.path)
  if (path === null || /^(?:GET|HEAD)$/.test(request.method)) return null
  if (!isReadable(request) || isUnknown(request)) return false
  const possible = path.resource.operations[path.id === null ? 'all' : 'one']
  // The body may name another method.
  if (request.method === 'POST') return possible.length > 0
  const operation = Object.hasOwn(METHODS, request.method) ? METHODS[request.method] : undefined
  return operation !== undefined && possible.includes(operation)
}

/** Whether a request has nothing to tell its sender by: it is no browser's, and has neither a token nor a cookie. */
function isUnknown(request: Request): boolean {
  return request.authorization === '' && !isBrowserForm(request) && request.cookie === ''
}

function methodsOf({ resource, id }: ApiPath): string {
  const names = { create: 'POST', update: 'PUT', delete: 'DELETE' } as const
  return ['OPTIONS', ...resource.operations[id === null ? 'all' : 'one'].map((each) => names[each])].join(', ')
}

async function respond(parts: RestParts, request: Request, path: ApiPath, known: RequestVisit): Promise<Reply> {
  const owner = bearerOf(parts, request)
  const token = owner instanceof Promise ? await owner : owner
  if (token === 'none') return refusal(401)
  const program = token !== 'nobody'
  // Unauthorized clients learn nothing about the effect of a body.
  if (!program && !isBrowserForm(request) && request.cookie === '') return refusal(401)
  if (program && !SCOPES.has(token.scope)) return refusal(403, { detail: 'the token needs the scope write or admin' })
  const params = readParams(request)
  const bearer = program ? token : null
  const asked: ApiRequest = { request, path, params, program, bearer, style: replyStyleOf(request, path, program) }
  const opening = sessionOf(parts, asked)
  const session = opening instanceof Promise ? await opening : opening
  if (!program && !isBrowserForm(request) && session?.csrfValid !== true) return refusal(401)
  known.visit = visitOf(parts, asked, session)
  const adapted = adaptToReader(parts, asked.style, known.visit, await perform(parts, asked, known.visit))
  return withSessionCookies(session, adapted instanceof Promise ? await adapted : adapted)
}

/** Converts a failure to an answer. The error page belongs to the visit, so its cookies are set too. Never throws. */
async function failure(
  parts: RestParts,
  request: Request,
  path: ApiPath,
  known: Visit | null,
  error: unknown,
): Promise<Reply> {
  const { host } = parts.forms
  const program = request.authorization !== '' || !isBrowserForm(request)
  const style = replyStyleOf(request, path, program)
  const reply = answerFailure(host, request, known, style, error)
  const visit = known ?? visitOf(parts, { request, params: {}, program, bearer: null }, null)
  try {
    return await withSessionCookies(visit.session, await adaptToReader(parts, style, visit, reply))
  } catch (unsettled) {
    return adaptToReader(
      parts,
      style,
      { ...visit, session: null },
      answerFailure(host, request, visit, style, unsettled),
    )
  }
}

function adaptToReader(
  { forms: { host } }: RestParts,
  style: ReplyStyle,
  visit: Visit,
  reply: Reply,
): Reply | Promise<Reply> {
  return adaptReply(host, visit, reply, style, (error) => {
    answerFailure(host, visit.request, visit, style, error)
  })
}

/** A client with its token, `none` for an invalid token, `nobody` without a token. */
type Sender = Bearer | 'none' | 'nobody'

function bearerOf(parts: RestParts, request: Request): Sender | Promise<Sender> {
  const header = request.authorization
  // Browsers send the password of a site behind basic authentication with every request.
  if (header === '' || (/^basic\s/i.test(header) && isBrowserForm(request))) return 'nobody'
  const token = tokenOf(header)
  if (token === null) return 'none'
  const owner = parts.bearer(token, request)
  return owner instanceof Promise ? owner.then((bearer) => bearer ?? 'none') : (owner ?? 'none')
}

/** The session of a visitor. Clients with a token use that of their cookie only to sign somebody in or out. */
function sessionOf(
  { forms }: RestParts,
  { request, params, program, path }: ApiRequest,
): Session | null | Promise<Session> {
  const { sessions } = forms.host
  if (sessions === null) return null
  // Programs start without a session; what a form's callback changes is returned with the answer.
  if (program && path.resource.of !== 'session')
    return sessions(createRequest({ ...request, method: 'GET', headers: {} }), params, true)
  // Browsers send this header by themselves on a site behind basic authentication, so it does not replace a CSRF token.
  const { authorization: _authorization, ...headers } = request.headers
  if (!program) return sessions(createRequest({ ...request, headers }), params)
  // The token replaces the CSRF token, and the cookie tells whose session is meant.
  return sessions(createRequest({ ...request, method: 'GET', headers }), params, true)
}

async function perform(parts: RestParts, asked: ApiRequest, visit: Visit): Promise<Reply> {
  const { request, path, params, program } = asked
  const operation = operationOf(asked)
  // The body was not read either when the URL cannot be decoded.
  if (operation === null || !isReadable(request)) return refusal(404)
  const { host } = parts.forms
  const named = formOf(host.loaded.site.forms, params)
  if ('problem' in named) return malformed(named.problem)
  const { form } = named
  if (form === null || form.resource !== path.resource.of || !form.requestAllowed) return refusal(404)
  const raw = (program ? params.form : sentForm(params)) ?? (program || operation === 'delete' ? undefined : {})
  if (operation !== 'delete' && !isObject(raw)) {
    return malformed(raw === undefined ? 'form: is missing' : 'form: expected an object')
  }
  let table = form.table
  if (form.resource === 'record' && operation === 'create') {
    const found = tableOf(parts.forms.catalog, form, params, raw, program)
    if ('problem' in found) return malformed(found.problem)
    table = found.table
  }
  const submission: Submission = { form, operation, id: path.id, table, raw, trusted: program }
  const outcome = await submit(parts.forms, visit, submission)
  return answerOutcome(parts.forms.host, visit, submission, path.resource, asked.style, outcome)
}

function visitOf(
  { forms }: RestParts,
  { request, params, program, bearer }: Pick<ApiRequest, 'request' | 'params' | 'program' | 'bearer'>,
  session: Session | null,
): Visit {
  const viewer = program ? null : (session?.user?.id ?? null)
  const data = forms.host.data?.(viewer, session, () => visit) ?? null
  const shared = { context: null }
  const who = bearer === null ? {} : { bearer }
  const visit: Visit = { request, params, session, data, failed: null, shared, job: null, ...who }
  return visit
}

const METHODS: Readonly<Record<string, Operation>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/**
 * The requested operation, null when it is not possible there. Forms use `_method` because browsers only send GET and
 * POST.
 */
function operationOf({ request, params, path, program }: ApiRequest): Operation | null {
  const hidden = params._method
  const named =
    request.method === 'POST' && !program && typeof hidden === 'string' ? hidden.toUpperCase() : request.method
  const operation = Object.hasOwn(METHODS, named) ? METHODS[named] : undefined
  if (operation === undefined) return null
  return path.resource.operations[path.id === null ? 'all' : 'one'].includes(operation) ? operation : null
}

/** Whether the path can be decoded; otherwise it is answered like an unknown one. */
function isReadable({ path }: Request): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
