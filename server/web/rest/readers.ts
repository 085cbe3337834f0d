/** Replaces refusals meant for programs by pages for people: the site's page for the status, or a plain one. */
import type { Reply } from '../http/message.ts'
import { plainReply } from '../http/plain-reply.ts'
import { statusPage } from '../http/routes.ts'
import type { SiteHost, Visit } from '../site/host.ts'
import { renderStatusPage } from '../site/render-page.ts'
import type { ReplyStyle } from './reply-style.ts'
import { CONTENT_TYPE } from './replies.ts'

/**
 * Adapts an answer to its reader: refusals become pages when a browser form was sent.
 * @param failed called with errors of the site's own page
 */
export function adaptReply(
  host: SiteHost,
  visit: Visit,
  reply: Reply,
  { html, script }: ReplyStyle,
  failed: (error: unknown) => void,
): Reply | Promise<Reply> {
  const isRefusal = reply.status >= 400 && reply.headers['content-type'] === CONTENT_TYPE
  return html && !script && isRefusal ? pageInstead(host, visit, reply, failed) : reply
}

async function pageInstead(
  host: SiteHost,
  visit: Visit,
  reply: Reply,
  failed: (error: unknown) => void,
): Promise<Reply> {
  let page: Reply | null = null
  try {
    page = await ownPage(host, visit, reply.status)
  } catch (error) {
    failed(error)
  }
  page ??= plainReply(reply.status, 'html')
  return { ...page, headers: { ...reply.headers, ...page.headers } }
}

/**
 * The site's page for a status; null when it has none.
 * @throws LiquidFault
 */
async function ownPage(host: SiteHost, visit: Visit, status: number): Promise<Reply | null> {
  if (status !== 403 && status !== 404 && status !== 500 && status !== 503) return null
  const page = statusPage(host.loaded.site.pages, status, 'html')
  return page === null ? null : renderStatusPage(host, { visit, page, source: false }, status)
}
