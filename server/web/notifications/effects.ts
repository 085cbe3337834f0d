/** Effects of mutations outside the database. Emails and text messages are queued. API calls are made immediately. */
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
import { CLIENTS_ONLY, SiteChangeError } from '../../../runtime/data/query/change-model.ts'
import { didYouMean } from '../../../runtime/data/query/suggest.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { Fields, JobOptions, LogPort } from '../../../runtime/page/services.ts'
import type { ApiCallEntry, CompiledSite, Format } from '../../../runtime/page/site.ts'
import { parseDelay } from '../../data/queue/delay.ts'
import { createHostReplacer } from '../../data/queue/link-host.ts'
import { settingText } from '../site/setting.ts'
import { type ApiResponse, buildApiCall, makeCall, parseMethod } from './api-call.ts'
import { responseOptions, JOB_CALL_TIMEOUT, callContent, entriesOfChannel, CHANNEL_NOUNS } from './deliver.ts'
import { DeliveryFault, type Notifications, type SentRecord } from './model.ts'
import { prepare } from './prepare.ts'
import { parseAddresses } from './addresses.ts'
import { askSite } from './remote-site.ts'
import { buildPlainSms } from './sms.ts'
import type { AssetSite } from '../site/assets.ts'
import type { SourceReader } from './read-attachment.ts'

/** The dependencies of effects. */
export interface EffectDependencies {
  readonly notifications: Notifications
  readonly loadedSite: AssetSite & { readonly site: CompiledSite }
  /**
   * Creates a render with the context of the request or job. It always throws faults, so that no message contains the
   * text of an error.
   */
  readonly render: (format: Format) => Render
  readonly origin: () => JobOrigin
  /**
   * Queues jobs in the open transaction.
   * @throws LiquidFault for values that cannot be stored
   */
  readonly enqueue: (jobs: readonly JobRequest[]) => Promise<unknown>
  /** `web` when a visitor waits for the result. */
  readonly place: 'web' | 'job'
  readonly log: LogPort
  readonly translationsChanged: () => Promise<void>
  readonly sendMessage: EffectHost['sendMessage']
  /** Imports rows that a mutation contains; see `EffectHost`. */
  readonly importRows: EffectHost['importRows']
  /** Changes files of the site; absent where that is refused. */
  readonly changeSite?: EffectHost['changeSite'] | undefined
  /** Uploads and lists assets; absent or null where that is refused. */
  readonly assets?: EffectHost['assets']
}

/** Timeouts of a call in milliseconds. */
const CALL_TIMEOUTS = { web: { usual: 5_000, most: 8_000 }, job: { usual: JOB_CALL_TIMEOUT, most: 180_000 } } as const

/** Creates the effects of a request or job. */
export function createEffects(dependencies: EffectDependencies): EffectHost {
  const { site } = dependencies.loadedSite

  async function queue(task: JobTask, delay: number, sourceName: string): Promise<ScheduledNotification> {
    const options: JobOptions = { delay, priority: 'default', maxAttempts: NOTIFICATION_ATTEMPTS, sourceName }
    try {
      await dependencies.enqueue([{ task, origin: dependencies.origin(), options }])
      return { scheduled: true, errors: [] }
    } catch (error) {
      // Values that cannot be stored are the caller's mistake. A failing database is not.
      if (error instanceof LiquidFault) return notScheduled(error.message)
      throw error
    }
  }

  async function queueTemplate(
    channel: Channel,
    name: string,
    data: Fields,
    givenDelay: number | null,
  ): Promise<ScheduledNotification> {
    const entries = entriesOfChannel(site, channel)
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
    if (entry === undefined) return notScheduled(unknownTemplate(channel, name, entries))
    const skip: Parameters<typeof prepare>[3] = (why) =>
      dependencies.notifications.deliveries.skip({ channel, name, ...why })
    let delay = entry.enabled ? givenDelay : 0
    try {
      const scope = { form: data, data }
      if (delay === null) delay = parseDelay(await settingText(entry.delay, dependencies.render('txt'), scope), entry)
      // Without a delay, the trigger condition is evaluated now, so that the caller gets the result.
      if (delay <= 0 && (await prepare(entry, { kind: 'data', data }, dependencies.render, skip)) === null)
        return { scheduled: false, errors: [] }
    } catch (error) {
      if (!(error instanceof LiquidFault) || error instanceof LimitFault) throw error
      return notScheduled(locatedMessage(error))
    }
    return queue({ kind: 'notification', channel, name, content: { kind: 'data', data } }, delay, name)
  }

  return {
    async email(message) {
      if ('template' in message) return queueTemplate('email', message.template, message.data, message.delay)
      const { content } = message
      for (const [name, value] of Object.entries({
        to: content.to,
        from: [content.from],
        cc: content.cc,
        bcc: content.bcc,
        reply_to: content.replyTo,
      })) {
        const { addresses, invalid } = parseAddresses(value)
        if (invalid !== null) return notScheduled(`'${invalid}' in '${name}' is not an email address`)
        if (name === 'to' && addresses.length === 0) return notScheduled('this email has no recipient')
      }
      return queue({ kind: 'email', email: content }, message.delay ?? 0, 'email_send')
    },
    async sms(message) {
      if ('template' in message) return queueTemplate('sms', message.template, message.data, message.delay)
      try {
        return await queue({ kind: 'sms', sms: await buildPlainSms(message.content) }, message.delay ?? 0, 'sms_send')
      } catch (error) {
        if (error instanceof DeliveryFault) return notScheduled(error.message)
        throw error
      }
    },
    callApi: (what, options) => callNow(dependencies, what, options),
    askSite(remoteRequest) {
      const { notifications, origin, place } = dependencies
      const replaceHosts = createHostReplacer(origin()) ?? ((text: string) => text)
      const timeout = Math.min(CALL_TIMEOUTS[place].usual, remoteRequest.seconds * 1000)
      return askSite(notifications.outgoing, { ...remoteRequest, url: replaceHosts(remoteRequest.url) }, timeout)
    },
    log: (entry) => dependencies.log.write(entry),
    sendMessage: (message) => dependencies.sendMessage(message),
    async changeSite(changes) {
      if (dependencies.changeSite === undefined) throw new SiteChangeError(CLIENTS_ONLY, null)
      return dependencies.changeSite(changes)
    },
    assets: dependencies.assets ?? null,
    async export(id) {
      const options: JobOptions = { delay: 0, priority: 'low', maxAttempts: 1, sourceName: 'data_export' }
      await dependencies.enqueue([{ task: { kind: 'export', id }, origin: dependencies.origin(), options }])
    },
    importRows: (sent) => dependencies.importRows(sent),
    announceTranslationChange: () => dependencies.translationsChanged(),
  }
}

