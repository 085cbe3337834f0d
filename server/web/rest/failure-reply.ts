/** Converts failures to replies of the API. Failures that the sender did not cause are logged. */
import { LimitFault } from '../../../runtime/page/fault.ts'
import { asFault } from '../../../runtime/page/render.ts'
import { DatabaseFailure } from '../graphql/database/statements.ts'
import type { Reply, Request } from '../http/message.ts'
import { BadRequest } from '../http/params.ts'
import { UNREACHABLE } from '../http/plain-reply.ts'
import { toSiteFailure, NO_ORIGIN } from '../../core/contracts/log.ts'
import { NotFoundError } from '../site/not-found-error.ts'
import { createLogOrigin, hostAndPath } from '../site/log-origin.ts'
import type { SiteHost, Visit } from '../site/host.ts'
import { faultReply } from '../site/error-page.ts'
import { Forbidden } from '../site/render-page.ts'
import { SessionsAway } from '../site/session.ts'
import { isUnreachable } from '../graphql/database/database-error.ts'
import type { ReplyStyle } from './reply-style.ts'
import { errorReply, MALFORMED_STATUS, refusal } from './status-codes.ts'

/**
 * Converts a failure to a reply and logs it, unless the sender caused it. In development, a browser gets the usual
 * error page.
 * @param visit null when the request failed before it had a visit
 */
export function answerFailure(
  host: SiteHost,
  request: Request,
  visit: Visit | null,
  style: ReplyStyle,
  error: unknown,
): Reply {
  const isDevelopment = host.facts.environment === 'development'
  if (error instanceof BadRequest) {
    const { status } = error
    if (status === 413 || status === 503) return refusal(status, error.message, isDevelopment)
    return refusal(MALFORMED_STATUS, error.message, true)
  }
  // Thrown while the page of a refused form was rendered.
  if (error instanceof Forbidden)
    return isDevelopment ? refusal(error.status, error.message, true) : errorReply(error.status)
  if (error instanceof SessionsAway || isDatabaseUnavailable(error)) return refusal(503, UNREACHABLE, isDevelopment)
  const fault = asFault(error)
  if (fault !== error) fault.cause ??= error
  host.services.locate(fault)
  const stack = fault.frames.map((frame) => `    at ${frame.file}:${frame.line}`)
  if (fault.cause instanceof Error) stack.push(`  caused by ${fault.cause.stack ?? fault.cause.message}`)
  const fields = { id: request.id, type: fault.name, stack: stack.join('\n') }
  host.logger.error(fields, `${request.method} ${request.path}: ${fault.message}`)
  host.log.failed(
    toSiteFailure(fault),
    visit === null ? { ...NO_ORIGIN, url: hostAndPath(request) } : createLogOrigin(visit, null),
  )
  const timedOut = fault instanceof LimitFault && fault.limit === 'time'
  // A template or the queue may have handled the error first, so the meter is checked instead of the error.
  const unreachable = visit?.data?.meter.unreachable === true
  const status = timedOut ? 504 : unreachable ? 503 : fault instanceof NotFoundError ? 404 : 500
  const reason = status === 503 ? UNREACHABLE : null
  const reply = !isDevelopment
    ? errorReply(status)
    : style.html && !style.script
      ? faultReply(fault, host.loadedSite, status, 'html', reason)
      : errorReply(status, { detail: reason === null ? fault.located : `${fault.located}: ${reason}` })
  return reason === null ? reply : { ...reply, reason }
}

function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof DatabaseFailure ? error.answer.code === 'UNREACHABLE' : isUnreachable(error)
}
