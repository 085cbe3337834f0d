/** Identifies the user as whom a client with a token requests a page. */
import { type Bearer, isUserToken, permitsVisit } from '../../data/store/tokens.ts'
import { isUnreachable } from '../graphql/database/database-error.ts'
import { parseAuthorization } from '../http/authorization.ts'
import { contentType } from '../http/formats.ts'
import type { Reply, Request } from '../http/message.ts'
import { refusedReply, UNREACHABLE } from '../http/plain-reply.ts'
import type { SiteHost } from '../site/host.ts'
import { SessionsAway } from '../site/session.ts'
import { openUserSession, type UserRequest } from '../site/user-session.ts'

/** Returns the token of a user in a request; null without one. Sites may use all other values of the header for their own purposes. */
export function sentUserToken({ authorization }: Request): string | null {
  const token = authorization === '' ? null : parseAuthorization(authorization)
  return token !== null && isUserToken(token) ? token : null
}

/**
 * Verifies the token of a user in a request for a page.
 * @param find returns the owner of a token; null for an invalid one
 * @returns the user, or the reply that refuses the request
 * @throws errors of the database client, except when the database is unavailable
 */
export async function identifyUser(
  host: Pick<SiteHost, 'sessions' | 'facts'>,
  request: Request,
  find: () => Bearer | null | Promise<Bearer | null>,
): Promise<UserRequest | { readonly refusal: Reply }> {
  try {
    const bearer = await find()
    const session = bearer === null || bearer.user === null ? null : await openUserSession(host, request, bearer.user)
    if (bearer === null || session === null) return { refusal: INVALID }
    const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    return permitsVisit(bearer.scope, isRead) ? { session, bearer } : { refusal: scopeRefusal(bearer.scope) }
  } catch (error) {
    if (error instanceof SessionsAway || isUnreachable(error)) {
      const isShown = host.facts.environment === 'development'
      return { refusal: refusedReply(503, 'json', UNREACHABLE, isShown) }
    }
    throw error
  }
}

function createRefusal(status: number, error: string, headers: Readonly<Record<string, string>>): Reply {
  const common = { 'content-type': contentType('json'), 'cache-control': 'no-store' }
  return { status, headers: { ...common, ...headers }, body: JSON.stringify({ error }) }
}

const INVALID = createRefusal(401, 'The token is wrong, has expired, or was revoked.', {
  'www-authenticate': 'Token realm="api"',
})

/** Only requests that change something can lack a scope. */
function scopeRefusal(scope: string): Reply {
  const reason = `the token has the scope ${scope}, and this request needs the scope site or write`
  return { ...createRefusal(403, `T${reason.slice(1)}.`, {}), reason }
}
