/**
 * Spans of a job thread: they are made without the SDK, and handed to the process when they end, because a thread can
 * be ended at any moment.
 */
import { randomBytes } from 'node:crypto'
import type { Span, SpanKind, SpanValues, ThreadSpan, TraceHeaders, Tracer } from '../contracts/tracer.ts'

/** Jobs come with the spans that the process has made; a thread begins none of its own. */
export const THREAD_TRACER: Tracer = {
  request() {
    throw new Error('a thread answers no requests')
  },
  job() {
    throw new Error('a thread takes no jobs')
  },
}

const PARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

/**
 * The span of the process that the thread works for; its end is the process's.
 * @param headers as the process gave them; null where they name no trace
 */
export function threadSpan(headers: TraceHeaders, tell: (span: ThreadSpan) => void): Span | null {
  const found = PARENT.exec(headers['traceparent'] ?? '')
  if (found === null) return null
  const [, traceId = '', spanId = '', flags = ''] = found
  return new ForwardedSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1, headers, tell }, null)
}

interface SpanPlace {
  readonly traceId: string
  readonly spanId: string
  readonly sampled: boolean
  /** Those of the root: its state and baggage go on with every span. */
  readonly headers: TraceHeaders
  readonly tell: (span: ThreadSpan) => void
}

interface SpanWork {
  readonly parentId: string
  readonly kind: SpanKind
  readonly started: number
}

class ForwardedSpan implements Span {
  readonly traceId: string
  readonly #place: SpanPlace
  /** Null for the process's own span. */
  readonly #work: SpanWork | null
  #name = ''
  #values: SpanValues = {}
  #error: ThreadSpan['error'] = null

  get sampled(): boolean {
    return this.#place.sampled
  }

  constructor(place: SpanPlace, work: SpanWork | null) {
    this.traceId = place.traceId
    this.#place = place
    this.#work = work
  }

  child(name: string, kind: SpanKind, values: SpanValues): Span {
    const place = this.#place
    if (!place.sampled) return this
    const work = { parentId: place.spanId, kind, started: now() }
    const span = new ForwardedSpan({ ...place, spanId: randomBytes(8).toString('hex') }, work)
    span.rename(name)
    span.set(values)
    return span
  }

  rename(name: string): void {
    this.#name = name
  }

  set(values: SpanValues): void {
    this.#values = { ...this.#values, ...values }
  }

  fail(error: unknown): void {
    this.#error =
      error instanceof Error ? { type: error.name, message: error.message } : { type: 'Error', message: String(error) }
  }

  end(): void {
    const { traceId, spanId, sampled, tell } = this.#place
    if (this.#work === null || !sampled) return
    tell({ traceId, spanId, ...this.#work, name: this.#name, values: this.#values, ended: now(), error: this.#error })
  }

  headers(): TraceHeaders {
    const { headers, traceId, spanId, sampled } = this.#place
    return { ...headers, traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}` }
  }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
