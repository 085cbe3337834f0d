/** Pages of the server for developers that the studio frames: the outbox and the sources. */
import { createRequest, type Reply, type Request } from '../../web/http/message.ts'
import { developerPage, htmlReply } from '../../web/http/plain-reply.ts'

/** Answers requests for pages of the studio; null while it is not available. */
export type AskStudio = (request: Request) => Promise<Reply | null> | Reply | null

/** What a page of the studio prints where the content belongs. */
const PLACE = '<div data-content></div>'

/** The plain page loads nothing from other hosts, except a mail in a frame. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const STYLE =
  '<style>iframe { width: 100%; height: 32rem; border: 1px solid var(--line); border-radius: 8px; background: #fff } td { vertical-align: top; overflow-wrap: anywhere } th { text-align: left; font-weight: 400; color: var(--quiet); padding: .35rem 1rem .35rem 0; vertical-align: top; white-space: nowrap } pre { white-space: pre-wrap; overflow-wrap: anywhere } button.file { display: none }</style>'

/**
 * Answers with the studio's page with a content in it, or with a plain page.
 * @param url address of the page of the studio
 * @param body HTML
 */
export async function studioPage(
  request: Request,
  studio: AskStudio,
  url: string,
  title: string,
  body: string,
): Promise<Reply> {
  const reply = await studio(createRequest({ ...request, method: 'GET', url, body: null }))
  if (reply?.status === 200 && typeof reply.body === 'string' && reply.body.includes(PLACE))
    return { ...reply, body: reply.body.replace(PLACE, () => body) }
  const { status, headers, body: text } = htmlReply(200, developerPage(title, `${STYLE}${body}`))
  return {
    status,
    headers: {
      ...headers,
      'cache-control': 'no-store',
      'content-security-policy': PAGE_POLICY,
      'x-frame-options': 'DENY',
    },
    body: text,
  }
}
