/** Sends mails to an SMTP server over one connection for each thread, or returns their bytes. */
import type { SendMailOptions } from 'nodemailer'
import { codeOf } from '../../core/error-code.ts'
import { type Address, DeliveryFault, type Mail, type Mailer, type RefusedRecipient } from './model.ts'

/** Timeouts in milliseconds. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

export interface MailerOptions {
  /**
   * `smtp://user:password@host:587`, `smtps://…`; the query may contain options of nodemailer, such as
   * `tls.rejectUnauthorized=false`.
   */
  readonly url: string
  readonly patience?: Partial<typeof TIMEOUTS>
}

/** Creates a mailer; the library is loaded with the first mail. */
export function createMailer({ url, patience }: MailerOptions): Mailer {
  let transport: ReturnType<typeof openTransport> | null = null
  return {
    async send(mail, only) {
      transport ??= openTransport(url, { ...TIMEOUTS, ...patience })
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
      // Mails that wait for the transport get the failure; a transport that never opened needs no closing.
      void transport?.then((opened) => opened.close()).catch(() => undefined)
    },
  }
}

/**
 * Connects to an SMTP server and signs in, without sending.
 * @throws Error where that is not possible
 */
export async function checkMailServer(url: string): Promise<void> {
  const transport = await openTransport(url, { ...TIMEOUTS, connectionTimeout: 5_000, greetingTimeout: 5_000 })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

async function openTransport(url: string, patience: typeof TIMEOUTS) {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    ...patience,
    ...(needsTls(url) ? { requireTLS: true } : {}),
    pool: true,
    maxConnections: 1,
    idleTimeout: 20_000,
    // After a lost connection the server may already have accepted the mail; the job decides whether to retry.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // The sender receives the error; without a listener it would end the process.
  transport.on('error', () => undefined)
  return transport
}

/** Passwords are sent only over TLS to other machines, unless the URL says otherwise. */
function needsTls(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, hostname, searchParams } = new URL(text)
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname)
  return username !== '' && !isHere && !searchParams.has('requireTLS') && !searchParams.has('ignoreTLS')
}

/** The bytes of a mail as a server receives them, without blind copies. */
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
    // These values are already ASCII, and their readers do not decode encoded words.
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

/** Errors in a mail, a recipient or the credentials are permanent; all others may be temporary. */
const LASTING: ReadonlySet<string> = new Set(['EAUTH', 'ENOAUTH', 'ECONFIG', 'EMAXRECIPIENTS', 'EREQUIRETLS'])

function faultOf(error: unknown): DeliveryFault {
  if (!(error instanceof Error)) return new DeliveryFault(`the mail server failed: ${String(error)}`, 'temporary')
  const code = codeOf(error) ?? ''
  const status = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0
  // Without a code for single recipients, the refusal is permanent only if the server answered 5xx for all.
  const lasting = status >= 500 || (status === 0 && code === 'EENVELOPE') || (status < 400 && LASTING.has(code))
  const fault = new DeliveryFault(
    `the mail server did not take it: ${error.message.trim()}`,
    lasting ? 'permanent' : 'temporary',
  )
  fault.cause = error
  return fault
}
