/** Builds emails that are ready to send, from a template or from given values. */
import type { PlainEmail } from '../../../runtime/data/jobs.ts'
import type { EmailEntry, Scope } from '../../../runtime/page/site.ts'
import { entries, isHash } from '../../../runtime/page/values/hash.ts'
import { Safe } from '../../../runtime/page/values/safe.ts'
import type { DeliverySettings, Environment } from '../../core/settings.ts'
import { htmlToText } from './html-text.ts'
import {
  type Address,
  type Attachment,
  DeliveryFault,
  type Mail,
  type TemplateLocation,
  settingLocation,
} from './model.ts'
import type { PreparedNotification } from './prepare.ts'
import { parseAddresses, oneLine, formatAddress } from './addresses.ts'
import { readSource, type SourceReader } from './read-attachment.ts'

/** Maximum number of attachments, and their maximum total size in bytes. */
const MAX_ATTACHMENTS = 9
const MAX_FILE_BYTES = 20_000_000
/** Maximum length of a subject in characters. */
const MAX_SUBJECT = 1_000

/** The context in which an email is built. */
export interface MailContext {
  readonly environment: Environment
  readonly delivery: DeliverySettings
  /** Key from which the Message-ID is made. It is the same for all attempts. */
  readonly key: string
}

/**
 * Builds the email of a template.
 * @throws LiquidFault, DeliveryFault
 */
export async function buildEmail(
  entry: EmailEntry,
  prepared: PreparedNotification,
  reader: SourceReader,
  mailContext: MailContext,
): Promise<Mail> {
  const readAddresses = async (name: string, setting: EmailEntry['to']): Promise<readonly Address[]> => {
    const { addresses, invalid } = parseAddresses(await prepared.data(setting))
    if (invalid !== null)
      throw new DeliveryFault(
        `'${invalid}' in '${name}' is not an email address`,
        'permanent',
        settingLocation(entry, name),
      )
    return addresses
  }
  const to = await readAddresses('to', entry.to)
  // An email needs at least one recipient in `to`.
  if (to.length === 0)
    throw new DeliveryFault("this email has no recipient: its 'to' is blank", 'permanent', settingLocation(entry, 'to'))
  const cc = await readAddresses('cc', entry.cc)
  const bcc = await readAddresses('bcc', entry.bcc)
  const [from = null] = await readAddresses('from', entry.from)
  const replyTo = await readAddresses('reply_to', entry.replyTo)
  const subject = await prepared.text(entry.subject)
  const headers = uniqueArgs(await prepared.data(entry.uniqueArgs), settingLocation(entry, 'unique_args'))
  const html = await renderBody(entry, prepared)
  const attachments = await readAttachments(
    await prepared.data(entry.attachments),
    reader,
    settingLocation(entry, 'attachments'),
  )
  return completeMail({ to, cc, bcc, replyTo, subject, html, attachments, headers }, from, mailContext, entry)
}

/**
 * Builds an email from given values, without a template.
 * @throws DeliveryFault
 */
export function buildPlainEmail(email: PlainEmail, mailContext: MailContext): Mail {
  const readAddresses = (name: string, value: unknown): readonly Address[] => {
    const { addresses, invalid } = parseAddresses(value)
    if (invalid !== null) throw new DeliveryFault(`'${invalid}' in '${name}' is not an email address`, 'permanent')
    return addresses
  }
  const to = readAddresses('to', email.to)
  if (to.length === 0) throw new DeliveryFault('this email has no recipient', 'permanent')
  const { subject, content: html } = email
  const copies = {
    cc: readAddresses('cc', email.cc),
    bcc: readAddresses('bcc', email.bcc),
    replyTo: readAddresses('reply_to', email.replyTo),
  }
  const [from = null] = readAddresses('from', email.from)
  return completeMail({ to, ...copies, subject, html, attachments: [], headers: {} }, from, mailContext, null)
}

function completeMail(
  mail: Omit<Mail, 'from' | 'text' | 'messageId'>,
  sender: Address | null,
  { environment, delivery, key }: MailContext,
  entry: EmailEntry | null,
): Mail {
  const from =
    sender ?? parseAddresses(delivery.from).addresses[0] ?? (environment === 'development' ? DEVELOPMENT_SENDER : null)
  if (from === null) {
    const hint = delivery.from === null ? 'set `from` or INGOT_MAIL_FROM' : 'INGOT_MAIL_FROM is not an email address'
    const location = entry === null ? null : settingLocation(entry, 'from')
    throw new DeliveryFault(`this email has no sender: ${hint}`, 'permanent', location)
  }
  const subject = oneLine(mail.subject).slice(0, MAX_SUBJECT).toWellFormed()
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const readyMail = { ...mail, from, subject, text: htmlToText(mail.html), messageId: `${key}@${domain}` }
  return environment === 'staging' ? redirectToTestAddresses(readyMail, delivery) : readyMail
}

