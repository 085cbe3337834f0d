/** Distinguishes requests from pages of other sites from requests from the site's own pages. */
import { headerOf, type Request } from './message.ts'

/**
 * Returns whether a page of another site has sent a request that may change something. GET and HEAD requests are never
 * foreign, because links from mails and other sites must work.
 *
 * Over HTTPS, browsers report the origin in `Sec-Fetch-Site`. Subdomains and other ports count as other sites, because
 * others may own them. Older browsers, and all browsers over plain HTTP, send only `Origin` or `Referer`, which are compared
 * with the requested host. A request without these headers is not from a recent browser and counts as ours.
 * @param isOwnHost returns whether a host with its port is another name of this site
 */
export function isForeign(request: Request, isOwnHost: (host: string) => boolean): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  const site = headerOf(request, 'sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return false
  const sender = requestSender(request)
  if (sender === '') return site !== ''
  const host = hostOfUrl(sender)
  if (host === null) return true
  // Over HTTPS the browser has compared the origins already.
  return !isOwnHost(host) && (site !== '' || host !== request.host.toLowerCase())
}

/** Returns the origin or the URL of the page that has sent a request, from its headers; '' when unknown. */
export function requestSender(request: Request): string {
  const origin = headerOf(request, 'origin')
  return origin === '' ? headerOf(request, 'referer') : origin
}

/** Returns the host of a URL. Null for other texts, such as `null`, which browsers send for pages that hide their origin. */
function hostOfUrl(sender: string): string | null {
  return URL.canParse(sender) ? new URL(sender).host : null
}

/**
 * Returns whether a page of another site has led the visitor here by a link, a form or a redirect. A typed address or a bookmark is the
 * visitor's own. Browsers that do not report the site send `Referer`, unless the other page hides it; without both, nothing is known, and
 * the request counts as foreign.
 */
export function isForeignNavigation(request: Request): boolean {
  const site = headerOf(request, 'sec-fetch-site')
  if (site !== '') return site !== 'same-origin' && site !== 'none'
  return hostOfUrl(headerOf(request, 'referer')) !== request.host.toLowerCase()
}
