/**
 * Delivers the notification of a job. It is rendered now, in the language and under the conditions of its template. A
 * delivery is recorded and not repeated when the job is retried. If the process dies between sending and recording, it
 * is sent again: mails then have the same Message-ID, text messages the same Idempotency-Key.
 */
import { createHash } from 'node:crypto'
import type { Channel } from '../../../runtime/data/jobs.ts'
import type { ApiCall } from '../../../runtime/data/query/effects.ts'
import { asFault, type Render } from '../../../runtime/page/render.ts'
import type { LogPort } from '../../../runtime/page/services.ts'
import type { ApiCallEntry, CompiledSite, Setting } from '../../../runtime/page/site.ts'
import { isHash } from '../../../runtime/page/values/hash.ts'
import { toJson } from '../../../runtime/page/values/json.ts'
import { type ApiResponse, apiCallOf, makeCall } from './api-call.ts'
import { emailOf, plainEmailOf, testAddresses } from './email.ts'
import {
  DeliveryFault,
  type DeliveryJob,
  type DeliveryTask,
  type Mail,
  type Notifications,
  type RefusedRecipient,
  type SentRecord,
  type TemplateLocation,
  locationOf,
} from './model.ts'
import { type PreparedNotification, prepare } from './prepare.ts'
import { written } from './recipients.ts'
import { plainSmsOf, type Sms, sendSms, smsesOf } from './sms.ts'
import type { SourceReader } from './sources.ts'

/** Milliseconds for an API call in a job, and for each file that it sends. */
export const CALL_IN_JOB = 8_000
const FILE = 20_000
/** Largest stored response, in characters, for a callback that may have to run again. */
const KEPT_ANSWER = 90_000

type TemplateTask = Extract<DeliveryTask, { readonly kind: 'notification' }>

/**
 * Delivers. A disabled template or an unmet trigger condition is a success.
 * @throws DeliveryFault, whose `kind` tells whether a retry may help; LiquidFault from templates
 */
export async function deliver(parts: Notifications, task: DeliveryTask, job: DeliveryJob): Promise<void> {
  const deliveryId = deliveryIdOf(task, job)
  switch (task.kind) {
    case 'email': {
      const record = { channel: 'email', name: null, deliveryId } as const
      return withRecord(parts, record, async (note) => {
        const earlier = await parts.sent.find(deliveryId)
        if (isDone(earlier)) return
        const { log } = job.render('txt').services
        await sendMail(parts, plainEmailOf(task.email, { ...parts, key: deliveryId }), {
          earlier,
          note,
          log,
          location: null,
        })
      })
    }
    case 'sms': {
      const record = { channel: 'sms', name: null, deliveryId } as const
      return withRecord(parts, record, async (note) => {
        if ((await parts.sent.find(deliveryId)) === null)
          await textOne(parts, await plainSmsOf(task.sms), deliveryId, note)
      })
    }
    case 'notification':
      return byTemplate(parts, task, job, deliveryId)
  }
}

/**
 * Identifies the delivery: the same for all attempts of a job, and unique even when a recreated queue numbers its jobs
 * from 1 again.
 */
function deliveryIdOf(task: DeliveryTask, job: DeliveryJob): string {
  return `${job.id}-${createHash('sha256').update(toJson(task)).digest('hex').slice(0, 24)}`
}

async function byTemplate(
  parts: Notifications,
  task: TemplateTask,
  job: DeliveryJob,
  deliveryId: string,
): Promise<void> {
  const { channel, name } = task
  const record = { channel, name, deliveryId } as const
  const { site, context, services } = job.render('txt')
  let failed: readonly unknown[] = []
  await withRecord(parts, record, async (note) => {
    const earlier = await parts.sent.find(deliveryId)
    // For text messages to several numbers, each is recorded by itself.
    if (channel !== 'api_call' && isDone(earlier)) return
    const entry = entryOf(site, channel, name)
    const prepared = await prepare(entry, task.content, (format) => job.render(format))
    if (prepared === null) return
    const reader: SourceReader = { parts, loaded: job.loaded, host: hostOf(context), timeout: FILE }
    switch (channel) {
      case 'email': {
        const mail = await emailOf(site.emails[name]!, prepared, reader, { ...parts, key: deliveryId })
        return sendMail(parts, mail, { earlier, note, log: services.log, location: locationOf(entry, 'to') })
      }
      case 'sms':
        failed = await textAll(parts, await smsesOf(site.smses[name]!, prepared), record)
        return
      case 'api_call':
        return callOnce(parts, site.apiCalls[name]!, prepared, reader, { earlier, note })
    }
  })
  // A failure that a retry may fix takes precedence.
  const fault = failed.find((each) => !(each instanceof DeliveryFault && each.kind !== 'temporary')) ?? failed[0]
  if (fault !== undefined) throw fault
}

