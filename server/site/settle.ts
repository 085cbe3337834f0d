/** The end of a visit: its session is written, and its cookies go with the answer. */
import type { Reply } from '../http/message.ts'
import type { Session } from './session.ts'

/** An answer with the cookies of its session. Called once a request, by whoever opened the session. @throws SessionsAway */
export async function settled(session: Session | null, reply: Reply): Promise<Reply> {
  if (session === null) return reply
  const redirected = reply.status >= 300 && reply.status < 400 && reply.headers['location'] !== undefined
  // A page of the site has shown the messages, whether it printed them or not: later they would tell of something long past.
  if (!redirected && reply.file !== undefined && reply.headers['content-type']?.startsWith('text/html'))
    void session.flash
  const cookies = await session.commit(redirected)
  return cookies.length === 0 ? reply : { ...reply, cookies: [...(reply.cookies ?? []), ...cookies] }
}
