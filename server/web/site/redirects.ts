/** Checks the redirects of templates, whichever tag, setting or header they come from. */
import { fromRoot, headerOf, type Reply, redirect } from '../http/message.ts'
import { siteTarget, stateInTarget } from '../http/site-target.ts'
import type { SiteHost, Visit } from './host.ts'

type Guard = Pick<SiteHost, 'redirectHosts' | 'logger'>
type Visitor = Pick<Visit, 'request' | 'params' | 'session'>

/** Returns a template's redirect target. Null when it is invalid, or leads to a host that the visitor named; this is logged. */
export function guardedTarget({ redirectHosts, logger }: Guard, visit: Visitor, target: string): string | null {
  const { request, params, session } = visit
  const { id, protocol, host, url } = request
  const source = { protocol, host, url, referer: headerOf(request, 'referer'), hosts: redirectHosts }
  const text = siteTarget(target, { ...source, sent: [params, session?.values ?? null] })
  if (text === null && target.trim() !== '') {
    logger.warn({ id }, `No redirect to ${JSON.stringify(target.slice(0, 200))}: ${WHY}`)
  }
  if (session !== null && text?.includes('state=') === true) {
    const state = stateInTarget(text, { ...source, sent: [params] })
    if (state !== null) session.leaveWith(state)
  }
  return text
}

const WHY =
  'it is not a URL, or it leads to a host that the request named. To allow a host, add it to INGOT_REDIRECT_HOSTS.'

/** Redirects to a template's target, or to the first page when the target is refused. */
export function guardedRedirect(host: Guard, visit: Visitor, status: number, target: string): Reply {
  return redirect(status, guardedTarget(host, visit, target) ?? '/')
}

/** Checks the headers by which a template redirects the browser. */
export function guardHeaders(host: Guard, visit: Visitor, headers: Record<string, string>): void {
  const { location, refresh } = headers
  if (location !== undefined) {
    const target = guardedTarget(host, visit, location)
    if (target !== fromRoot(location)) headers['location'] = target ?? '/'
  }
  if (refresh !== undefined) {
    const refreshTarget = /^[\s\d.]*[;,]?\s*(?:url\s*=\s*)?(["']?)(.*?)\1\s*$/is.exec(refresh)?.[2] ?? ''
    if (refreshTarget !== '' && guardedTarget(host, visit, refreshTarget) === null) delete headers['refresh']
  }
}
