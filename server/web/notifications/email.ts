/** Builds mails: from a template or given directly, up to a message that is ready to send. */
import type { PlainEmail } from '../../../runtime/data/jobs.ts'
import type { EmailEntry, Scope } from '../../../runtime/page/site.ts'
import { entries, isHash } from '../../../runtime/page/values/hash.ts'
import { Safe } from '../../../runtime/page/values/safe.ts'
import type { DeliverySettings, Environment } from '../../core/settings.ts'
import { textOfHtml } from './html-text.ts'
import { type Address, type Attachment, DeliveryFault, type Mail, type TemplateLocation, locationOf } from './model.ts'
import type { PreparedNotification } from './prepare.ts'
import { addressesOf, oneLine, written } from './recipients.ts'
import { readSource, type SourceReader } from './sources.ts'

/** Most attachments, and their total size in bytes. */
const FILES = 9
const FILE_BYTES = 20_000_000
/** Longest subject in characters. */
const SUBJECT = 1_000

export interface MailFacts {
  readonly environment: Environment
  readonly delivery: DeliverySettings
  /** Determines the message's id; the same for all attempts. */
  readonly key: string
}

/**
 * Builds the mail of a template.
 * @throws LiquidFault, DeliveryFault
 */
export async function emailOf(
  entry: EmailEntry,
  prepared: PreparedNotification,
  reader: SourceReader,
  facts: MailFacts,
): Promise<Mail> {
  const list = async (name: string, setting: EmailEntry['to']): Promise<readonly Address[]> => {
    const { addresses, invalid } = addressesOf(await prepared.data(setting))
    if (invalid !== null)
      throw new DeliveryFault(`'${invalid}' in '${name}' is no e-mail address`, 'permanent', locationOf(entry, name))
    return addresses
  }
  const to = await list('to', entry.to)
  // Recipients of copies alone are not enough.
  if (to.length === 0)
    throw new DeliveryFault("this e-mail has no recipient: its 'to' is blank", 'permanent', locationOf(entry, 'to'))
  const cc = await list('cc', entry.cc)
  const bcc = await list('bcc', entry.bcc)
  const [from = null] = await list('from', entry.from)
  const replyTo = await list('reply_to', entry.replyTo)
  const subject = await prepared.text(entry.subject)
  const headers = uniqueArgs(await prepared.data(entry.uniqueArgs), locationOf(entry, 'unique_args'))
  const html = await bodyOf(entry, prepared)
  const attachments = await attachmentsOf(
    await prepared.data(entry.attachments),
    reader,
    locationOf(entry, 'attachments'),
  )
  return finished({ to, cc, bcc, replyTo, subject, html, attachments, headers }, from, facts, entry)
}

/**
 * Builds a mail that was given directly.
 * @throws DeliveryFault
 */
export function plainEmailOf(email: PlainEmail, facts: MailFacts): Mail {
  const list = (name: string, value: unknown): readonly Address[] => {
    const { addresses, invalid } = addressesOf(value)
    if (invalid !== null) throw new DeliveryFault(`'${invalid}' in '${name}' is no e-mail address`, 'permanent')
    return addresses
  }
  const to = list('to', email.to)
  if (to.length === 0) throw new DeliveryFault('this e-mail has no recipient', 'permanent')
  const { subject, content: html } = email
  const more = { cc: list('cc', email.cc), bcc: list('bcc', email.bcc), replyTo: list('reply_to', email.replyTo) }
  const [from = null] = list('from', email.from)
  return finished({ to, ...more, subject, html, attachments: [], headers: {} }, from, facts, null)
}

function finished(
  mail: Omit<Mail, 'from' | 'text' | 'messageId'>,
  given: Address | null,
  { environment, delivery, key }: MailFacts,
  entry: EmailEntry | null,
): Mail {
  const from = given ?? addressesOf(delivery.from).addresses[0] ?? (environment === 'development' ? NOBODY : null)
  if (from === null) {
    const hint = delivery.from === null ? 'give it one, or set INGOT_MAIL_FROM' : 'INGOT_MAIL_FROM is no e-mail address'
    const location = entry === null ? null : locationOf(entry, 'from')
    throw new DeliveryFault(`this e-mail has no sender: ${hint}`, 'permanent', location)
  }
  const subject = oneLine(mail.subject).slice(0, SUBJECT).toWellFormed()
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const whole = { ...mail, from, subject, text: textOfHtml(mail.html), messageId: `${key}@${domain}` }
  return environment === 'staging' ? redirected(whole, delivery) : whole
}

