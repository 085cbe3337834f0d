/** The page about a sign-in that failed, at `/auth/failure`. A page of the site with this address replaces it. */
import type { CompiledSite } from '../../../runtime/page/site.ts'
import type { Reply, Request } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import { queryParams } from '../http/params.ts'
import { html, htmlReply, serverPage } from '../http/plain-reply.ts'
import { type Reason, sentenceOf } from './refusal.ts'

/** The address of the page. */
export const FAILURE_PATH = '/auth/failure'

/** Returns whether the site has a page for this address. A page that answers all addresses does not count. */
export function hasOwnFailurePage({ pages }: Pick<CompiledSite, 'pages'>): boolean {
  return pages.some(({ method, route }) => {
    const [first, second, ...rest] = route
    const isFixed =
      first?.kind === 'static' && first.text === 'auth' && second?.kind === 'static' && second.text === 'failure'
    return method === 'get' && isFixed && rest.every(({ kind }) => kind === 'optional')
  })
}

/**
 * Returns the address of the page about a failure.
 * @param returnTo a path of this site
 */
export function failureAddress(reason: Reason, provider: string, returnTo: string): string {
  return `${FAILURE_PATH}?${new URLSearchParams({ message: reason, provider, return_to: returnTo }).toString()}`
}

/** Returns the built-in page. Its parameters may have been written by anyone, so it prints none of them but a path of this site. */
export function failurePage(request: Request): Reply {
  const { message, return_to } = queryParams(request)
  const target = ownTarget(return_to, request.host) ?? '/'
  const body = `<h1>You are not signed in</h1><p>${html(sentenceOf(message))}</p><p><a href="${html(target)}">Go back</a></p>`
  const reply = htmlReply(403, serverPage('You are not signed in', body))
  return { ...reply, headers: { ...reply.headers, 'cache-control': 'no-store' } }
}
