/**
 * The outbox of a site in development: pages at `/_ingot/outbox` with the mails and text messages that would have been sent.
 */
import { fileHeaders } from '../../web/files/disposition.ts'
import { isFromHere } from '../../web/http/forwarded.ts'
import type { Reply, Request } from '../../web/http/message.ts'
import { html, htmlReply, plainReply } from '../../web/http/plain-reply.ts'
import { MAIL_POLICY } from '../studio/mail-policy.ts'
import { type AskStudio, studioPage } from './studio-frame.ts'
import {
  type StoredMessage,
  type StoredMail,
  readMessage,
  readMessageFile,
  readOutbox,
} from '../../web/notifications/outbox.ts'

/** Path of the outbox pages. @internal Exported for tests. */
export const OUTBOX = '/_ingot/outbox'

export interface OutboxPage {
  /**
   * Answers requests below its path; returns null for all others.
   * @param studio answers requests for pages of the studio, which frames the messages. Without it, or while it is not available, they have a plain page.
   */
  answer(request: Request, studio?: AskStudio): Promise<Reply | null>
}

/** Creates the pages. @param folder the folder that `createOutbox` writes to */
export function createOutboxPage(folder: string): OutboxPage {
  async function showMessage(id: string, part: string, page: ShowPage): Promise<Reply> {
    const keptMessage = await readMessage(folder, id)
    if (keptMessage === null)
      return plainReply(404, 'html', 'The message may have been deleted, because only the latest messages are kept')
    if (part === '')
      return page(keptMessage.channel === 'sms' ? 'Text' : formatSubject(keptMessage.subject), message(id, keptMessage))
    if (keptMessage.channel === 'sms') return plainReply(404, 'html')
    if (part === 'html') return mail(id, keptMessage)
    if (part === 'message.eml')
      return file(await readMessageFile(folder, id, 'message'), 'message.eml', 'message/rfc822')
    const [, number] = /^attachment\/(\d{1,2})$/.exec(part) ?? []
    const at = Number(number) - 1
    const attachment = number === undefined ? undefined : keptMessage.attachments[at]
    if (attachment === undefined) return plainReply(404, 'html')
    return file(await readMessageFile(folder, id, at), attachment.name, attachment.type)
  }

  return {
    async answer(request, studio = () => null) {
      const path = request.path
      if (path !== OUTBOX && !path.startsWith(`${OUTBOX}/`)) return null
      if (!isFromHere(request)) {
        return plainReply(403, 'html', 'The outbox is available only on the machine of the developer')
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') return plainReply(404, 'html')
      const page: ShowPage = (title, body) => studioPage(request, studio, OUTBOX, title, body)
      const below = path.slice(OUTBOX.length + 1)
      if (below === '') return page('Outbox', list(await readOutbox(folder)))
      const slash = below.indexOf('/')
      return slash < 0 ? showMessage(below, '', page) : showMessage(below.slice(0, slash), below.slice(slash + 1), page)
    },
  }
}

/** Answers with a page. @param body HTML */
type ShowPage = (title: string, body: string) => Promise<Reply>

function list(all: readonly { readonly id: string; readonly kept: StoredMessage }[]): string {
  if (all.length === 0) {
    return '<h1>Outbox</h1><p class="none">No messages were sent yet. Mails and texts of a site in development are kept here, unless <code>INGOT_SMTP_URL</code> or <code>INGOT_SMS_URL</code> is set.</p>'
  }
  const rows = all.map(({ id, kept }) => {
    const [to, what] = kept.channel === 'sms' ? [kept.to, kept.content] : [recipients(kept).join(', '), kept.subject]
    const link = `<a href="${OUTBOX}/${html(id)}">${html(formatSubject(what).slice(0, 200))}</a>`
    return `<tr><td>${time(kept)}</td><td>${kept.channel === 'sms' ? 'text' : 'mail'}</td><td>${html(to.slice(0, 500))}</td><td>${link}</td></tr>`
  })
  return `<h1>Outbox</h1>${table('Messages', '<thead><tr><th scope="col">When</th><th scope="col">Kind</th><th scope="col">To</th><th scope="col">Subject</th></tr></thead>', rows)}`
}

function table(name: string, head: string, rows: readonly string[]): string {
  return `<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table>${head}<tbody>${rows.join('')}</tbody></table></div>`
}

/** Returns the subject, or a placeholder, because an empty title or link is unusable. */
function formatSubject(subject: string): string {
  return subject.trim() === '' ? '(no subject)' : subject
}

function recipients({ to, cc, bcc }: StoredMail): readonly string[] {
  return [...to, ...cc, ...bcc]
}

function time({ date }: StoredMessage): string {
  return `<time datetime="${html(date)}">${html(date.slice(0, 19).replace('T', ' '))}</time>`
}

function message(id: string, keptMessage: StoredMessage): string {
  const back = `<p class="quiet crumbs"><a href="${OUTBOX}">Outbox</a></p>`
  if (keptMessage.channel === 'sms') {
    return `${back}<h1>Text to ${html(keptMessage.to)}</h1><p class="quiet">${time(keptMessage)}</p><h2>Text</h2><pre>${html(keptMessage.content)}</pre>`
  }
  const own = `${OUTBOX}/${html(id)}`
  const { subject, from, to, cc, bcc, replyTo, messageId, headers, text, attachments } = keptMessage
  const fields: readonly (readonly [string, string])[] = [
    ['From', from],
    ['To', to.join(', ')],
    ['Cc', cc.join(', ')],
    ['Bcc', bcc.join(', ')],
    ['Reply-To', replyTo.join(', ')],
    ['Message-ID', `<${messageId}>`],
    ...Object.entries(headers),
  ]
  const rows = fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<tr><th scope="row">${html(name)}</th><td>${html(value)}</td></tr>`)
  const files = attachments.map(
    ({ name, type, size, cid }, at) =>
      `<tr><td><a href="${own}/attachment/${at + 1}">${html(name)}</a></td><td>${html(type)}</td><td>${size} bytes</td><td>${cid === null ? '' : 'shown in the mail'}</td></tr>`,
  )
  return `${back}<h1>${html(formatSubject(subject))}</h1><p class="quiet">${time(keptMessage)} · <a href="${own}/message.eml">as a file</a></p>
${table('Facts', '', rows)}
<h2>HTML</h2><iframe class="mail" title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox" src="${own}/html"></iframe>
<h2>Text</h2><pre>${html(text)}</pre>
${files.length === 0 ? '' : `<h2>Attachments</h2>${table('Attachments', '', files)}`}`
}

/** Shows the HTML of a mail as its recipient sees it. */
function mail(id: string, { html: body, attachments }: StoredMail): Reply {
  const numbers = new Map(attachments.flatMap(({ cid }, at) => (cid === null ? [] : [[cid, at + 1] as const])))
  const content = body.replace(/\bcid:([\w.%~!*'()-]{1,600})/g, (match, cid: string) => {
    const at = numbers.get(cid)
    return at === undefined ? match : `${OUTBOX}/${id}/attachment/${at}`
  })
  const { status, headers } = htmlReply(200, '')
  return {
    status,
    headers: {
      ...headers,
      'cache-control': 'no-store',
      'content-security-policy': MAIL_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
    // Links open in a new tab, because pages do not work in a frame without an origin.
    body: `<!doctype html><base target="_blank">${content}`,
  }
}

function file(bytes: Buffer | null, name: string, type: string): Reply {
  if (bytes === null) return plainReply(404, 'html')
  return { status: 200, headers: fileHeaders(name, type, null), body: new Uint8Array(bytes) }
}
