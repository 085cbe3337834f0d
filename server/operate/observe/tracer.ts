/**
 * Creates spans as plain data in processes and their threads. A span is reported when it ends. A trace that is not sampled uses a single
 * object for the whole request or job, which records nothing.
 */
import { randomFillSync } from 'node:crypto'
import type { Recording } from '../../core/contracts/recording.ts'
import type {
  EndedSpan,
  IncomingTraceHeaders,
  Span,
  SpanKind,
  SpanValue,
  SpanValues,
  TraceHeaders,
  Tracer,
} from '../../core/contracts/tracer.ts'
import type { TraceParent } from '../../web/http/trace-context.ts'
import { CarriedHeaders, parentIn, type Propagators } from './propagation.ts'
import { samplingPoint, type Sampler } from './sampling.ts'

export interface TracerOptions {
  readonly sampler: Sampler
  readonly propagators: Propagators
  /** Receives a span that has ended. */
  readonly report: (span: EndedSpan) => void
  /**
   * Starts the recording of a request, or of a job in its thread. Returns null for one that is not recorded. Absent or null when nothing is
   * recorded.
   */
  readonly record?: (() => Recording | null) | null
}

export function createTracer(options: TracerOptions): Tracer {
  return new PlainTracer(options)
}

class PlainTracer implements Tracer {
  readonly #options: TracerOptions
  readonly #ids = new RandomIds()

  constructor(options: TracerOptions) {
    this.#options = options
  }

  request(headers: IncomingTraceHeaders, name: string, isTrusted: boolean, isRecorded = true): Span {
    const recording = (isRecorded ? this.#options.record?.() : null) ?? null
    if (!isTrusted) return this.#visitorRequest(headers, name, recording)
    const { sampler, propagators } = this.#options
    const parent = propagators.context ? parentIn(headers) : null
    const ids = this.#ids
    if (!sampler(parent, parent === null ? ids.draw() : samplingPoint(parent.traceId)))
      return new SilentSpan(ids, propagators, headers, parent, recording)
    const trace = this.#trace(parent?.traceId ?? ids.lastDrawn(), headers, parent !== null, recording)
    return new RecordedSpan(trace, { kind: 'server', parentId: parent?.spanId ?? null, link: null }, name, {})
  }

  /**
   * Starts a trace that is only linked to the one in a visitor's headers. Otherwise visitors could choose an id that is sampled, and
   * their other headers would be sent on to other servers.
   */
  #visitorRequest(headers: IncomingTraceHeaders, name: string, recording: Recording | null): Span {
    const { sampler, propagators } = this.#options
    const ids = this.#ids
    if (!sampler(null, ids.draw())) return new SilentSpan(ids, propagators, NO_HEADERS, null, recording)
    const link = linkTo(propagators.context ? parentIn(headers) : null)
    return new RecordedSpan(
      this.#trace(ids.lastDrawn(), NO_HEADERS, false, recording),
      { kind: 'server', parentId: null, link },
      name,
      {},
    )
  }

  job(name: string, queuedBy: TraceHeaders, values: SpanValues): Span {
    const { sampler, propagators } = this.#options
    const ids = this.#ids
    const before = parentIn(queuedBy)
    // A job may run long after its request was answered, so it has a separate trace.
    if (!sampler(null, ids.draw())) return new SilentSpan(ids, propagators, queuedBy, null)
    const trace = this.#trace(ids.lastDrawn(), queuedBy, false)
    return new RecordedSpan(trace, { kind: 'job', parentId: null, link: linkTo(before) }, name, values)
  }

