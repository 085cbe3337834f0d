/** Runs the partials of a channel. */
import { renderNamed } from '../../../runtime/page/calls.ts'
import type { LiquidFault } from '../../../runtime/page/fault.ts'
import { asFault } from '../../../runtime/page/render.ts'
import { deepCopy } from '../../../runtime/page/values/copy.ts'
import { toSiteFailure } from '../../core/contracts/log.ts'
import { createLogOrigin } from '../site/log-origin.ts'
import type { SiteHost } from '../site/host.ts'
import type { PageVisit } from '../site/page-visit.ts'
import { createRender } from '../site/render-page.ts'
import { SessionsAway } from '../site/session.ts'
import { type Callback, findCallback } from './callbacks.ts'
import { CALLBACK_TIME } from './limits.ts'

/** The result of a partial. */
export type CallbackResult =
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'printed'
      /** What the partial printed, without whitespace at the ends. */
      readonly text: string
      /** The value of `context.exports` at the end. */
      readonly exports: unknown
    }
  /** `isUnavailable`: whether another attempt may succeed. */
  | { readonly kind: 'failed'; readonly isUnavailable: boolean }

/** What a partial of a channel gets. */
export interface CallbackCall {
  readonly channel: string
  readonly callback: Callback
  /** The value of `context.exports` that an earlier partial of the subscription left. */
  readonly exports: unknown
}

/**
 * Runs a partial. Failures are written to the site's log. What the partial changes in the session is stored, if the
 * session exists already, because a WebSocket cannot set a cookie.
 */
export async function runCallback(
  host: SiteHost,
  visit: PageVisit,
  { channel, callback, exports }: CallbackCall,
): Promise<CallbackResult> {
  try {
    const limits = { ...host.limits, time: Math.min(host.limits.time, CALLBACK_TIME) }
    const r = createRender({ ...host, limits }, visit, null, { raise: true })
    const name = await findCallback(r, channel, callback)
    if (name === null) return { kind: 'missing' }
    if (exports !== null) r.context['exports'] = deepCopy(exports)
    r.resume()
    const text = await renderNamed(r, name, {})
    const { session } = visit
    if (session !== null && session.row !== null && !session.isUntouched) await session.commit()
    return { kind: 'printed', text: text.trim(), exports: deepCopy(r.context['exports']) }
  } catch (error) {
    const fault = locateFault(host, error)
    report(host, visit, channel, callback, fault)
    const isUnavailable = error instanceof SessionsAway || visit.opened?.meter.unreachable === true
    return { kind: 'failed', isUnavailable }
  }
}

function locateFault(host: SiteHost, error: unknown): LiquidFault {
  const fault = asFault(error)
  if (fault !== error) fault.cause ??= error
  host.services.locate(fault)
  return fault
}

function report(host: SiteHost, visit: PageVisit, channel: string, callback: Callback, fault: LiquidFault): void {
  const type = callback === 'subscribed' ? 'WebSocketSubscribeError' : fault.name
  const failure = toSiteFailure(fault)
  const stack = failure.stack.map(({ path, line }) => `    at ${path}:${line}`).join('\n')
  host.logger.error({ id: visit.request.id, type, stack }, `channels/${channel}/${callback}: ${failure.message}`)
  host.log.failed({ ...failure, type }, createLogOrigin(visit, null))
}
