/**
 * Sends the spans of all processes to an OpenTelemetry receiver, from the supervising process. No other process loads the SDK. The queue is
 * limited; dropped spans are counted, and logged once a minute.
 */
import type { api as Api, resources as Resources, tracing as Tracing } from '@opentelemetry/sdk-node'
import type { SpanBatch } from '../cluster/messages.ts'
import type { EndedSpan, SpanKind, SpanValues } from '../../core/contracts/tracer.ts'
import { readPropagators } from './propagation.ts'
import { createSampling } from './sampling.ts'
import { createExporter, createResource, toHrTime, loadSdk, type Sdk, type TelemetryOptions } from './sdk.ts'

/** Receives the spans of all processes, even before sending has started. */
export interface SentSpans {
  add(batch: SpanBatch): void
  /**
   * Starts sending as configured by the variables `OTEL_*`.
   * @throws StartError when the SDK is not installed
   */
  begin(options: TelemetryOptions): Promise<void>
  /** Sends the remaining spans, as long as the receiver accepts them. */
  close(): Promise<void>
}

type Variables = Readonly<Record<string, string | undefined>>

/** Log for warnings about spans that were not sent. */
type Log = TelemetryOptions['log']

/** Milliseconds between two warnings about spans that were not sent. */
const WARNING_INTERVAL = 60_000
/** Milliseconds to send the remaining spans at the end. */
const CLOSE_TIMEOUT = 10_000

/** Numbers of spans, and times in milliseconds, unless `OTEL_BSP_…` overrides them. */
const LIMITS = {
  MAX_QUEUE_SIZE: 16_384,
  MAX_EXPORT_BATCH_SIZE: 512,
  SCHEDULE_DELAY: 5_000,
  EXPORT_TIMEOUT: 30_000,
}

export function createSentSpans(variables: Variables = process.env): SentSpans {
  const maxQueueSize = limitOf(variables, 'MAX_QUEUE_SIZE')
  const batchSize = Math.min(maxQueueSize, limitOf(variables, 'MAX_EXPORT_BATCH_SIZE'))
  const delay = limitOf(variables, 'SCHEDULE_DELAY')
  const losses = countLosses()
  const waiting: WaitingSpan[] = []
  let exporter: Exporter | null = null
  let sending: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null

  /** Sends one batch. Returns whether it was sent. */
  async function sendBatch(to: Exporter): Promise<boolean> {
    const batch = waiting.splice(0, batchSize)
    const reason = await to.send(batch)
    if (reason !== null) losses.add(batch.length, reason)
    return reason === null
  }

  /** Sends a full batch at once, or after the batch that is being sent. Smaller batches wait for more spans. */
  function schedule(): void {
    if (exporter === null || sending !== null || waiting.length === 0) return
    if (waiting.length >= batchSize) send(exporter)
    else timer ??= setTimeout(() => exporter !== null && send(exporter), delay).unref()
  }

  function send(to: Exporter): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    sending = sendBatch(to).then(() => {
      sending = null
      schedule()
    })
  }

  return {
    add({ spans, release, dropped }) {
      const accepted = spans.slice(0, maxQueueSize - waiting.length)
      for (const span of accepted) waiting.push({ span, release })
      const lost = dropped + spans.length - accepted.length
      if (lost > 0) losses.add(lost, 'spans arrived faster than they could be sent')
      schedule()
    },
    async begin(options) {
      const { log } = options
      losses.logTo(log)
      warnAboutVariables(variables, options)
      exporter = await openExporter(options, variables)
      schedule()
    },
    async close() {
      const opened = exporter
      if (opened === null) return
      exporter = null
      if (timer !== null) clearTimeout(timer)
      const all = async (): Promise<void> => {
        await sending
        // After a failure, the rest is not sent either.
        while (waiting.length > 0 && (await sendBatch(opened)));
        await opened.close()
      }
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_TIMEOUT).unref())
      await Promise.race([all(), timeout])
      if (waiting.length > 0) losses.add(waiting.length, 'the server has stopped')
      losses.close()
    },
  }
}

interface WaitingSpan {
  readonly span: EndedSpan
  readonly release: string | null
}

function limitOf(variables: Variables, name: keyof typeof LIMITS): number {
  const value = Number(variables[`OTEL_BSP_${name}`])
  return Number.isInteger(value) && value > 0 ? value : LIMITS[name]
}

interface Losses {
  add(count: number, reason: string): void
  logTo(log: Log): void
  close(): void
}

