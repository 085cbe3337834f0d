/**
 * Sends the spans of all processes to a receiver of OpenTelemetry, from the process that supervises: no other one loads anything of
 * it. What waits is bounded; what is dropped is counted, and told once a minute.
 */
import type { api as Api, resources as Resources, tracing as Tracing } from '@opentelemetry/sdk-node'
import type { SpanBatch } from '../cluster/messages.ts'
import type { EndedSpan, SpanKind, SpanValues } from '../../core/contracts/tracer.ts'
import { propagatorsOf } from './propagation.ts'
import { samplingOf } from './sampling.ts'
import { exporterOf, hrTime, loadSdk, resourceOf, type Sdk, type TelemetryOptions } from './sdk.ts'

/** Takes the spans of all processes, also before anything can be sent. */
export interface SentSpans {
  take(batch: SpanBatch): void
  /**
   * Starts sending as the variables `OTEL_*` say.
   * @throws StartError where the SDK is not installed
   */
  begin(options: TelemetryOptions): Promise<void>
  /** Sends what is left, as long as the receiver takes it. */
  close(): Promise<void>
}

type Variables = Readonly<Record<string, string | undefined>>

/** What can be told of spans that were not sent. */
type Log = TelemetryOptions['log']

/** Milliseconds between two lines about spans that were not sent. */
const QUIET = 60_000
/** Milliseconds that everything that is left may take at the end. */
const LAST = 10_000

/** Sizes and milliseconds, where `OTEL_BSP_…` gives no others. */
const LIMITS = {
  MAX_QUEUE_SIZE: 16_384,
  MAX_EXPORT_BATCH_SIZE: 512,
  SCHEDULE_DELAY: 5_000,
  EXPORT_TIMEOUT: 30_000,
}

export function createSentSpans(variables: Variables = process.env): SentSpans {
  const most = limitOf(variables, 'MAX_QUEUE_SIZE')
  const size = Math.min(most, limitOf(variables, 'MAX_EXPORT_BATCH_SIZE'))
  const delay = limitOf(variables, 'SCHEDULE_DELAY')
  const losses = countLosses()
  const waiting: WaitingSpan[] = []
  let exporter: Exporter | null = null
  let sending: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null

  /** Sends one batch. Returns whether it was sent. */
  async function sendOne(to: Exporter): Promise<boolean> {
    const batch = waiting.splice(0, size)
    const reason = await to.send(batch)
    if (reason !== null) losses.add(batch.length, reason)
    return reason === null
  }

  /** A whole batch goes at once, after the one that is on its way; what is less waits for more. */
  function schedule(): void {
    if (exporter === null || sending !== null || waiting.length === 0) return
    if (waiting.length >= size) send(exporter)
    else timer ??= setTimeout(() => exporter !== null && send(exporter), delay).unref()
  }

  function send(to: Exporter): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    sending = sendOne(to).then(() => {
      sending = null
      schedule()
    })
  }

  return {
    take({ spans, release, dropped }) {
      const taken = spans.slice(0, most - waiting.length)
      for (const span of taken) waiting.push({ span, release })
      const lost = dropped + spans.length - taken.length
      if (lost > 0) losses.add(lost, 'they came faster than they could be sent')
      schedule()
    },
    async begin(options) {
      const { log } = options
      losses.tellTo(log)
      warnOf(variables, options)
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
        // A receiver that is away is not asked again.
        while (waiting.length > 0 && (await sendOne(opened)));
        await opened.close()
      }
      const late = new Promise<void>((done) => setTimeout(done, LAST).unref())
      await Promise.race([all(), late])
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
  tellTo(log: Log): void
  close(): void
}

