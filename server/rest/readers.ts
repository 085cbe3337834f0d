/** What people see instead of a refusal that is meant for programs: the site's page for the status, else the plain one. */
import type { Reply } from '../http/message.ts'
import { plainReply } from '../http/plain-reply.ts'
import { statusPage } from '../http/routes.ts'
import type { SiteHost, Visit } from '../site/host.ts'
import { renderStatusPage } from '../site/render-page.ts'
import type { ReplyStyle } from './reply-style.ts'
import { CONTENT_TYPE } from './replies.ts'

/**
 * The answer as its reader wants it: refusals become pages where a form of a page was sent.
 * @param failed is told what the site's own page throws
 */
export async function forReaders(
  host: SiteHost,
  visit: Visit,
  reply: Reply,
  { html, script }: ReplyStyle,
  failed: (error: unknown) => void,
): Promise<Reply> {
  if (!html || script || reply.status < 400 || reply.headers['content-type'] !== CONTENT_TYPE) return reply
  let page: Reply | null = null
  try {
    page = await ownPage(host, visit, reply.status)
  } catch (error) {
    failed(error)
  }
  page ??= plainReply(reply.status, 'html')
  return { ...page, headers: { ...reply.headers, ...page.headers } }
}

/** The page that the site has for a status; null where it has none. @throws LiquidFault */
async function ownPage(host: SiteHost, visit: Visit, status: number): Promise<Reply | null> {
  if (status !== 403 && status !== 404 && status !== 500 && status !== 503) return null
  const page = statusPage(host.loaded.site.pages, status, 'html')
  return page === null ? null : renderStatusPage(host, { visit, page, source: false }, status)
}
