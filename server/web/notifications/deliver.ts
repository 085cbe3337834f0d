/**
 * Delivers the notification of a job. The notification is rendered now, with the language and the condition of its
 * template. A successful delivery is recorded and is not repeated when the job is retried. If the process stops between
 * sending and recording, it is sent again. Then emails have the same Message-ID, and text messages the same
 * Idempotency-Key.
 */
import { createHash } from 'node:crypto'
import type { Channel } from '../../../runtime/data/jobs.ts'
import type { ApiCall } from '../../../runtime/data/query/effects.ts'
import { asFault, type Render } from '../../../runtime/page/render.ts'
import type { LogPort } from '../../../runtime/page/services.ts'
import type { ApiCallEntry, CompiledSite, Setting } from '../../../runtime/page/site.ts'
import { type HashValue, isHash } from '../../../runtime/page/values/hash.ts'
import { toJson } from '../../../runtime/page/values/json.ts'
import { type ApiResponse, buildApiCall, makeCall } from './api-call.ts'
import { buildEmail, buildPlainEmail, testAddresses } from './email.ts'
import {
  DeliveryFault,
  type DeliveryJob,
  type DeliveryTask,
  type Mail,
  type Notifications,
  type RefusedRecipient,
  type SentRecord,
  type TemplateLocation,
  settingLocation,
} from './model.ts'
import { type PreparedNotification, prepare } from './prepare.ts'
import { formatAddress } from './addresses.ts'
import { buildPlainSms, type Sms, sendSms, buildSmses } from './sms.ts'
import type { SourceReader } from './read-attachment.ts'

/** Timeouts in milliseconds: of an API call in a job, and of each file that it sends. */
export const JOB_CALL_TIMEOUT = 8_000
const FILE_TIMEOUT = 20_000
/**
 * Maximum length in characters of a response that is stored completely. The callback may have to run again with the
 * response.
 */
const MAX_STORED_RESPONSE = 90_000

type TemplateTask = Extract<DeliveryTask, { readonly kind: 'notification' }>

/**
 * Delivers a notification. A disabled template or an unmet trigger condition counts as success.
 * @throws DeliveryFault, whose `kind` says whether a retry may help, and LiquidFault from templates
 */
export async function deliver(notifications: Notifications, task: DeliveryTask, job: DeliveryJob): Promise<void> {
  const deliveryId = createDeliveryId(task, job)
  switch (task.kind) {
    case 'email': {
      const record = { channel: 'email', name: null, deliveryId } as const
      return withRecord(notifications, record, async (note) => {
        const earlier = await notifications.deliveries.find(deliveryId)
        if (isDone(earlier)) return
        const { log } = job.render('txt').services
        await sendMail(notifications, buildPlainEmail(task.email, { ...notifications, key: deliveryId }), {
          earlier,
          note,
          log,
          location: null,
        })
      })
    }
    case 'sms': {
      const record = { channel: 'sms', name: null, deliveryId } as const
      return withRecord(notifications, record, async (note) => {
        if ((await notifications.deliveries.find(deliveryId)) === null)
          await sendText(notifications, await buildPlainSms(task.sms), deliveryId, note)
      })
    }
    case 'notification':
      return deliverTemplate(notifications, task, job, deliveryId)
  }
}

/**
 * Returns the id of the delivery. It is the same for all attempts of a job, and unique even when a recreated queue
 * numbers its jobs from 1 again.
 */
function createDeliveryId(task: DeliveryTask, job: DeliveryJob): string {
  return `${job.id}-${createHash('sha256').update(toJson(task)).digest('hex').slice(0, 24)}`
}

async function deliverTemplate(
  notifications: Notifications,
  task: TemplateTask,
  job: DeliveryJob,
  deliveryId: string,
): Promise<void> {
  const { channel, name } = task
  const record = { channel, name, deliveryId } as const
  const { site, context, services } = job.render('txt')
  let faults: readonly unknown[] = []
  await withRecord(notifications, record, async (note) => {
    const earlier = await notifications.deliveries.find(deliveryId)
    // Text messages to several numbers are recorded separately for each number.
    if (channel !== 'api_call' && isDone(earlier)) return
    const entry = findEntry(site, channel, name)
    const prepared = await prepare(
      entry,
      task.content,
      (format) => job.render(format),
      (why) => notifications.deliveries.skip({ channel, name, ...why }),
    )
    if (prepared === null) return
    const reader: SourceReader = {
      parts: notifications,
      assetSite: job.assetSite,
      host: siteHost(context),
      timeout: FILE_TIMEOUT,
    }
    switch (channel) {
      case 'email': {
        const mail = await buildEmail(site.emails[name]!, prepared, reader, { ...notifications, key: deliveryId })
        return sendMail(notifications, mail, {
          earlier,
          note,
          log: services.log,
          location: settingLocation(entry, 'to'),
        })
      }
      case 'sms':
        faults = await sendTexts(notifications, await buildSmses(site.smses[name]!, prepared), record)
        return
      case 'api_call':
        return callWithCallback(notifications, site.apiCalls[name]!, prepared, reader, { earlier, note })
    }
  })
  // A failure that a retry may fix takes precedence.
  const fault = faults.find((each) => !(each instanceof DeliveryFault && each.kind !== 'temporary')) ?? faults[0]
  if (fault !== undefined) throw fault
}