const NOBODY: Address = { name: '', address: 'ingot@site.localhost' }

/** Where a staging server sends all mail; empty when INGOT_TEST_EMAIL is unset or no address. */
export function testAddresses({ testEmail }: DeliverySettings): readonly Address[] {
  return addressesOf(testEmail).addresses
}

/**
 * On a staging server, a mail goes to the test addresses, with the original recipients in its subject. Without test
 * addresses it is unchanged.
 */
function redirected(mail: Mail, delivery: DeliverySettings): Mail {
  const to = testAddresses(delivery)
  if (to.length === 0) return mail
  const meant = (['to', 'cc', 'bcc'] as const)
    .filter((name) => mail[name].length > 0)
    .map((name) => `${name}: ${mail[name].map(written).join(', ')}`)
  const subject = `${mail.subject} [${meant.join('; ')}]`.trim().slice(0, SUBJECT).toWellFormed()
  return { ...mail, to, cc: [], bcc: [], subject }
}

async function bodyOf(entry: EmailEntry, prepared: PreparedNotification): Promise<string> {
  const { render } = entry
  if (render === null) throw new DeliveryFault('this template was built with errors', 'permanent', locationOf(entry))
  const { r, scope } = await prepared.render('html')
  const body = await render(r, scope)
  const layout = typeof entry.layout === 'string' ? entry.layout : (await prepared.text(entry.layout)).trim()
  if (layout === '') return body
  const { layouts } = r.site
  const around = Object.hasOwn(layouts, layout) ? layouts[layout] : undefined
  if (around === undefined)
    throw new DeliveryFault(`can't find layout ${layout}`, 'missing', locationOf(entry, 'layout'))
  const inner: Scope = { ...scope, content_for_layout: new Safe(body) }
  return around.render(r, inner)
}

/** The entries of a setting: a map, or the JSON text of one. */
export function mapOf(value: unknown, name: string, location: TemplateLocation): readonly [string, unknown][] {
  const data = typeof value === 'string' ? parsed(value, name, location) : value
  if (data === null || data === undefined) return []
  if (!isHash(data)) throw new DeliveryFault(`'${name}' must be a map, or text of a JSON object`, 'permanent', location)
  return entries(data)
}

function parsed(text: string, name: string, location: TemplateLocation): unknown {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    throw new DeliveryFault(`'${name}' is no JSON object: ${oneLine(text).slice(0, 200)}`, 'permanent', location)
  }
}

// Mail services read these from one header with JSON. It is written in ASCII, with spaces at which long headers can be
// folded.
function uniqueArgs(value: unknown, location: TemplateLocation): Readonly<Record<string, string>> {
  const args = mapOf(value, 'unique_args', location)
  if (args.length === 0) return {}
  const text = args.map(([key, arg]) => `${JSON.stringify(key)}: ${JSON.stringify(arg ?? null)}`).join(', ')
  const ascii = text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return { 'X-SMTPAPI': `{"unique_args": {${ascii}}}` }
}

async function attachmentsOf(
  value: unknown,
  reader: SourceReader,
  location: TemplateLocation,
): Promise<readonly Attachment[]> {
  const wanted = mapOf(value, 'attachments', location)
  if (wanted.length > FILES) {
    throw new DeliveryFault(
      `an e-mail can bring ${FILES} files at the most, this has ${wanted.length}`,
      'permanent',
      location,
    )
  }
  const read: Attachment[] = []
  let left = FILE_BYTES
  for (const [given, source] of wanted) {
    const url = isHash(source) ? source['url'] : source
    if (typeof url !== 'string' || url.trim() === '') {
      throw new DeliveryFault(`the attachment '${oneLine(given)}' has no 'url'`, 'permanent', location)
    }
    const { type, bytes } = await withLocation(readSource(reader, url.trim(), left), location)
    left -= bytes.length
    const name = oneLine(given).replace(/[/\\]/g, '-').slice(0, 200) || 'file'
    const isInline = isHash(source) && (source['inline'] === true || source['inline'] === 'true')
    read.push({ name, type: plainType(type), bytes, cid: isInline ? encodeURIComponent(name) : null })
  }
  return read
}

function plainType(type: string): string {
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