/** Counts spans that were not sent, and logs them: the first ones at once, then once a minute. */
function countLosses(): Losses {
  let log: Log | null = null
  let count = 0
  let reason = ''
  let timer: NodeJS.Timeout | null = null

  function warn(): void {
    if (log === null || count === 0) return
    log.warn({ reason: reason.slice(0, 500), spans: count }, 'traces could not be sent')
    count = 0
    timer = setTimeout(() => {
      timer = null
      warn()
    }, WARNING_INTERVAL).unref()
  }

  return {
    add(more, why) {
      count += more
      reason = why
      if (timer === null) warn()
    },
    logTo(target) {
      log = target
      warn()
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      warn()
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Warns once, for all processes, about variables with unknown values. */
function warnAboutVariables(variables: Variables, { environment, log }: TelemetryOptions): void {
  for (const { fields, message } of createSampling(variables, environment).problems) log.warn(fields, message)
  for (const propagator of readPropagators(variables).unknown)
    log.warn({ propagator }, 'OTEL_PROPAGATORS has an unknown value: give tracecontext, baggage or none')
  const { OTEL_TRACES_EXPORTER: exporter = 'otlp' } = variables
  if (exporter.trim() !== '' && exporter.trim() !== 'otlp')
    log.warn({ exporter }, 'OTEL_TRACES_EXPORTER has an unknown value: traces are sent by OTLP')
}

interface Exporter {
  /** Resolves to null, or to the reason why the batch was not sent. */
  send(batch: readonly WaitingSpan[]): Promise<string | null>
  close(): Promise<void>
}

async function openExporter(options: TelemetryOptions, variables: Variables): Promise<Exporter> {
  const sdk = await loadSdk()
  const exporter = createExporter<Tracing.SpanExporter>('trace', variables, options.log)
  const timeout = limitOf(variables, 'EXPORT_TIMEOUT')
  const { detectResources, envDetector, hostDetector } = sdk.resources
  const detected = detectResources({ detectors: [envDetector, hostDetector] })
  await detected.waitForAsyncAttributes?.()
  // Spans of one release share a resource, by which the exporter groups them. Few releases are served alternately.
  const resources = new Map<string | null, Resources.Resource>()
  const resourceFor = (release: string | null): Resources.Resource => {
    let resource = resources.get(release)
    if (resource !== undefined) return resource
    if (resources.size >= 8) resources.clear()
    resource = createResource(sdk, { ...options, release: release ?? options.release }).merge(detected)
    resources.set(release, resource)
    return resource
  }
  const scope = { name: 'ingot', version: options.version }

  return {
    send(batch) {
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve('no answer in time'), timeout)
        const settle = (reason: string | null): void => {
          clearTimeout(timer)
          resolve(reason)
        }
        try {
          const spans = batch.map(({ span, release }) => toReadableSpan(sdk, span, resourceFor(release), scope))
          exporter.export(spans, ({ error, code }) =>
            settle(code === sdk.core.ExportResultCode.SUCCESS ? null : (error?.message ?? 'the receiver refused them')),
          )
        } catch (error) {
          settle(error instanceof Error ? error.message : String(error))
        }
      })
    },
    // At this point a failure can no longer be reported.
    close: () => exporter.shutdown().catch(() => undefined),
  }
}

/** Converts a span to the SDK's format. */
function toReadableSpan(
  { api }: Sdk,
  span: EndedSpan,
  resource: Resources.Resource,
  instrumentationScope: Tracing.ReadableSpan['instrumentationScope'],
): Tracing.ReadableSpan {
  const { traceId, spanId, parentId, state, link, name, kind, values, started, ended, error } = span
  const createContext = (id: string): Api.SpanContext => ({
    traceId,
    spanId: id,
    traceFlags: api.TraceFlags.SAMPLED,
    ...(state !== null && { traceState: api.createTraceState(state) }),
  })
  const context = createContext(spanId)
  const failure: SpanValues = error === null ? {} : { 'exception.type': error.type, 'exception.message': error.message }
  return {
    name,
    kind: kindOf(api, kind),
    spanContext: () => context,
    ...(parentId !== null && { parentSpanContext: createContext(parentId) }),
    startTime: toHrTime(started),
    endTime: toHrTime(ended),
    duration: toHrTime(Math.max(0, ended - started)),
    status:
      error === null ? { code: api.SpanStatusCode.UNSET } : { code: api.SpanStatusCode.ERROR, message: error.message },
    attributes: error === null ? { ...values } : { ...values, 'error.type': error.type },
    links: link === null ? [] : [{ context: { ...link, traceFlags: api.TraceFlags.SAMPLED } }],
    events: error === null ? [] : [{ name: 'exception', time: toHrTime(ended), attributes: failure }],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function kindOf({ SpanKind: kinds }: typeof Api, kind: SpanKind): Api.SpanKind {
  if (kind === 'server') return kinds.SERVER
  if (kind === 'client') return kinds.CLIENT
  return kind === 'job' ? kinds.CONSUMER : kinds.INTERNAL
}