function findEntry(site: CompiledSite, channel: Channel, name: string): ReturnType<typeof entriesOfChannel>[string] {
  const entries = entriesOfChannel(site, channel)
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  if (entry === undefined) throw new DeliveryFault(`can't find ${CHANNEL_NOUNS[channel]} ${name}`, 'missing')
  return entry
}

/** Returns the notifications of one channel by name. */
export function entriesOfChannel(site: CompiledSite, channel: Channel): CompiledSite['emails' | 'smses' | 'apiCalls'] {
  switch (channel) {
    case 'email':
      return site.emails
    case 'sms':
      return site.smses
    case 'api_call':
      return site.apiCalls
  }
}

/** Nouns for the templates of each channel, for messages. */
export const CHANNEL_NOUNS: Readonly<Record<Channel, string>> = { email: 'email', sms: 'sms', api_call: 'API call' }

function siteHost(context: Render['context']): string {
  const location = context['location']
  const host = isHash(location) ? location['host'] : null
  return typeof host === 'string' ? host : ''
}

/** Records the content of a delivery before it is sent, and the options with the response after it. */
type RecordDelivery = (content: SentRecord['content'], options?: SentRecord['options']) => Promise<void>

/** Runs a delivery. A failure is recorded with the content that is known. */
async function withRecord(
  notifications: Notifications,
  record: Pick<SentRecord, 'channel' | 'name' | 'deliveryId'>,
  send: (note: RecordDelivery) => Promise<void>,
): Promise<void> {
  let lastContent: SentRecord['content'] = {}
  try {
    await send(async (content, options) => {
      lastContent = content
      if (options !== undefined) await notifications.deliveries.record({ ...record, content, options, error: null })
    })
  } catch (error) {
    const { message } = asFault(error)
    // A recorded success is kept, even when a later step fails.
    const delivered =
      record.deliveryId !== null && (await notifications.deliveries.find(record.deliveryId).catch(() => null)) !== null
    if (!delivered)
      await notifications.deliveries.record({ ...record, content: lastContent, options: {}, error: message })
    throw error
  }
}

/** The record of an earlier successful attempt. */
type EarlierDelivery = Awaited<ReturnType<Notifications['deliveries']['find']>>

interface Delivery {
  readonly earlier: EarlierDelivery
  readonly note: RecordDelivery
}

interface MailDelivery extends Delivery {
  readonly log: LogPort
  /** Location of the recipients in the template; null for an email without a template. */
  readonly location: TemplateLocation | null
}

/** Returns whether all recipients have received the message. */
function isDone(earlier: EarlierDelivery): boolean {
  return earlier !== null && stringList(earlier.options['deferred']).length === 0
}

function stringList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/**
 * Sends an email. When the server has deferred some recipients, a retry sends only to them. An email that cannot be
 * sent is recorded completely before it fails.
 */
async function sendMail(
  notifications: Notifications,
  mail: Mail,
  { earlier, note, log, location }: MailDelivery,
): Promise<void> {
  const content = mailContent(mail)
  await note(content)
  const { mailer, environment, delivery, outbox } = notifications
  if (environment === 'staging' && testAddresses(delivery).length === 0) {
    throw new DeliveryFault(
      'a staging server sends all mail to INGOT_TEST_EMAIL, which is not set',
      'permanent',
      location,
    )
  }
  const options = { message_id: `<${mail.messageId}>` }
  if (mailer !== null) {
    const earlierOptions = earlier === null ? {} : earlier.options
    const { acceptedRecipients, refusedRecipients, response } = await mailer.send(
      mail,
      earlier === null ? null : stringList(earlierOptions['deferred']),
    )
    const deferred = refusedRecipients.filter((each) => each.isTemporary)
    const rejected = refusedRecipients.filter((each) => !each.isTemporary)
    await note(content, {
      ...options,
      accepted: [...stringList(earlierOptions['accepted']), ...acceptedRecipients],
      rejected: [...stringList(earlierOptions['rejected']), ...rejected.map(({ address }) => address)],
      deferred: deferred.map(({ address }) => address),
      reasons: [...stringList(earlierOptions['reasons']), ...rejected.map(describeRefusal)],
      response,
    })
    if (rejected.length > 0) {
      const message = `the mail server permanently refused some recipients: ${rejected.map(describeRefusal).join('; ')}`
      const fault = new DeliveryFault(message, 'permanent', location)
      log.write({ message, type: 'error', env: 'all', file: fault.file ?? '', line: fault.line ?? 0, fault })
    }
    if (deferred.length > 0)
      throw new DeliveryFault(
        `the mail server temporarily refused some recipients: ${deferred.map(describeRefusal).join('; ')}`,
        'temporary',
      )
    return
  }
  if (environment !== 'development') {
    throw new DeliveryFault('emails cannot be sent: set INGOT_SMTP_URL', 'permanent')
  }
  await outbox.mail(mail)
  await note(content, { ...options, outbox: true })
}

