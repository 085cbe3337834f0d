/** Recognizes requests that pages of the site itself send. */
import { headerOf, type Request } from './message.ts'

/** Returns whether a page of this site sent a request. */
export function isSameOrigin(request: Request): boolean {
  const site = headerOf(request, 'sec-fetch-site')
  if (site !== '') return site === 'same-origin'
  return headerOf(request, 'origin') === `${request.protocol}://${request.host}`
}
