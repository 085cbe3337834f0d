/** The user as whom a client with a token sends a request. */
import { LiquidFault } from '../../../runtime/page/fault.ts'
import type { Request } from '../http/message.ts'
import type { SiteHost, VisitToken } from './host.ts'
import type { Session } from './session.ts'

/** A request of a client with a token of a user. */
export interface UserRequest {
  readonly session: Session
  readonly bearer: VisitToken
}

/**
 * Opens a session in which the user is signed in. It belongs to this request only: the cookie of the request is ignored,
 * nothing is stored, and no cookie is set.
 * @param request its `Authorization` header contains the token
 * @returns null when the user does not exist any more, or when the server has no sessions
 * @throws SessionsAway
 */
export async function openUserSession(
  { sessions }: Pick<SiteHost, 'sessions'>,
  request: Request,
  user: string,
): Promise<Session | null> {
  if (sessions === null) return null
  const session = await sessions(request, {})
  try {
    await session.actAs(user, true)
  } catch (error) {
    if (error instanceof LiquidFault) return null
    throw error
  }
  return session
}