function describeRefusal({ address, reason }: RefusedRecipient): string {
  return `${address}: ${reason}`
}

function mailContent(mail: Mail): SentRecord['content'] {
  return {
    from: formatAddress(mail.from),
    to: mail.to.map(formatAddress),
    cc: mail.cc.map(formatAddress),
    bcc: mail.bcc.map(formatAddress),
    reply_to: mail.replyTo.map(formatAddress),
    subject: mail.subject,
    body: mail.html,
    attachments: mail.attachments.map(({ name, type, bytes }) => ({ name, type, size: bytes.length })),
    headers: mail.headers,
  }
}

async function sendText(
  notifications: Notifications,
  sms: Sms,
  deliveryId: string | null,
  note: RecordDelivery,
): Promise<void> {
  await note({ ...sms })
  await note({ ...sms }, await sendSms(notifications, sms, deliveryId))
}

/**
 * Sends a text message to each number. A failure does not stop the others.
 * @returns the failures
 */
async function sendTexts(
  notifications: Notifications,
  messages: readonly Sms[],
  record: Pick<SentRecord, 'channel' | 'name' | 'deliveryId'>,
): Promise<readonly unknown[]> {
  const faults: unknown[] = []
  for (const sms of messages) {
    const deliveryId = messages.length === 1 ? record.deliveryId : `${record.deliveryId}-${sms.to}`
    try {
      if (deliveryId !== null && (await notifications.deliveries.find(deliveryId)) !== null) continue
      await withRecord(notifications, { ...record, deliveryId }, (note) =>
        sendText(notifications, sms, deliveryId, note),
      )
    } catch (error) {
      faults.push(error)
    }
  }
  return faults
}

/**
 * Makes a call and runs its callback. When the call succeeded and its callback failed, a retry runs only the callback.
 */
async function callWithCallback(
  notifications: Notifications,
  entry: ApiCallEntry,
  prepared: PreparedNotification,
  reader: SourceReader,
  { earlier, note }: Delivery,
): Promise<void> {
  const response = earlier === null ? await makeNewCall() : storedResponse(earlier.options, entry)
  if (response !== null && entry.callback !== null) await prepared.text(entry.callback, { response })

  async function makeNewCall(): Promise<ApiResponse> {
    const call = await buildApiCall(entry, prepared)
    const content = callContent(call)
    await note(content)
    const options = { timeout: JOB_CALL_TIMEOUT, verify: true }
    const apiResponse = await makeCall(notifications, call, options, reader, entry)
    await note(content, responseOptions(apiResponse, entry.callback))
    return apiResponse
  }
}

/** Returns the recorded content of a call. */
export function callContent({ url, method, headers, body }: ApiCall): SentRecord['content'] {
  return { to: url, request_type: method, headers, body }
}

/** Returns the recorded options of a response. The response is complete if a callback may need it again. */
export function responseOptions(response: ApiResponse, callback: Setting | null): SentRecord['options'] {
  const { status, headers, body } = response
  const isComplete = callback !== null && JSON.stringify(response).length <= MAX_STORED_RESPONSE
  return { response: { status, headers, body: isComplete ? body : body.slice(0, 1_000) }, whole: isComplete }
}

/** Returns the stored response for the callback, or null when the call has no callback. */
function storedResponse({ response, whole }: SentRecord['options'], entry: ApiCallEntry): ApiResponse | null {
  if (entry.callback === null) return null
  if (whole === true && isHash(response)) {
    const { status, headers, body } = response
    if (typeof status === 'number' && isHash(headers) && typeof body === 'string') {
      return { status, headers: textEntries(headers), body }
    }
  }
  throw new DeliveryFault(
    'the call succeeded, but its callback cannot run again: the response was too long to be stored',
    'permanent',
    settingLocation(entry, 'callback'),
  )
}

/** Returns the headers of a stored response, which are always texts. */
function textEntries(headers: HashValue): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
