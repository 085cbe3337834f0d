/** Tells requests that another site's page has caused from those of our own pages. */
import { headerOf, type Request } from './message.ts'

/**
 * Whether a browser sends a changing request for a page of another site. A GET or HEAD is never one: links from mails
 * and other sites must work.
 *
 * Browsers say it themselves over HTTPS (`Sec-Fetch-Site`); a subdomain and another port count as another site, because
 * others may own them. Older browsers, and all over plain HTTP, only send `Origin` or `Referer`, which are compared with
 * the requested host. A request without any of these headers comes from no browser of the last years and counts as ours.
 * @param isOurs whether a host, with its port, is another name of this site
 */
export function isForeign(request: Request, isOurs: (host: string) => boolean): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  const site = headerOf(request, 'sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return false
  const sender = senderOf(request)
  if (sender === '') return site !== ''
  const host = hostOf(sender)
  if (host === null) return true
  // Over HTTPS the browser has compared the origins already.
  return !isOurs(host) && (site !== '' || host !== request.host.toLowerCase())
}

/** The origin or the address of the page that a request comes from, as the browser says; '' when it does not say. */
export function senderOf(request: Request): string {
  const origin = headerOf(request, 'origin')
  return origin === '' ? headerOf(request, 'referer') : origin
}

/** Null for `null`, which browsers send for pages that hide their origin, and for other texts that are not URLs. */
function hostOf(sender: string): string | null {
  return URL.canParse(sender) ? new URL(sender).host : null
}
