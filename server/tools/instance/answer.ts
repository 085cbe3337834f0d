/**
 * Answers the API for deploys, and checks tokens and their scopes. It handles everything below `/api/app_builder/` and
 * `/api/private/urls/`, so that pages of a site cannot hide it.
 */
import { errorCodeOf } from '../../core/error-code.ts'
import { isUnreachable } from '../../web/graphql/database/database-error.ts'
import { parseAuthorization } from '../../web/http/authorization.ts'
import { BadRequest, headerOf, type Reply, type Request } from '../../web/http/message.ts'
import { NO_ORIGIN } from '../../core/contracts/log.ts'
import { entryRow } from '../../web/logs/stored-row.ts'
import type { LogRow } from '../../web/logs/model.ts'
import { type Bearer, permits } from '../../data/store/tokens.ts'
import { ADDRESSED } from './addresses.ts'
import { readSentBody } from './body.ts'
import { json, Refusal, refused } from './replies.ts'
import type { InstanceContext, Resource } from './resource.ts'
import { type Found, findResource, isInstancePath } from './resources.ts'

/** Answers a request to the API; returns null for all others. Never throws. */
export async function answerInstance(parts: InstanceContext, request: Request): Promise<Reply | null> {
  const path = request.path
  if (!isInstancePath(path)) return null
  let matched: Resource | null = null
  try {
    const found = findResource(request.method, path)
    if (!('resource' in found)) return unknownPath(path, found)
    const { resource } = found
    const bearer = await bearerOf(parts, request, found)
    if (bearer === null) return json(401, { error: UNAUTHORIZED }, { 'www-authenticate': 'Token realm="api"' })
    if (!isPermitted(resource, bearer)) return json(403, { error: forbidden(resource) })
    const query = new URLSearchParams(request.query)
    const ask = { request, path: found.path, query, bearer, body: readSentBody(request) }
    matched = resource
    return await resource.answer(parts, ask)
  } catch (error) {
    if (error instanceof Refusal && matched?.isSilent === true) parts.keep(refusalRow(matched, error))
    return failure(parts, request, error)
  }
}

function refusalRow({ method, path }: Resource, { message }: Refusal): LogRow {
  const text = `${method} /api/${path} was refused: ${message}`
  return entryRow({ type: 'error', message: text, env: 'all', file: '', line: 0 }, NO_ORIGIN)
}

/**
 * Returns whether to receive the body of a request: only from clients with permission, because it may be large.
 * @returns null for a request that is not for the API
 */
export function instanceTakesBody(parts: InstanceContext, request: Request): Promise<boolean> | null {
  const path = request.path
  if (!isInstancePath(path)) return null
  const found = findResource(request.method, path)
  if (!('resource' in found)) return Promise.resolve(false)
  return bearerOf(parts, request, found).then(
    (bearer) => bearer !== null && isPermitted(found.resource, bearer),
    // The response, which checks the token again, reports that the database is unreachable.
    () => false,
  )
}

const UNAUTHORIZED = 'A valid token is required: send the header `Authorization: Token …`'

function isPermitted({ scopes }: Resource, { scope }: Bearer): boolean {
  return permits(scope, 'admin') || scopes.some((each) => permits(scope, each))
}

function forbidden({ scopes }: Resource): string {
  return `The token does not permit this: use a token with the scope ${[...new Set([...scopes, 'admin'])].join(' or ')}`
}

/** Returns the bearer of the request's token. Clients that ask for upload URLs send it in the header `token`. */
async function bearerOf(all: InstanceContext, request: Request, { resource, path }: Found): Promise<Bearer | null> {
  if (resource.isGranted?.(all, request, path) === true) return ADDRESSED
  const { parts } = all
  const sent = request.authorization
  const token = sent === '' ? headerOf(request, 'token').trim() : parseAuthorization(sent)
  return token === null || token === '' ? null : parts.graphql.tokens.bearer(token)
}

/** PostgreSQL's error codes for a text with a NUL byte, in JSON and elsewhere. */
const UNSTORABLE_CODES: ReadonlySet<string> = new Set(['22P05', '22021'])

/** Answers a request for an unknown path or method. @param methods the methods of the path */
function unknownPath(path: string, methods: readonly string[]): Reply {
  if (methods.length === 0) return json(404, { error: `Not found: ${path}` })
  return json(405, { error: `${path} accepts only ${methods.join(', ')}` }, { allow: methods.join(', ') })
}

function failure({ logger }: InstanceContext, request: Request, error: unknown): Reply {
  if (error instanceof Refusal) return refused(error)
  if (error instanceof BadRequest) return json(error.status, { error: error.message })
  if (UNSTORABLE_CODES.has(errorCodeOf(error) ?? ''))
    return json(422, { error: 'A text in the request contains a NUL byte, which cannot be stored: remove it' })
  if (isUnreachable(error))
    return json(503, { error: 'The database cannot be reached: try again later' }, { 'retry-after': '5' })
  const stack = error instanceof Error ? error.stack : String(error)
  logger.error({ id: request.id, stack }, 'a request to the API of the instance failed')
  return json(500, { error: `Internal error of Ingot: its log has details under ${request.id}` })
}