function entryOf(site: CompiledSite, channel: Channel, name: string): ReturnType<typeof entriesOf>[string] {
  const all = entriesOf(site, channel)
  const entry = Object.hasOwn(all, name) ? all[name] : undefined
  if (entry === undefined) throw new DeliveryFault(`can't find ${NOUNS[channel]} ${name}`, 'missing')
  return entry
}

/** Notifications of one channel by name. */
export function entriesOf(site: CompiledSite, channel: Channel): CompiledSite['emails' | 'smses' | 'apiCalls'] {
  switch (channel) {
    case 'email':
      return site.emails
    case 'sms':
      return site.smses
    case 'api_call':
      return site.apiCalls
  }
}

export const NOUNS: Readonly<Record<Channel, string>> = { email: 'email', sms: 'sms', api_call: 'API call' }

function hostOf(context: Render['context']): string {
  const location = context['location']
  const host = isHash(location) ? location['host'] : null
  return typeof host === 'string' ? host : ''
}

/** Records what is about to be sent, and then the response. */
type NoteDelivery = (content: SentRecord['content'], options?: SentRecord['options']) => Promise<void>

/** Runs a delivery and records a failure with what is known of it. */
async function withRecord(
  parts: Notifications,
  record: Pick<SentRecord, 'channel' | 'name' | 'deliveryId'>,
  send: (note: NoteDelivery) => Promise<void>,
): Promise<void> {
  let made: SentRecord['content'] = {}
  try {
    await send(async (content, options) => {
      made = content
      if (options !== undefined) await parts.sent.note({ ...record, content, options, error: null })
    })
  } catch (error) {
    const { message } = asFault(error)
    // A delivery that succeeded stays recorded, whatever fails after it.
    const sent = record.deliveryId !== null && (await parts.sent.find(record.deliveryId).catch(() => null)) !== null
    if (!sent) await parts.sent.note({ ...record, content: made, options: {}, error: message })
    throw error
  }
}

/** The record of an earlier attempt that succeeded. */
type EarlierDelivery = Awaited<ReturnType<Notifications['sent']['find']>>

interface Delivery {
  readonly earlier: EarlierDelivery
  readonly note: NoteDelivery
}

interface MailDelivery extends Delivery {
  readonly log: LogPort
  /** Location of the recipients in the template; null for a mail that was given directly. */
  readonly location: TemplateLocation | null
}

