/** Effects of mutations besides the database: mails and text messages are queued, API calls are made at once. */
import { LimitFault, LiquidFault } from '../../../runtime/page/fault.ts'
import {
  NOTIFICATION_ATTEMPTS,
  type Channel,
  type JobOrigin,
  type JobRequest,
  type JobTask,
} from '../../../runtime/data/jobs.ts'
import type {
  ApiCall,
  ApiCallOptions,
  ApiCallResult,
  EffectHost,
  ScheduledNotification,
  TemplatedContent,
} from '../../../runtime/data/query/effects.ts'
import { didYouMean } from '../../../runtime/data/query/suggest.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { Fields, JobOptions, LogPort } from '../../../runtime/page/services.ts'
import type { ApiCallEntry, CompiledSite, Format } from '../../../runtime/page/site.ts'
import { minutesOf } from '../../data/queue/delay.ts'
import { linkTexts } from '../../data/queue/link-host.ts'
import { settingText } from '../site/setting.ts'
import { type ApiResponse, apiCallOf, makeCall, methodOf } from './api-call.ts'
import { answerOptions, CALL_IN_JOB, callContent, entriesOf, NOUNS } from './deliver.ts'
import { DeliveryFault, type Notifications, type SentRecord } from './model.ts'
import { prepare } from './prepare.ts'
import { addressesOf } from './recipients.ts'
import { plainSmsOf } from './sms.ts'
import type { AssetSite } from '../site/assets.ts'
import type { SourceReader } from './sources.ts'

export interface EffectParts {
  readonly notifications: Notifications
  readonly loaded: AssetSite & { readonly site: CompiledSite }
  /**
   * Creates a render with the context of the request or job. It always throws faults, so that no message contains an
   * error text.
   */
  readonly render: (format: Format) => Render
  readonly origin: () => JobOrigin
  /**
   * Queues jobs in the open transaction.
   * @throws LiquidFault for values that cannot be stored
   */
  readonly enqueue: (jobs: readonly JobRequest[]) => Promise<unknown>
  /** `web` when a visitor waits for the result. */
  readonly where: 'web' | 'job'
  readonly log: LogPort
  readonly translationsChanged: () => Promise<void>
  /** See `EffectHost`. */
  readonly importRows: EffectHost['importRows']
}

/** Timeout of a call in milliseconds: default and maximum. */
const CALLS = { web: { usual: 5_000, most: 8_000 }, job: { usual: CALL_IN_JOB, most: 180_000 } } as const

export function createEffects(parts: EffectParts): EffectHost {
  const { site } = parts.loaded

  async function queue(task: JobTask, delay: number, sourceName: string): Promise<ScheduledNotification> {
    const options: JobOptions = { delay, priority: 'default', maxAttempts: NOTIFICATION_ATTEMPTS, sourceName }
    try {
      await parts.enqueue([{ task, origin: parts.origin(), options }])
      return { scheduled: true, errors: [] }
    } catch (error) {
      // Values that cannot be stored are the caller's error; a failing database is not.
      if (error instanceof LiquidFault) return refused(error.message)
      throw error
    }
  }

  async function byTemplate(
    channel: Channel,
    name: string,
    data: Fields,
    given: number | null,
  ): Promise<ScheduledNotification> {
    const all = entriesOf(site, channel)
    const entry = Object.hasOwn(all, name) ? all[name] : undefined
    if (entry === undefined) return refused(unknown(channel, name, all))
    if (!entry.enabled) return { scheduled: false, errors: [] }
    let delay = given
    try {
      const scope = { form: data, data }
      if (delay === null) delay = minutesOf(await settingText(entry.delay, parts.render('txt'), scope), entry)
      // Without a delay, the trigger condition is evaluated now, so that the caller gets the result.
      if (delay <= 0 && (await prepare(entry, { kind: 'data', data }, parts.render)) === null)
        return { scheduled: false, errors: [] }
    } catch (error) {
      if (!(error instanceof LiquidFault) || error instanceof LimitFault) throw error
      return refused(messageOf(error))
    }
    return queue({ kind: 'notification', channel, name, content: { kind: 'data', data } }, delay, name)
  }

  return {
    async email(what) {
      if ('template' in what) return byTemplate('email', what.template, what.data, what.delay)
      const { whole } = what
      for (const [name, value] of Object.entries({
        to: whole.to,
        from: [whole.from],
        cc: whole.cc,
        bcc: whole.bcc,
        reply_to: whole.replyTo,
      })) {
        const { addresses, invalid } = addressesOf(value)
        if (invalid !== null) return refused(`'${invalid}' in '${name}' is no e-mail address`)
        if (name === 'to' && addresses.length === 0) return refused('this e-mail has no recipient')
      }
      return queue({ kind: 'email', email: whole }, what.delay ?? 0, 'email_send')
    },
    async sms(what) {
      if ('template' in what) return byTemplate('sms', what.template, what.data, what.delay)
      try {
        return await queue({ kind: 'sms', sms: await plainSmsOf(what.whole) }, what.delay ?? 0, 'sms_send')
      } catch (error) {
        if (error instanceof DeliveryFault) return refused(error.message)
        throw error
      }
    },
    callApi: (what, options) => call(parts, what, options),
    log: (entry) => parts.log.write(entry),
    async export(id) {
      const options: JobOptions = { delay: 0, priority: 'low', maxAttempts: 1, sourceName: 'data_export' }
      await parts.enqueue([{ task: { kind: 'export', id }, origin: parts.origin(), options }])
    },
    importRows: (sent) => parts.importRows(sent),
    translationsChanged: () => parts.translationsChanged(),
  }
}

