/**
 * Reports why a request could not use the session of its cookie. Its visitor seems to be signed out, and nothing else would
 * show that a form lacks its CSRF token.
 */
import type { Reply } from '../http/message.ts'
import { html } from '../http/plain-reply.ts'
import type { SiteHost } from './host.ts'
import type { Session } from './session.ts'

/** Adds the problem to the request's line of the log. In development, a redirect shows it too. */
export function withTokenProblem({ facts }: SiteHost, session: Session | null, reply: Reply): Reply {
  const problem = session?.tokenProblem ?? null
  if (problem === null || reply.reason?.includes(problem) === true) return reply
  const reason = reply.reason === undefined ? problem : `${reply.reason}; ${problem}`
  const isShown = facts.environment === 'development' && reply.status >= 300 && reply.status < 400 && reply.body === ''
  return { ...reply, reason, ...(isShown && { body: `<p>${html(reason)}</p>\n` }) }
}

/** Returns the reason of a refusal, followed by the problem of its request. */
export function withProblem(session: Session | null, reason: string): string {
  const problem = session?.tokenProblem ?? null
  return problem === null ? reason : `${reason}; ${problem}`
}