const DEVELOPMENT_SENDER: Address = { name: '', address: 'ingot@site.localhost' }

/** Returns the addresses that a staging server sends all emails to. Empty when INGOT_TEST_EMAIL is unset or invalid. */
export function testAddresses({ testEmail }: DeliverySettings): readonly Address[] {
  return parseAddresses(testEmail).addresses
}

/**
 * Redirects an email to the test addresses. The subject lists the original recipients. Without test addresses, the
 * email is unchanged.
 */
function redirectToTestAddresses(mail: Mail, delivery: DeliverySettings): Mail {
  const to = testAddresses(delivery)
  if (to.length === 0) return mail
  const originalRecipients = (['to', 'cc', 'bcc'] as const)
    .filter((name) => mail[name].length > 0)
    .map((name) => `${name}: ${mail[name].map(formatAddress).join(', ')}`)
  const subject = `${mail.subject} [${originalRecipients.join('; ')}]`.trim().slice(0, MAX_SUBJECT).toWellFormed()
  return { ...mail, to, cc: [], bcc: [], subject }
}

async function renderBody(entry: EmailEntry, prepared: PreparedNotification): Promise<string> {
  const { render } = entry
  if (render === null)
    throw new DeliveryFault('this template was built with errors', 'permanent', settingLocation(entry))
  const { r, scope } = await prepared.render('html')
  const body = await render(r, scope)
  const layout = typeof entry.layout === 'string' ? entry.layout : (await prepared.text(entry.layout)).trim()
  if (layout === '') return body
  const { layouts } = r.site
  const layoutEntry = Object.hasOwn(layouts, layout) ? layouts[layout] : undefined
  if (layoutEntry === undefined)
    throw new DeliveryFault(`can't find layout ${layout}`, 'missing', settingLocation(entry, 'layout'))
  const layoutScope: Scope = { ...scope, content_for_layout: new Safe(body) }
  return layoutEntry.render(r, layoutScope)
}

/** Returns the entries of a setting that is a map or JSON text of an object. */
export function readMap(value: unknown, name: string, location: TemplateLocation): readonly [string, unknown][] {
  const data = typeof value === 'string' ? parseJson(value, name, location) : value
  if (data === null || data === undefined) return []
  if (!isHash(data)) throw new DeliveryFault(`'${name}' must be a map, or text of a JSON object`, 'permanent', location)
  return entries(data)
}

function parseJson(text: string, name: string, location: TemplateLocation): unknown {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    throw new DeliveryFault(`'${name}' is not a JSON object: ${oneLine(text).slice(0, 200)}`, 'permanent', location)
  }
}

// Returns the header with the unique arguments. Mail services expect JSON in one header. It is ASCII with spaces at
// which long headers can be folded.
function uniqueArgs(value: unknown, location: TemplateLocation): Readonly<Record<string, string>> {
  const args = readMap(value, 'unique_args', location)
  if (args.length === 0) return {}
  const text = args.map(([key, arg]) => `${JSON.stringify(key)}: ${JSON.stringify(arg ?? null)}`).join(', ')
  const ascii = text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return { 'X-SMTPAPI': `{"unique_args": {${ascii}}}` }
}

async function readAttachments(
  value: unknown,
  reader: SourceReader,
  location: TemplateLocation,
): Promise<readonly Attachment[]> {
  const attachmentMap = readMap(value, 'attachments', location)
  if (attachmentMap.length > MAX_ATTACHMENTS) {
    throw new DeliveryFault(
      `an email can have at most ${MAX_ATTACHMENTS} attachments, this email has ${attachmentMap.length}`,
      'permanent',
      location,
    )
  }
  const attachments: Attachment[] = []
  let remaining = MAX_FILE_BYTES
  for (const [attachmentName, source] of attachmentMap) {
    const url = isHash(source) ? source['url'] : source
    if (typeof url !== 'string' || url.trim() === '') {
      throw new DeliveryFault(`the attachment '${oneLine(attachmentName)}' has no 'url'`, 'permanent', location)
    }
    const { type, bytes } = await withLocation(readSource(reader, url.trim(), remaining), location)
    remaining -= bytes.length
    const name = oneLine(attachmentName).replace(/[/\\]/g, '-').slice(0, 200) || 'file'
    const isInline = isHash(source) && (source['inline'] === true || source['inline'] === 'true')
    attachments.push({ name, type: baseMediaType(type), bytes, cid: isInline ? encodeURIComponent(name) : null })
  }
  return attachments
}

function baseMediaType(type: string): string {
  return /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0] ?? 'application/octet-stream'
}

/** Adds the template's location to faults. */
export async function withLocation<T>(task: Promise<T>, location: TemplateLocation | null): Promise<T> {
  try {
    return await task
  } catch (error) {
    if (error instanceof DeliveryFault && error.file === null && location !== null) Object.assign(error, location)
    throw error
  }
}