  continueTrace(headers: TraceHeaders): Span | null {
    const { propagators } = this.#options
    const parent = parentIn(headers)
    if (parent === null) return null
    const recording = this.#options.record?.() ?? null
    if (!parent.sampled) return new SilentSpan(this.#ids, propagators, headers, parent, recording)
    return new RecordedSpan(this.#trace(parent.traceId, headers, true, recording), null, '', {}, { id: parent.spanId })
  }

  #trace(
    traceId: string,
    headers: IncomingTraceHeaders,
    isContinued: boolean,
    recording: Recording | null = null,
  ): Trace {
    const { report, propagators } = this.#options
    const carried = new CarriedHeaders(headers, propagators, isContinued)
    return { traceId, carried, recording, ids: this.#ids, report, clock: Date.now() - performance.now() }
  }
}

const NO_HEADERS: IncomingTraceHeaders = {}

function linkTo(work: TraceParent | null): EndedSpan['link'] {
  return work === null ? null : { traceId: work.traceId, spanId: work.spanId }
}

/** The data that all spans of a trace share in this process. */
interface Trace {
  readonly traceId: string
  readonly carried: CarriedHeaders
  readonly recording: Recording | null
  readonly ids: RandomIds
  readonly report: (span: EndedSpan) => void
  /** Offset that converts `performance.now()` to milliseconds since 1970. Computed for each trace, because the clock may be set. */
  readonly clock: number
}

type SpanIdentity = Pick<EndedSpan, 'kind' | 'parentId' | 'link'>

interface SpanOptions {
  readonly id?: string
  readonly parent?: RecordedSpan
  readonly threshold?: number
}

class RecordedSpan implements Span {
  readonly sampled = true
  readonly #trace: Trace
  readonly #id: string
  /** Null for the span of another thread, which reports it itself. */
  readonly #identity: SpanIdentity | null
  /** The parent span in this process. */
  readonly #parent: RecordedSpan | null
  /** Minimum duration in milliseconds of a span that is kept. */
  readonly #threshold: number
  readonly #started = performance.now()
  #name: string
  #values: SpanValues
  #error: EndedSpan['error'] = null
  #ended: number | null = null
  /** The optional child span that began last. */
  #lastPiece: RecordedSpan | null = null
  /** Ended child spans that wait until it is known whether this span is kept. */
  #waiting: RecordedSpan[] = []

  constructor(
    trace: Trace,
    identity: SpanIdentity | null,
    name: string,
    values: SpanValues,
    { id = trace.ids.span(), parent, threshold = 0 }: SpanOptions = {},
  ) {
    this.#trace = trace
    this.#id = id
    this.#identity = identity
    this.#name = name
    this.#values = values
    this.#parent = parent ?? null
    this.#threshold = threshold
  }

  get traceId(): string {
    return this.#trace.traceId
  }

  get recording(): Recording | null {
    return this.#trace.recording
  }

  child(name: string, kind: SpanKind, values: SpanValues): Span {
    return this.#createChild(name, kind, values, 0)
  }

  optionalChild(name: string, threshold: number, values: SpanValues): Span {
    return (this.#lastPiece = this.#createChild(name, 'internal', values, threshold))
  }

  #createChild(name: string, kind: SpanKind, values: SpanValues, threshold: number): RecordedSpan {
    return new RecordedSpan(this.#trace, { kind, parentId: null, link: null }, name, values, {
      parent: this,
      threshold,
    })
  }

  rename(name: string): void {
    this.#name = name
  }

  set(values: SpanValues): void {
    this.#values = { ...this.#values, ...values }
  }

  fail(error: unknown): void {
    const { name: type, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    this.#error = { type: truncate(type), message: truncate(message) }
  }

  end(): void {
    if (this.#ended !== null) return
    this.#lastPiece?.end()
    this.#ended = performance.now()
    if (this.#identity === null) return
    if (this.#isKept()) this.#report()
    for (const child of this.#waiting) child.#report()
    this.#waiting = []
  }

  /** Returns whether the span is kept; null as long as that is unknown. */
  #isKept(): boolean | null {
    const time = (this.#ended ?? performance.now()) - this.#started
    return time >= this.#threshold ? true : this.#ended === null ? null : false
  }

  /** Reports the span with its nearest kept ancestor as the parent, or waits until that ancestor is known. */
  #report(): void {
    let parent = this.#parent
    while (parent !== null) {
      const isKept = parent.#isKept()
      if (isKept === null) {
        parent.#waiting.push(this)
        return
      }
      if (isKept) break
      parent = parent.#parent
    }
    const { traceId, carried, report, clock } = this.#trace
    report({
      traceId,
      spanId: this.#id,
      kind: this.#identity?.kind ?? 'internal',
      parentId: parent === null ? (this.#identity?.parentId ?? null) : parent.#id,
      link: this.#identity?.link ?? null,
      state: carried.state,
      name: truncate(this.#name),
      values: truncateValues(this.#values),
      started: clock + this.#started,
      ended: clock + (this.#ended ?? performance.now()),
      error: this.#error,
    })
  }

  headers(): TraceHeaders {
    const { traceId, carried } = this.#trace
    return carried.headers({ traceId, spanId: this.#publicId(), sampled: true })
  }

  internalHeaders(): TraceHeaders {
    const { traceId, carried } = this.#trace
    return carried.handOver({ traceId, spanId: this.#publicId(), sampled: true })
  }

  /** Returns the id for headers. A span that may not be kept uses the id of its nearest kept ancestor. */
  #publicId(): string {
    let span: RecordedSpan = this
    while (span.#isKept() !== true && span.#parent !== null) span = span.#parent
    return span.#id
  }
}

/** Represents all spans of a trace that is not sampled. It reports nothing, and creates ids only when headers are needed. */
class SilentSpan implements Span {
  readonly sampled = false
  readonly recording: Recording | null
  readonly #ids: RandomIds
  readonly #propagators: Propagators
  readonly #headers: IncomingTraceHeaders
  readonly #parent: TraceParent | null
  #newTraceId: string | null = null
  #carried: CarriedHeaders | null = null

  constructor(
    ids: RandomIds,
    propagators: Propagators,
    headers: IncomingTraceHeaders,
    parent: TraceParent | null,
    recording: Recording | null = null,
  ) {
    this.recording = recording
    this.#ids = ids
    this.#propagators = propagators
    this.#headers = headers
    this.#parent = parent
  }

  get traceId(): string | null {
    return this.#parent?.traceId ?? this.#newTraceId
  }

  child(): Span {
    return this
  }

  optionalChild(): Span {
    return this
  }

  rename(): void {}

  set(): void {}

  fail(): void {}

  end(): void {}

  headers(): TraceHeaders {
    return this.#carry().headers(this.#work())
  }

  internalHeaders(): TraceHeaders {
    return this.#carry().handOver(this.#work())
  }

  #carry(): CarriedHeaders {
    return (this.#carried ??= new CarriedHeaders(this.#headers, this.#propagators, this.#parent !== null))
  }

  #work(): TraceParent {
    const traceId = this.traceId ?? (this.#newTraceId = this.#ids.trace())
    return { traceId, spanId: this.#ids.span(), sampled: false }
  }
}

/** Maximum length of a text in a span, because URLs may be long. */
const MAX_TEXT = 1_000

function truncate(text: string): string {
  return text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT)
}

function truncateValues(values: SpanValues): SpanValues {
  const kept: Record<string, SpanValue> = {}
  for (const [name, value] of Object.entries(values)) kept[name] = typeof value === 'string' ? truncate(value) : value
  return kept
}

/** Number of random bytes generated at once. */
const POOL = 4_096
const TRACE_BYTES = 16
const SPAN_BYTES = 8

/** Generates random ids. The text of an id is created only when it is needed. */
class RandomIds {
  readonly #bytes = Buffer.alloc(POOL)
  #at = POOL
  #drawnAt = 0

  /** Draws a trace id. Returns its sampling point: see `samplingPoint`. */
  draw(): number {
    const at = this.#reserve(TRACE_BYTES)
    this.#drawnAt = at
    const bytes = this.#bytes
    return (
      (bytes.readInt32BE(at) ^ bytes.readInt32BE(at + 4) ^ bytes.readInt32BE(at + 8) ^ bytes.readInt32BE(at + 12)) >>> 0
    )
  }

  /** Returns the trace id that was drawn last. Must be called before another id is generated. */
  lastDrawn(): string {
    return this.#bytes.toString('hex', this.#drawnAt, this.#drawnAt + TRACE_BYTES)
  }

  trace(): string {
    this.draw()
    return this.lastDrawn()
  }

  span(): string {
    const at = this.#reserve(SPAN_BYTES)
    return this.#bytes.toString('hex', at, at + SPAN_BYTES)
  }

  #reserve(size: number): number {
    if (this.#at + size > POOL) {
      randomFillSync(this.#bytes)
      this.#at = 0
    }
    const at = this.#at
    this.#at += size
    return at
  }
}