function refused(message: string): ScheduledNotification {
  return { scheduled: false, errors: [message] }
}

function unknown(channel: Channel, name: string, all: Readonly<Record<string, unknown>>): string {
  const hint = didYouMean(name, Object.keys(all))
  return `can't find ${NOUNS[channel]} ${name}${hint === undefined ? '' : `. ${hint}`}`
}

function messageOf(fault: LiquidFault): string {
  return fault.file === null ? fault.message : `${fault.message} (${fault.file}:${fault.line})`
}

/** Makes a call now. A failure is reported in the result; a callback's fault is returned together with the response. */
async function call(
  parts: EffectParts,
  what: TemplatedContent<ApiCall>,
  options: ApiCallOptions,
): Promise<ApiCallResult> {
  const { notifications, loaded, where } = parts
  const { usual, most } = CALLS[where]
  const asked = options.timeout === null || !(options.timeout > 0) ? usual : options.timeout * 1000
  const timeout = Math.min(asked, most)
  const r = parts.render('txt')
  const reader: SourceReader = { parts: notifications, loaded, host: parts.origin().host, timeout }
  const record = { channel: 'api_call', name: 'template' in what ? what.template : null, deliveryId: null } as const
  let content: SentRecord['content'] = {}
  let response: ApiResponse | null = null
  try {
    const planned = await planOf(parts, what)
    if (planned === null) return { response, errors: [] }
    const made = withLinkHost(planned.call, parts.origin())
    content = callContent(made)
    const how = { timeout, verify: !options.skipVerification }
    response = await makeCall(notifications, made, how, reader, planned.entry)
    await notifications.sent.note({ ...record, content, options: answerOptions(response, null), error: null })
    await planned.callback(response)
    return { response, errors: [] }
  } catch (error) {
    // Exceeded limits and internal errors are not hidden.
    if (!(error instanceof LiquidFault) || error instanceof LimitFault) throw error
    if (error.file === null) r.services.locate(error)
    const message = messageOf(error)
    parts.log.write({ message, type: 'error', env: 'all', file: error.file ?? '', line: error.line ?? 0, fault: error })
    if (response === null) await notifications.sent.note({ ...record, content, options: {}, error: message })
    return { response, errors: [message] }
  }
}

/** The call, in which nothing leads to a host that the visitor may have invented. */
function withLinkHost(made: ApiCall, origin: JobOrigin): ApiCall {
  const texts = linkTexts(origin)
  if (texts === null) return made
  const headers = Object.entries(made.headers).map(([name, value]) => [name, texts(value)])
  return { ...made, url: texts(made.url), headers: Object.fromEntries(headers), body: texts(made.body) }
}

interface PlannedCall {
  /** The template; null for a call that was given directly. */
  readonly entry: ApiCallEntry | null
  readonly call: ApiCall
  readonly callback: (response: ApiResponse) => Promise<unknown>
}

/** Null when the template is not to be sent. */
async function planOf(
  { loaded: { site }, render }: EffectParts,
  what: TemplatedContent<ApiCall>,
): Promise<PlannedCall | null> {
  if ('whole' in what) {
    const { whole } = what
    return { entry: null, call: { ...whole, method: methodOf(whole.method, null) }, callback: async () => undefined }
  }
  const entry = entryOf(site, what.template)
  const prepared = await prepare(entry, { kind: 'data', data: what.data }, render)
  if (prepared === null) return null
  const callback = (response: ApiResponse): Promise<unknown> => prepared.text(entry.callback, { response })
  return { entry, call: await apiCallOf(entry, prepared), callback }
}

function entryOf(site: CompiledSite, name: string): ApiCallEntry {
  const entry = Object.hasOwn(site.apiCalls, name) ? site.apiCalls[name] : undefined
  if (entry === undefined) throw new DeliveryFault(unknown('api_call', name, site.apiCalls), 'missing')
  return entry
}