function notScheduled(message: string): ScheduledNotification {
  return { scheduled: false, errors: [message] }
}

function unknownTemplate(channel: Channel, name: string, all: Readonly<Record<string, unknown>>): string {
  const hint = didYouMean(name, Object.keys(all))
  return `can't find ${CHANNEL_NOUNS[channel]} ${name}${hint === undefined ? '' : `. ${hint}`}`
}

function locatedMessage(fault: LiquidFault): string {
  return fault.file === null ? fault.message : `${fault.message} (${fault.file}:${fault.line})`
}

/**
 * Makes a call immediately. A failure is returned in the result. A fault of the callback is returned together with the
 * response.
 */
async function callNow(
  dependencies: EffectDependencies,
  request: TemplatedContent<ApiCall>,
  options: ApiCallOptions,
): Promise<ApiCallResult> {
  const { notifications, loadedSite, place } = dependencies
  const { usual, most } = CALL_TIMEOUTS[place]
  const requestedTimeout = options.timeout === null || !(options.timeout > 0) ? usual : options.timeout * 1000
  const timeout = Math.min(requestedTimeout, most)
  const r = dependencies.render('txt')
  const reader: SourceReader = {
    parts: notifications,
    assetSite: loadedSite,
    host: dependencies.origin().host,
    timeout,
  }
  const record = {
    channel: 'api_call',
    name: 'template' in request ? request.template : null,
    deliveryId: null,
  } as const
  let content: SentRecord['content'] = {}
  let response: ApiResponse | null = null
  try {
    const plannedCall = await planCall(dependencies, request)
    if (plannedCall === null) return { response, errors: [] }
    const apiCall = withLinkHost(plannedCall.call, dependencies.origin())
    content = callContent(apiCall)
    const callOptions = { timeout, verify: !options.skipVerification }
    response = await makeCall(notifications, apiCall, callOptions, reader, plannedCall.entry)
    await notifications.deliveries.record({ ...record, content, options: responseOptions(response, null), error: null })
    await plannedCall.callback(response)
    return { response, errors: [] }
  } catch (error) {
    // Exceeded limits and internal errors are not hidden.
    if (!(error instanceof LiquidFault) || error instanceof LimitFault) throw error
    if (error.file === null) r.services.locate(error)
    const message = locatedMessage(error)
    dependencies.log.write({
      message,
      type: 'error',
      env: 'all',
      file: error.file ?? '',
      line: error.line ?? 0,
      fault: error,
    })
    if (response === null) await notifications.deliveries.record({ ...record, content, options: {}, error: message })
    return { response, errors: [message] }
  }
}

/** Replaces host names that the visitor may have forged in the texts of a call. */
function withLinkHost(apiCall: ApiCall, origin: JobOrigin): ApiCall {
  const replaceHosts = createHostReplacer(origin)
  if (replaceHosts === null) return apiCall
  const headers = Object.entries(apiCall.headers).map(([name, value]) => [name, replaceHosts(value)])
  return {
    ...apiCall,
    url: replaceHosts(apiCall.url),
    headers: Object.fromEntries(headers),
    body: replaceHosts(apiCall.body),
  }
}

interface PlannedCall {
  /** The template; null for a call without a template. */
  readonly entry: ApiCallEntry | null
  readonly call: ApiCall
  readonly callback: (response: ApiResponse) => Promise<unknown>
}

/** Prepares a call. Returns null when the template's conditions prevent it. */
async function planCall(
  { loadedSite: { site }, notifications, render }: EffectDependencies,
  request: TemplatedContent<ApiCall>,
): Promise<PlannedCall | null> {
  if ('content' in request) {
    const { content } = request
    return {
      entry: null,
      call: { ...content, method: parseMethod(content.method, null) },
      callback: async () => undefined,
    }
  }
  const entry = findApiCall(site, request.template)
  const prepared = await prepare(entry, { kind: 'data', data: request.data }, render, (why) =>
    notifications.deliveries.skip({ channel: 'api_call', name: request.template, ...why }),
  )
  if (prepared === null) return null
  const callback = (response: ApiResponse): Promise<unknown> => prepared.text(entry.callback, { response })
  return { entry, call: await buildApiCall(entry, prepared), callback }
}

function findApiCall(site: CompiledSite, name: string): ApiCallEntry {
  const entry = Object.hasOwn(site.apiCalls, name) ? site.apiCalls[name] : undefined
  if (entry === undefined) throw new DeliveryFault(unknownTemplate('api_call', name, site.apiCalls), 'missing')
  return entry
}