/** Whether everything has been delivered. */
function isDone(earlier: EarlierDelivery): boolean {
  return earlier !== null && textsOf(earlier.options['deferred']).length === 0
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/**
 * Sends a mail. Recipients that a server deferred are retried alone. A mail that cannot be sent at all is recorded
 * completely before it fails.
 */
async function sendMail(
  parts: Notifications,
  mail: Mail,
  { earlier, note, log, location }: MailDelivery,
): Promise<void> {
  const content = contentOf(mail)
  await note(content)
  const { mailer, environment, delivery, outbox } = parts
  if (environment === 'staging' && testAddresses(delivery).length === 0) {
    throw new DeliveryFault(
      'a staging server sends all mail to INGOT_TEST_EMAIL, which is not set',
      'permanent',
      location,
    )
  }
  const options = { message_id: `<${mail.messageId}>` }
  if (mailer !== null) {
    const before = earlier === null ? {} : earlier.options
    const { accepted, refused, response } = await mailer.send(
      mail,
      earlier === null ? null : textsOf(before['deferred']),
    )
    const later = refused.filter((each) => each.later)
    const lost = refused.filter((each) => !each.later)
    await note(content, {
      ...options,
      accepted: [...textsOf(before['accepted']), ...accepted],
      rejected: [...textsOf(before['rejected']), ...lost.map(({ address }) => address)],
      deferred: later.map(({ address }) => address),
      reasons: [...textsOf(before['reasons']), ...lost.map(described)],
      response,
    })
    if (lost.length > 0) {
      const message = `the mail server refused some of the recipients for good: ${lost.map(described).join('; ')}`
      const fault = new DeliveryFault(message, 'permanent', location)
      log.write({ message, type: 'error', env: 'all', file: fault.file ?? '', line: fault.line ?? 0, fault })
    }
    if (later.length > 0)
      throw new DeliveryFault(
        `the mail server has put off some recipients: ${later.map(described).join('; ')}`,
        'temporary',
      )
    return
  }
  if (environment !== 'development') {
    throw new DeliveryFault('nothing sends mails here: INGOT_SMTP_URL is not set', 'permanent')
  }
  await outbox.mail(mail)
  await note(content, { ...options, outbox: true })
}

function described({ address, reason }: RefusedRecipient): string {
  return `${address}: ${reason}`
}

function contentOf(mail: Mail): SentRecord['content'] {
  return {
    from: written(mail.from),
    to: mail.to.map(written),
    cc: mail.cc.map(written),
    bcc: mail.bcc.map(written),
    reply_to: mail.replyTo.map(written),
    subject: mail.subject,
    body: mail.html,
    attachments: mail.attachments.map(({ name, type, bytes }) => ({ name, type, size: bytes.length })),
    headers: mail.headers,
  }
}

async function textOne(parts: Notifications, sms: Sms, deliveryId: string | null, note: NoteDelivery): Promise<void> {
  await note({ ...sms })
  await note({ ...sms }, await sendSms(parts, sms, deliveryId))
}

/**
 * Sends a text message to each number; a failure does not stop the others.
 * @returns the failures
 */
async function textAll(
  parts: Notifications,
  all: readonly Sms[],
  record: Pick<SentRecord, 'channel' | 'name' | 'deliveryId'>,
): Promise<readonly unknown[]> {
  const faults: unknown[] = []
  for (const sms of all) {
    const deliveryId = all.length === 1 ? record.deliveryId : `${record.deliveryId}-${sms.to}`
    try {
      if (deliveryId !== null && (await parts.sent.find(deliveryId)) !== null) continue
      await withRecord(parts, { ...record, deliveryId }, (note) => textOne(parts, sms, deliveryId, note))
    } catch (error) {
      faults.push(error)
    }
  }
  return faults
}

/** When the call has succeeded and only its callback failed, a retry runs just the callback. */
async function callOnce(
  parts: Notifications,
  entry: ApiCallEntry,
  prepared: PreparedNotification,
  reader: SourceReader,
  { earlier, note }: Delivery,
): Promise<void> {
  const response = earlier === null ? await called() : keptAnswer(earlier.options, entry)
  if (response !== null && entry.callback !== null) await prepared.text(entry.callback, { response })

  async function called(): Promise<ApiResponse> {
    const call = await apiCallOf(entry, prepared)
    const content = callContent(call)
    await note(content)
    const options = { timeout: CALL_IN_JOB, verify: true }
    const answer = await makeCall(parts, call, options, reader, entry)
    await note(content, answerOptions(answer, entry.callback))
    return answer
  }
}

/** What is recorded of a call. */
export function callContent({ url, method, headers, body }: ApiCall): SentRecord['content'] {
  return { to: url, request_type: method, headers, body }
}

/** What is recorded of a response: all of it when a callback may need it again. */
export function answerOptions(answer: ApiResponse, callback: Setting | null): SentRecord['options'] {
  const { status, headers, body } = answer
  const whole = callback !== null && JSON.stringify(answer).length <= KEPT_ANSWER
  return { response: { status, headers, body: whole ? body : body.slice(0, 1_000) }, whole }
}

/** Null when nothing is left to do. */
function keptAnswer({ response, whole }: SentRecord['options'], entry: ApiCallEntry): ApiResponse | null {
  if (entry.callback === null) return null
  if (whole === true && isHash(response)) {
    const { status, headers, body } = response
    if (typeof status === 'number' && isHash(headers) && typeof body === 'string') {
      return { status, headers: headers as Record<string, string>, body }
    }
  }
  throw new DeliveryFault(
    'the call was answered, and its callback cannot be run again: the answer was too long',
    'permanent',
    locationOf(entry, 'callback'),
  )
}
