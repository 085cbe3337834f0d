/**
 * `POST /api/graph`: GraphQL for clients with a token. Every query result with `data` and `errors` has the status 200.
 */
import { adminFields, changeFields } from '../../../../runtime/data/query/admin-fields.ts'
import type { ExecutionResult, GraphqlError } from '../../../../runtime/data/query/host.ts'
import { parseAuthorization } from '../../http/authorization.ts'
import { contentType } from '../../http/formats.ts'
import { TRY_AGAIN, UNREACHABLE } from '../../http/plain-reply.ts'
import type { Reply, Request } from '../../http/message.ts'
import type { Logger } from '../../../core/contracts/log.ts'
import { type Bearer, permits } from '../../../data/store/tokens.ts'
import { explainFailure } from '../database/database-error.ts'
import { identifyUploader } from '../../files/uploader.ts'
import { type Session, SessionsAway } from '../../site/session.ts'
import type { OpenEffects } from '../host/effects.ts'
import type { PrintUpload } from '../host/uploads.ts'
import { analyzeRequest, REQUEST_LIMITS, type RequestLimits, type OperationDemand } from './limits.ts'
import type { SiteData } from '../site/site-data.ts'

const ENDPOINT = '/api/graph'

export interface EndpointDependencies {
  readonly data: SiteData
  /**
   * Finds the owner of a token; null when it is invalid.
   * @throws the database client's errors
   */
  readonly bearer: (token: string, request: Request) => Bearer | null | Promise<Bearer | null>
  /**
   * Opens a session for the user of a token; null when the user does not exist any more.
   * @throws SessionsAway
   */
  readonly userSession: (request: Request, user: string) => Promise<Session | null>
  readonly logger: Logger
  readonly limits?: RequestLimits
  /**
   * Effects of operations outside the database. When absent, nothing is sent.
   * @param session that of the user of a token; null for a token of the instance
   */
  readonly effects?: (request: Request, session: Session | null, bearer: Bearer) => OpenEffects | null
  /** Returns a function that prints HTML as PDF. When absent, nothing is printed. */
  readonly print?: (request: Request) => PrintUpload | null
}

/** The sender of a request. */
interface Sender {
  readonly bearer: Bearer
  /** The session of the user of a token; null for a token of the instance. */
  readonly session: Session | null
}

/** The operation in a request body. */
interface ParsedBody {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | null
}

/** Maximum nesting depth of a JSON body, so that recursive readers cannot overflow the stack. */
const BODY_DEPTH = 64

/** Answers a request for the endpoint's path. Returns null for a method that the endpoint does not support. */
export async function answerEndpoint(dependencies: EndpointDependencies, request: Request): Promise<Reply | null> {
  if (request.method === 'OPTIONS') return { status: 204, headers: { allow: 'OPTIONS, POST' }, body: null }
  if (request.method !== 'POST') return null
  let sender: Sender | null
  try {
    sender = await identify(dependencies, request)
  } catch (error) {
    if (error instanceof SessionsAway) return unavailable(refusal('The database is unavailable'))
    const failure = explainFailure(error)
    dependencies.logger.error(
      { id: request.id, reason: error instanceof Error ? error.message : String(error) },
      failure.message,
    )
    return failure.code === 'UNREACHABLE' ? unavailable(refusal(failure.message)) : reply(500, refusal(failure.message))
  }
  if (sender === null) {
    const message = 'A valid token is needed: send the header `Authorization: Token …`'
    return reply(401, refusal(message), { 'www-authenticate': 'Token realm="api"' })
  }
  return answerSender(dependencies, request, sender)
}

/**
 * Returns the sender of a request; null without a valid token.
 * @throws SessionsAway and the database client's errors
 */
async function identify({ bearer: find, userSession }: EndpointDependencies, request: Request): Promise<Sender | null> {
  const token = parseAuthorization(request.authorization)
  const bearer = token === null ? null : await find(token, request)
  if (bearer === null || bearer.user === null) return bearer === null ? null : { bearer, session: null }
  const session = await userSession(request, bearer.user)
  return session === null ? null : { bearer, session }
}

