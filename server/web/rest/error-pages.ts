/** Replaces JSON errors with pages for browsers: the site's page for the status, or a plain page. */
import type { Reply } from '../http/message.ts'
import { plainReply } from '../http/plain-reply.ts'
import { statusPage } from '../http/routes.ts'
import type { SiteHost, Visit } from '../site/host.ts'
import { renderStatusPage } from '../site/render-page.ts'
import type { ReplyStyle } from './reply-style.ts'
import { CONTENT_TYPE } from './status-codes.ts'

/**
 * Adapts a reply to its client: errors become pages for browser forms.
 * @param onError called with errors of the site's own page
 */
export function toClientReply(
  host: SiteHost,
  visit: Visit,
  reply: Reply,
  { html, script }: ReplyStyle,
  onError: (error: unknown) => void,
): Reply | Promise<Reply> {
  const isError = reply.status >= 400 && reply.headers['content-type'] === CONTENT_TYPE
  return html && !script && isError ? replaceWithPage(host, visit, reply, onError) : reply
}

async function replaceWithPage(
  host: SiteHost,
  visit: Visit,
  reply: Reply,
  onError: (error: unknown) => void,
): Promise<Reply> {
  let page: Reply | null = null
  try {
    page = await renderSitePage(host, visit, reply.status)
  } catch (error) {
    onError(error)
  }
  const { reason } = reply
  page ??= plainReply(reply.status, 'html', host.facts.environment === 'development' ? (reason ?? null) : null)
  return { ...page, headers: { ...reply.headers, ...page.headers }, ...(reason !== undefined && { reason }) }
}

/**
 * Renders the site's page for a status, or returns null when it has none.
 * @throws LiquidFault
 */
async function renderSitePage(host: SiteHost, visit: Visit, status: number): Promise<Reply | null> {
  if (status !== 403 && status !== 404 && status !== 500 && status !== 503) return null
  const page = statusPage(host.loadedSite.site.pages, status, 'html')
  return page === null ? null : renderStatusPage(host, { visit, page, source: false }, status)
}