/** Counts spans that were not sent, and tells of them: of the first ones at once, then once a minute. */
function countLosses(): Losses {
  let log: Log | null = null
  let count = 0
  let reason = ''
  let timer: NodeJS.Timeout | null = null

  function tell(): void {
    if (log === null || count === 0) return
    log.warn({ reason: reason.slice(0, 500), spans: count }, 'traces could not be sent')
    count = 0
    timer = setTimeout(() => {
      timer = null
      tell()
    }, QUIET).unref()
  }

  return {
    add(more, why) {
      count += more
      reason = why
      if (timer === null) tell()
    },
    tellTo(given) {
      log = given
      tell()
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      tell()
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Tells once, for all processes, of variables that name what does not exist here. */
function warnOf(variables: Variables, { environment, log }: TelemetryOptions): void {
  for (const { fields, message } of samplingOf(variables, environment).problems) log.warn(fields, message)
  for (const propagator of propagatorsOf(variables).unknown)
    log.warn({ propagator }, 'OTEL_PROPAGATORS names none that is known here: tracecontext, baggage, none are')
  const { OTEL_TRACES_EXPORTER: exporter = 'otlp' } = variables
  if (exporter.trim() !== '' && exporter.trim() !== 'otlp')
    log.warn({ exporter }, 'OTEL_TRACES_EXPORTER names none that is known here, and traces go by OTLP')
}

interface Exporter {
  /** Resolves to null, or to why the batch was not sent. */
  send(batch: readonly WaitingSpan[]): Promise<string | null>
  close(): Promise<void>
}

async function openExporter(options: TelemetryOptions, variables: Variables): Promise<Exporter> {
  const sdk = await loadSdk()
  const exporter = exporterOf<Tracing.SpanExporter>('trace', variables, options.log)
  const timeout = limitOf(variables, 'EXPORT_TIMEOUT')
  const { detectResources, envDetector, hostDetector } = sdk.resources
  const detected = detectResources({ detectors: [envDetector, hostDetector] })
  await detected.waitForAsyncAttributes?.()
  // Batches of one release share a resource, by which the exporter groups them. Few releases are served by turns.
  const resources = new Map<string | null, Resources.Resource>()
  const resourceFor = (release: string | null): Resources.Resource => {
    let resource = resources.get(release)
    if (resource !== undefined) return resource
    if (resources.size >= 8) resources.clear()
    resource = resourceOf(sdk, { ...options, release: release ?? options.release }).merge(detected)
    resources.set(release, resource)
    return resource
  }
  const scope = { name: 'ingot', version: options.version }

  return {
    send(batch) {
      return new Promise((done) => {
        const late = setTimeout(() => done('no answer in time'), timeout)
        const settle = (reason: string | null): void => {
          clearTimeout(late)
          done(reason)
        }
        try {
          const spans = batch.map(({ span, release }) => readable(sdk, span, resourceFor(release), scope))
          exporter.export(spans, ({ error, code }) =>
            settle(code === sdk.core.ExportResultCode.SUCCESS ? null : (error?.message ?? 'the receiver refused them')),
          )
        } catch (error) {
          settle(error instanceof Error ? error.message : String(error))
        }
      })
    },
    // Nobody is left to be told of a failure.
    close: () => exporter.shutdown().catch(() => undefined),
  }
}

/** A span in the form of the SDK. */
function readable(
  { api }: Sdk,
  span: EndedSpan,
  resource: Resources.Resource,
  instrumentationScope: Tracing.ReadableSpan['instrumentationScope'],
): Tracing.ReadableSpan {
  const { traceId, spanId, parentId, state, link, name, kind, values, started, ended, error } = span
  const placeOf = (id: string): Api.SpanContext => ({
    traceId,
    spanId: id,
    traceFlags: api.TraceFlags.SAMPLED,
    ...(state !== null && { traceState: api.createTraceState(state) }),
  })
  const place = placeOf(spanId)
  const failure: SpanValues = error === null ? {} : { 'exception.type': error.type, 'exception.message': error.message }
  return {
    name,
    kind: kindOf(api, kind),
    spanContext: () => place,
    ...(parentId !== null && { parentSpanContext: placeOf(parentId) }),
    startTime: hrTime(started),
    endTime: hrTime(ended),
    duration: hrTime(Math.max(0, ended - started)),
    status:
      error === null ? { code: api.SpanStatusCode.UNSET } : { code: api.SpanStatusCode.ERROR, message: error.message },
    attributes: error === null ? { ...values } : { ...values, 'error.type': error.type },
    links: link === null ? [] : [{ context: { ...link, traceFlags: api.TraceFlags.SAMPLED } }],
    events: error === null ? [] : [{ name: 'exception', time: hrTime(ended), attributes: failure }],
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