async function answerSender(
  dependencies: EndpointDependencies,
  request: Request,
  { bearer, session }: Sender,
): Promise<Reply> {
  if (request.unreadable) return reply(request.unreadable.status, refusal(request.unreadable.message))
  const body = readBody(request)
  if ('refusal' in body) return reply(400, refusal(body.refusal))
  const { query, variables, operationName } = body.parsed
  const limits = dependencies.limits ?? REQUEST_LIMITS
  const analysis = analyzeRequest(query, operationName, variables, limits)
  if ('refusal' in analysis) return reply(200, refusal(analysis.refusal, 'LIMIT'))
  if ('demand' in analysis) {
    const forbidden = scopeRefusal(bearer.scope, analysis.demand)
    if (forbidden !== null) return { ...reply(200, refusal(forbidden, 'FORBIDDEN')), reason: forbidden }
  }
  const { result, meter } = await dependencies.data.answer({
    document: query,
    operationName,
    variables,
    seconds: limits.time,
    viewer: bearer.user,
    uploader: () => identifyUploader({ session: null, job: null, bearer }),
    effects: dependencies.effects?.(request, session, bearer) ?? null,
    print: dependencies.print?.(request) ?? null,
    recording: request.span?.recording ?? null,
  })
  return meter.unreachable ? unavailable(result) : reply(200, result)
}

/** Returns why a scope does not permit an operation, or null when it does. */
function scopeRefusal(scope: Bearer['scope'], demand: OperationDemand): string | null {
  if (scope === 'admin') return null
  const { changes, others } = changeFields(demand.document)
  // A token for deploys changes files of the site, and reads what it has changed.
  if (others.length === 0 && changes.length > 0 && permits(scope, 'deploy')) return null
  const [change] = changes
  if (change !== undefined && !permits(scope, 'deploy'))
    return `\`${change}\` needs a token with the scope deploy or admin`
  const [reserved] = adminFields(demand.document)
  if (reserved !== undefined) return `\`${reserved}\` needs a token with the scope admin`
  if (demand.kind !== 'query')
    return permits(scope, 'write') ? null : 'A mutation needs a token with the scope write or admin'
  return permits(scope, 'read') ? null : 'A query needs a token with the scope read, write or admin'
}

type Body = { readonly parsed: ParsedBody } | { readonly refusal: string }

const utf8 = new TextDecoder('utf-8', { fatal: true })

function readBody(request: Request): Body {
  const { body } = request
  if (body === null || body.length === 0) return { refusal: 'The body is empty: send JSON with `query`' }
  let json: unknown
  try {
    json = JSON.parse(utf8.decode(body))
  } catch {
    return { refusal: 'The body is not JSON: send an object with `query`, and optional `variables`' }
  }
  if (Array.isArray(json)) return { refusal: 'Batches are not supported: send an object, not a list' }
  if (nestsDeeperThan(json, BODY_DEPTH)) return { refusal: `The body has more than ${BODY_DEPTH} levels` }
  if (!isObject(json)) return { refusal: 'The body must be a JSON object with `query`' }
  const { query, variables = null, operationName = null }: { [key in keyof ParsedBody]?: unknown } = json
  if (typeof query !== 'string') return { refusal: 'The body has no `query`, the text of an operation' }
  if (variables !== null && !isObject(variables)) return { refusal: '`variables` must be an object' }
  if (operationName !== null && typeof operationName !== 'string') return { refusal: '`operationName` must be a text' }
  return { parsed: { query, variables: variables ?? {}, operationName } }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nestsDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return levels < 0
  return levels < 0 || Object.values(value).some((each) => nestsDeeperThan(each, levels - 1))
}

function refusal(message: string, code?: string): { errors: readonly GraphqlError[] } {
  return { errors: [code === undefined ? { message } : { message, extensions: { code } }] }
}

function unavailable(result: Parameters<typeof reply>[1]): Reply {
  return { ...reply(503, result, TRY_AGAIN), reason: UNREACHABLE }
}

function reply(
  status: number,
  result: ExecutionResult | { readonly errors: readonly GraphqlError[] },
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'content-type': contentType('json'), 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(result),
  }
}

/** Returns whether a request is for the endpoint. */
export function isEndpoint(request: Request): boolean {
  return request.path === ENDPOINT
}
