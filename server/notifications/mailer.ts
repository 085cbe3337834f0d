/** Hands mails to an SMTP server, over one connection a thread; or makes their bytes. */
import type { SendMailOptions } from 'nodemailer'
import { type Address, DeliveryFault, type Mail, type Mailer, type RefusedRecipient } from './model.ts'

/** Milliseconds for a connection, for the greeting, and for a server that says nothing. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

export interface MailerOptions {
  /** `smtp://user:password@host:587`, `smtps://…`; its query may hold options of nodemailer, such as `tls.rejectUnauthorized=false`. */
  readonly url: string
  readonly patience?: Partial<typeof PATIENCE>
}

/** The library is loaded with the first mail. */
export function createMailer({ url, patience }: MailerOptions): Mailer {
  let transport: ReturnType<typeof openTransport> | null = null
  return {
    async send(mail, only) {
      transport ??= openTransport(url, { ...PATIENCE, ...patience })
      const opened = await transport
      const envelope = only === null ? {} : { envelope: { from: mail.from.address, to: [...only] } }
      try {
        const sent = await opened.sendMail({ ...messageOf(mail), ...envelope })
        const { accepted, rejected, rejectedErrors, response } = sent
        const refused = (rejected ?? []).map((each) => refusalOf(addressText(each), rejectedErrors ?? []))
        return { accepted: accepted.map(addressText), refused, response }
      } catch (error) {
        throw faultOf(error)
      }
    },
    close() {
      // Each mail that waits for the transport gets the failure; one that was never opened needs no closing.
      void transport?.then((opened) => opened.close()).catch(() => undefined)
    },
  }
}

async function openTransport(url: string, patience: typeof PATIENCE) {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    ...patience,
    ...(needsTls(url) ? { requireTLS: true } : {}),
    pool: true,
    maxConnections: 1,
    idleTimeout: 20_000,
    // A server that left after it had taken a mail must not be given it again from here: the job decides.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // Whoever sends hears of it; nobody else is to be stopped by it.
  transport.on('error', () => undefined)
  return transport
}

/** Passwords go to another machine in secret, unless the URL says otherwise. */
function needsTls(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, hostname, searchParams } = new URL(text)
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname)
  return username !== '' && !isHere && !searchParams.has('requireTLS') && !searchParams.has('ignoreTLS')
}

/** The bytes of a mail, as a server would take them; blind copies are not in them. */
export async function rawMail(mail: Mail): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const { message } = await transport.sendMail(messageOf(mail))
  if (!Buffer.isBuffer(message)) throw new TypeError('the bytes of a mail came as a stream')
  return message
}

function messageOf(mail: Mail): SendMailOptions {
  const { subject, html, text, headers, messageId } = mail
  return {
    from: addressOf(mail.from),
    to: mail.to.map(addressOf),
    cc: mail.cc.map(addressOf),
    bcc: mail.bcc.map(addressOf),
    replyTo: mail.replyTo.map(addressOf),
    subject,
    html,
    text,
    // They are ASCII already: nobody who reads them decodes words.
    headers: Object.entries(headers).map(([key, value]) => ({
      key,
      value: { prepared: true, foldLines: true, value },
    })),
    messageId: `<${messageId}>`,
    attachments: mail.attachments.map(({ name, type, bytes, cid }) => ({
      filename: name,
      contentType: type,
      content: bytes,
      ...(cid === null ? {} : { cid, contentDisposition: 'inline' as const }),
    })),
  }
}

function addressOf({ name, address }: Address): { name: string; address: string } {
  return { name, address }
}

function addressText(address: string | { readonly address: string }): string {
  return typeof address === 'string' ? address : address.address
}

function refusalOf(
  address: string,
  errors: readonly { readonly recipient?: unknown; readonly responseCode?: unknown; readonly response?: unknown }[],
): RefusedRecipient {
  const error = errors.find(({ recipient }) => recipient === address)
  const reason = typeof error?.response === 'string' ? error.response.trim() : 'it gave no reason'
  const code = typeof error?.responseCode === 'number' ? error.responseCode : 0
  return { address, reason, later: code >= 400 && code < 500 }
}

/** What is wrong with a mail, a recipient or a password stays wrong; everything else may pass. */
const LASTING: ReadonlySet<string> = new Set(['EAUTH', 'ENOAUTH', 'ECONFIG', 'EMAXRECIPIENTS', 'EREQUIRETLS'])

function faultOf(error: unknown): DeliveryFault {
  if (!(error instanceof Error)) return new DeliveryFault(`the mail server failed: ${String(error)}`, 'temporary')
  const code = 'code' in error ? String(error.code) : ''
  const said = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0
  // A server that names no recipient at all has refused them for good only where it says 5xx of every one.
  const lasting = said >= 500 || (said === 0 && code === 'EENVELOPE') || (said < 400 && LASTING.has(code))
  const fault = new DeliveryFault(
    `the mail server did not take it: ${error.message.trim()}`,
    lasting ? 'permanent' : 'temporary',
  )
  fault.cause = error
  return fault
}
