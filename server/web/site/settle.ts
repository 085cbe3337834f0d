/** Ends a visit: writes its session and adds its cookies to the answer. */
import type { Reply } from '../http/message.ts'
import type { Session } from './session.ts'

/**
 * Adds the session's cookies to an answer; synchronously when the session is untouched. The code that opened the session
 * calls it once for each request.
 * @throws SessionsAway
 */
export function withSessionCookies(session: Session | null, reply: Reply): Reply | Promise<Reply> {
  return session === null || session.isUntouched ? reply : withCookies(session, reply)
}

async function withCookies(session: Session, reply: Reply): Promise<Reply> {
  const redirected = reply.status >= 300 && reply.status < 400 && reply.headers['location'] !== undefined
  // Any HTML page of the site counts as having shown the messages, even if it did not print them. Later they would be
  // outdated.
  if (!redirected && reply.template !== undefined && reply.headers['content-type']?.startsWith('text/html'))
    void session.flash
  const cookies = await session.commit(redirected)
  return cookies.length === 0 ? reply : { ...reply, cookies: [...(reply.cookies ?? []), ...cookies] }
}
