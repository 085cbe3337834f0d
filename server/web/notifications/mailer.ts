/** Sends emails to an SMTP server over one connection per thread, or returns their bytes. */
import type { SendMailOptions } from 'nodemailer'
import { errorCodeOf } from '../../core/error-code.ts'
import { type Address, DeliveryFault, type Mail, type Mailer, type RefusedRecipient } from './model.ts'

/** Timeouts in milliseconds. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

export interface MailerOptions {
  /**
   * `smtp://user:password@host:587`, `smtps://…`; the query may contain options of nodemailer, such as
   * `tls.rejectUnauthorized=false`.
   */
  readonly url: string
  readonly timeouts?: Partial<typeof TIMEOUTS>
}

/** Creates a mailer. The library is loaded with the first email. */
export function createMailer({ url, timeouts }: MailerOptions): Mailer {
  let transport: ReturnType<typeof openTransport> | null = null
  return {
    async send(mail, only) {
      transport ??= openTransport(url, { ...TIMEOUTS, ...timeouts })
      const openedTransport = await transport
      const envelope = only === null ? {} : { envelope: { from: mail.from.address, to: [...only] } }
      try {
        const result = await openedTransport.sendMail({ ...toMessage(mail), ...envelope })
        const { accepted, rejected, rejectedErrors, response } = result
        const refusedRecipients = (rejected ?? []).map((each) =>
          toRefusedRecipient(addressToText(each), rejectedErrors ?? []),
        )
        return { acceptedRecipients: accepted.map(addressToText), refusedRecipients, response }
      } catch (error) {
        throw toDeliveryFault(error)
      }
    },
    close() {
      // Emails that wait for the transport receive the failure. A transport that never opened needs no closing.
      void transport?.then((opened) => opened.close()).catch(() => undefined)
    },
  }
}

/**
 * Connects to an SMTP server and signs in without sending anything.
 * @throws Error when that is not possible
 */
export async function checkMailServer(url: string): Promise<void> {
  const transport = await openTransport(url, { ...TIMEOUTS, connectionTimeout: 5_000, greetingTimeout: 5_000 })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

async function openTransport(url: string, timeouts: typeof TIMEOUTS) {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    ...timeouts,
    ...(needsTls(url) ? { requireTLS: true } : {}),
    pool: true,
    maxConnections: 1,
    idleTimeout: 20_000,
    // After a lost connection, the server may already have accepted the email, so the job decides whether to retry.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // The sender receives the error. Without this listener, the error would end the process.
  transport.on('error', () => undefined)
  return transport
}

/**
 * Returns whether TLS is required. Passwords are only sent over TLS to other machines, unless the URL says otherwise.
 */
function needsTls(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, hostname, searchParams } = new URL(text)
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname)
  return username !== '' && !isLocal && !searchParams.has('requireTLS') && !searchParams.has('ignoreTLS')
}

/** Returns the bytes of an email as a server receives them, without blind copies. */
export async function renderMail(mail: Mail): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const { message } = await transport.sendMail(toMessage(mail))
  if (!Buffer.isBuffer(message)) throw new TypeError('the bytes of a mail came as a stream')
  return message
}

function toMessage(mail: Mail): SendMailOptions {
  const { subject, html, text, headers, messageId } = mail
  return {
    from: toNodemailerAddress(mail.from),
    to: mail.to.map(toNodemailerAddress),
    cc: mail.cc.map(toNodemailerAddress),
    bcc: mail.bcc.map(toNodemailerAddress),
    replyTo: mail.replyTo.map(toNodemailerAddress),
    subject,
    html,
    text,
    // The values are already ASCII, and their readers do not decode encoded words.
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

function toNodemailerAddress({ name, address }: Address): { name: string; address: string } {
  return { name, address }
}

function addressToText(address: string | { readonly address: string }): string {
  return typeof address === 'string' ? address : address.address
}

function toRefusedRecipient(
  address: string,
  errors: readonly { readonly recipient?: unknown; readonly responseCode?: unknown; readonly response?: unknown }[],
): RefusedRecipient {
  const error = errors.find(({ recipient }) => recipient === address)
  const reason = typeof error?.response === 'string' ? error.response.trim() : 'no reason given'
  const code = typeof error?.responseCode === 'number' ? error.responseCode : 0
  return { address, reason, isTemporary: code >= 400 && code < 500 }
}

/**
 * Error codes that are permanent: problems of the email, the recipient or the credentials. All others may be temporary.
 */
const PERMANENT_CODES: ReadonlySet<string> = new Set(['EAUTH', 'ENOAUTH', 'ECONFIG', 'EMAXRECIPIENTS', 'EREQUIRETLS'])

function toDeliveryFault(error: unknown): DeliveryFault {
  if (!(error instanceof Error)) return new DeliveryFault(`the mail server failed: ${String(error)}`, 'temporary')
  const code = errorCodeOf(error) ?? ''
  const status = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0
  // Without status codes for single recipients, a refusal is only permanent if the server refused all of them with 5xx.
  const isPermanent =
    status >= 500 || (status === 0 && code === 'EENVELOPE') || (status < 400 && PERMANENT_CODES.has(code))
  const fault = new DeliveryFault(
    `the mail server did not accept the email: ${error.message.trim()}`,
    isPermanent ? 'permanent' : 'temporary',
  )
  fault.cause = error
  return fault
}
