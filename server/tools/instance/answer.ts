/**
 * The API that a site is deployed by: who asks, what for, and whether they may. Everything below `/api/app_builder/` and
 * `/api/private/urls/` is answered here, so that no page of a site stands in its way.
 */
import { codeOf } from '../../core/error-code.ts'
import { isUnreachable } from '../../web/graphql/database/database-error.ts'
import { tokenOf } from '../../web/graphql/endpoint/endpoint.ts'
import { BadRequest, headerOf, type Reply, type Request } from '../../web/http/message.ts'
import { NOWHERE } from '../../core/contracts/log.ts'
import { rowOf } from '../../web/logs/entry.ts'
import type { LogRow } from '../../web/logs/model.ts'
import { type Bearer, permits } from '../../data/store/tokens.ts'
import { ADDRESSED } from './addresses.ts'
import { readSentBody } from './body.ts'
import { json, Refusal, refused } from './replies.ts'
import type { InstanceParts, Resource } from './resource.ts'
import { type Found, findResource, isInstancePath } from './resources.ts'

/** Answers a request to the API; null for all others. Never throws. */
export async function answerInstance(parts: InstanceParts, request: Request): Promise<Reply | null> {
  const path = request.path
  if (!isInstancePath(path)) return null
  let asked: Resource | null = null
  try {
    const found = findResource(request.method, path)
    if (!('resource' in found)) return unknown(path, found)
    const { resource } = found
    const bearer = await bearerOf(parts, request, found)
    if (bearer === null) return json(401, { error: UNAUTHORIZED }, { 'www-authenticate': 'Token realm="api"' })
    if (!isPermitted(resource, bearer)) return json(403, { error: forbidden(resource) })
    const query = new URLSearchParams(request.query)
    const ask = { request, path: found.path, query, bearer, body: readSentBody(request) }
    asked = resource
    return await resource.answer(parts, ask)
  } catch (error) {
    if (error instanceof Refusal && asked?.isSilent === true) parts.keep(refusalRow(asked, error))
    return failure(parts, request, error)
  }
}

function refusalRow({ method, path }: Resource, { message }: Refusal): LogRow {
  const said = `${method} /api/${path} was refused: ${message}`
  return rowOf({ type: 'error', message: said, env: 'all', file: '', line: 0 }, NOWHERE)
}

/**
 * Whether a body is received: only of who may ask what it is for, since it may be large.
 * @returns null for a request that is not for the API
 */
export function instanceTakesBody(parts: InstanceParts, request: Request): Promise<boolean> | null {
  const path = request.path
  if (!isInstancePath(path)) return null
  const found = findResource(request.method, path)
  if (!('resource' in found)) return Promise.resolve(false)
  return bearerOf(parts, request, found).then(
    (bearer) => bearer !== null && isPermitted(found.resource, bearer),
    // The answer, which asks again, says that the database is away.
    () => false,
  )
}

const UNAUTHORIZED = 'A valid token is needed: send the header `Authorization: Token …`'

function isPermitted({ scopes }: Resource, { scope }: Bearer): boolean {
  return permits(scope, 'admin') || scopes.some((each) => permits(scope, each))
}

function forbidden({ scopes }: Resource): string {
  return `The token has not the scope for this: it needs ${[...new Set([...scopes, 'admin'])].join(' or ')}`
}

/** The owner of the token; requests for addresses to send files to have it in a header of its own. */
async function bearerOf(all: InstanceParts, request: Request, { resource, path }: Found): Promise<Bearer | null> {
  if (resource.isGranted?.(all, request, path) === true) return ADDRESSED
  const { parts } = all
  const sent = request.authorization
  const token = sent === '' ? headerOf(request, 'token').trim() : tokenOf(sent)
  return token === null || token === '' ? null : parts.graphql.tokens.bearer(token)
}

/** What the database says of a text with NUL, in JSON and by itself. */
const UNSTORABLE: ReadonlySet<string> = new Set(['22P05', '22021'])

/** @param methods that the path has */
function unknown(path: string, methods: readonly string[]): Reply {
  if (methods.length === 0) return json(404, { error: `There is nothing at ${path}` })
  return json(405, { error: `${path} takes ${methods.join(', ')}` }, { allow: methods.join(', ') })
}

function failure({ logger }: InstanceParts, request: Request, error: unknown): Reply {
  if (error instanceof Refusal) return refused(error)
  if (error instanceof BadRequest) return json(error.status, { error: error.message })
  if (UNSTORABLE.has(codeOf(error) ?? ''))
    return json(422, { error: 'A text of the request holds NUL, which no text here may' })
  if (isUnreachable(error)) return json(503, { error: 'The database is away: try again' }, { 'retry-after': '5' })
  const stack = error instanceof Error ? error.stack : String(error)
  logger.error({ id: request.id, stack }, 'a request to the API of the instance failed')
  return json(500, { error: `Ingot has made a mistake of its own; its log has more under ${request.id}` })
}
