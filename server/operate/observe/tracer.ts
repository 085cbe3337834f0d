/**
 * Spans as plain data: those of a process and those of its threads. A span is told when it ends; what is not sampled is a single
 * object for the whole request or job, which keeps nothing.
 */
import { randomFillSync } from 'node:crypto'
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
import { Carried, parentIn, type Propagators } from './propagation.ts'
import { pointOf, type Sampler } from './sampling.ts'

export interface TracerOptions {
  readonly sampler: Sampler
  readonly propagators: Propagators
  /** Takes a span that has ended. */
  readonly tell: (span: EndedSpan) => void
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

  request(headers: IncomingTraceHeaders, name: string, isTrusted: boolean): Span {
    if (!isTrusted) return this.#visitorRequest(headers, name)
    const { sampler, propagators } = this.#options
    const parent = propagators.context ? parentIn(headers) : null
    const ids = this.#ids
    if (!sampler(parent, parent === null ? ids.draw() : pointOf(parent.traceId)))
      return new SilentSpan(ids, propagators, headers, parent)
    const trace = this.#trace(parent?.traceId ?? ids.drawn(), headers, parent !== null)
    return new RecordedSpan(trace, { kind: 'server', parentId: parent?.spanId ?? null, link: null }, name, {})
  }

  /** What a visitor names is only linked to: their id could be chosen so that it is sampled, and the rest would go on to other servers. */
  #visitorRequest(headers: IncomingTraceHeaders, name: string): Span {
    const { sampler, propagators } = this.#options
    const ids = this.#ids
    if (!sampler(null, ids.draw())) return new SilentSpan(ids, propagators, NO_HEADERS, null)
    const link = linkTo(propagators.context ? parentIn(headers) : null)
    return new RecordedSpan(
      this.#trace(ids.drawn(), NO_HEADERS, false),
      { kind: 'server', parentId: null, link },
      name,
      {},
    )
  }

  job(name: string, queuedBy: TraceHeaders, values: SpanValues): Span {
    const { sampler, propagators } = this.#options
    const ids = this.#ids
    const before = parentIn(queuedBy)
    // A job may run long after its request has been answered, so it has a trace of its own.
    if (!sampler(null, ids.draw())) return new SilentSpan(ids, propagators, queuedBy, null)
    const trace = this.#trace(ids.drawn(), queuedBy, false)
    return new RecordedSpan(trace, { kind: 'job', parentId: null, link: linkTo(before) }, name, values)
  }

  goOn(headers: TraceHeaders): Span | null {
    const { propagators } = this.#options
    const parent = parentIn(headers)
    if (parent === null) return null
    if (!parent.sampled) return new SilentSpan(this.#ids, propagators, headers, parent)
    return new RecordedSpan(this.#trace(parent.traceId, headers, true), null, '', {}, { id: parent.spanId })
  }

  #trace(traceId: string, headers: IncomingTraceHeaders, goesOn: boolean): Trace {
    const { tell, propagators } = this.#options
    const carried = new Carried(headers, propagators, goesOn)
    return { traceId, carried, ids: this.#ids, tell, clock: Date.now() - performance.now() }
  }
}

const NO_HEADERS: IncomingTraceHeaders = {}

function linkTo(work: TraceParent | null): EndedSpan['link'] {
  return work === null ? null : { traceId: work.traceId, spanId: work.spanId }
}

/** What all spans of a trace in this process have in common. */
interface Trace {
  readonly traceId: string
  readonly carried: Carried
  readonly ids: RandomIds
  readonly tell: (span: EndedSpan) => void
  /** To be added to `performance.now()` for milliseconds since the epoch: taken anew for each trace, since clocks are set. */
  readonly clock: number
}

type SpanPlace = Pick<EndedSpan, 'kind' | 'parentId' | 'link'>

interface SpanChoice {
  readonly id?: string
  readonly around?: RecordedSpan
  readonly threshold?: number
}

class RecordedSpan implements Span {
  readonly sampled = true
  readonly #trace: Trace
  readonly #id: string
  /** Null for the span of another thread, which tells its end itself. */
  readonly #place: SpanPlace | null
  /** What it is a part of in this process. */
  readonly #around: RecordedSpan | null
  /** Milliseconds from which it is kept. */
  readonly #threshold: number
  readonly #started = performance.now()
  #name: string
  #values: SpanValues
  #error: EndedSpan['error'] = null
  #ended: number | null = null
  /** The piece of it that began last. */
  #piece: RecordedSpan | null = null
  /** What has ended in it while nobody knows yet whether it is kept: at most what is done within its threshold. */
  #waiting: RecordedSpan[] = []

  constructor(
    trace: Trace,
    place: SpanPlace | null,
    name: string,
    values: SpanValues,
    { id = trace.ids.span(), around, threshold = 0 }: SpanChoice = {},
  ) {
    this.#trace = trace
    this.#id = id
    this.#place = place
    this.#name = name
    this.#values = values
    this.#around = around ?? null
    this.#threshold = threshold
  }

  get traceId(): string {
    return this.#trace.traceId
  }

  child(name: string, kind: SpanKind, values: SpanValues): Span {
    return this.#part(name, kind, values, 0)
  }

  piece(name: string, threshold: number, values: SpanValues): Span {
    return (this.#piece = this.#part(name, 'internal', values, threshold))
  }

  #part(name: string, kind: SpanKind, values: SpanValues, threshold: number): RecordedSpan {
    return new RecordedSpan(this.#trace, { kind, parentId: null, link: null }, name, values, {
      around: this,
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
    this.#error = { type: cut(type), message: cut(message) }
  }

  end(): void {
    if (this.#ended !== null) return
    this.#piece?.end()
    this.#ended = performance.now()
    if (this.#place === null) return
    if (this.#isKept()) this.#settle()
    for (const part of this.#waiting) part.#settle()
    this.#waiting = []
  }

  /** Whether it is kept; null as long as that is not known. */
  #isKept(): boolean | null {
    const time = (this.#ended ?? performance.now()) - this.#started
    return time >= this.#threshold ? true : this.#ended === null ? null : false
  }

  /** Tells it as a part of the nearest work around it that is kept, or waits until it is known which that is. */
  #settle(): void {
    let around = this.#around
    while (around !== null) {
      const isKept = around.#isKept()
      if (isKept === null) {
        around.#waiting.push(this)
        return
      }
      if (isKept) break
      around = around.#around
    }
    const { traceId, carried, tell, clock } = this.#trace
    tell({
      traceId,
      spanId: this.#id,
      kind: this.#place?.kind ?? 'internal',
      parentId: around === null ? (this.#place?.parentId ?? null) : around.#id,
      link: this.#place?.link ?? null,
      state: carried.state,
      name: cut(this.#name),
      values: bounded(this.#values),
      started: clock + this.#started,
      ended: clock + (this.#ended ?? performance.now()),
      error: this.#error,
    })
  }

  headers(): TraceHeaders {
    const { traceId, carried } = this.#trace
    return carried.headers({ traceId, spanId: this.#toldId(), sampled: true })
  }

  handOver(): TraceHeaders {
    const { traceId, carried } = this.#trace
    return carried.handOver({ traceId, spanId: this.#toldId(), sampled: true })
  }

  /** The id that others may name: of a piece that may not be kept, that of the work around it. */
  #toldId(): string {
    let told: RecordedSpan = this
    while (told.#isKept() !== true && told.#around !== null) told = told.#around
    return told.#id
  }
}

/** Stands for all the work of a trace that is not sampled. Nothing is kept, and only those who ask for headers make any. */
class SilentSpan implements Span {
  readonly sampled = false
  readonly #ids: RandomIds
  readonly #propagators: Propagators
  readonly #headers: IncomingTraceHeaders
  readonly #parent: TraceParent | null
  #made: string | null = null
  #carried: Carried | null = null

  constructor(ids: RandomIds, propagators: Propagators, headers: IncomingTraceHeaders, parent: TraceParent | null) {
    this.#ids = ids
    this.#propagators = propagators
    this.#headers = headers
    this.#parent = parent
  }

  get traceId(): string | null {
    return this.#parent?.traceId ?? this.#made
  }

  child(): Span {
    return this
  }

  piece(): Span {
    return this
  }

  rename(): void {}

  set(): void {}

  fail(): void {}

  end(): void {}

  headers(): TraceHeaders {
    return this.#carry().headers(this.#work())
  }

  handOver(): TraceHeaders {
    return this.#carry().handOver(this.#work())
  }

  #carry(): Carried {
    return (this.#carried ??= new Carried(this.#headers, this.#propagators, this.#parent !== null))
  }

  #work(): TraceParent {
    const traceId = this.traceId ?? (this.#made = this.#ids.trace())
    return { traceId, spanId: this.#ids.span(), sampled: false }
  }
}

/** Longest text of a span in characters: addresses of requests may be long. */
const TEXT = 1_000

function cut(text: string): string {
  return text.length <= TEXT ? text : text.slice(0, TEXT)
}

function bounded(values: SpanValues): SpanValues {
  const kept: Record<string, SpanValue> = {}
  for (const [name, value] of Object.entries(values)) kept[name] = typeof value === 'string' ? cut(value) : value
  return kept
}

/** Random bytes that are drawn at once. */
const POOL = 4_096
const TRACE_BYTES = 16
const SPAN_BYTES = 8

/** Ids at random. The text of one is made when somebody needs it. */
class RandomIds {
  readonly #bytes = Buffer.alloc(POOL)
  #at = POOL
  #drawnAt = 0

  /** Draws the id of a trace. Returns its point: see `pointOf`. */
  draw(): number {
    const at = this.#take(TRACE_BYTES)
    this.#drawnAt = at
    const bytes = this.#bytes
    return (
      (bytes.readInt32BE(at) ^ bytes.readInt32BE(at + 4) ^ bytes.readInt32BE(at + 8) ^ bytes.readInt32BE(at + 12)) >>> 0
    )
  }

  /** The id of the trace that was drawn last, before any other id is taken. */
  drawn(): string {
    return this.#bytes.toString('hex', this.#drawnAt, this.#drawnAt + TRACE_BYTES)
  }

  trace(): string {
    this.draw()
    return this.drawn()
  }

  span(): string {
    const at = this.#take(SPAN_BYTES)
    return this.#bytes.toString('hex', at, at + SPAN_BYTES)
  }

  #take(size: number): number {
    if (this.#at + size > POOL) {
      randomFillSync(this.#bytes)
      this.#at = 0
    }
    const at = this.#at
    this.#at += size
    return at
  }
}
