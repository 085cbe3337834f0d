/** Spans of work, whoever keeps them. Where nothing is traced, the tracer is null and no span is made. */

export type SpanKind = 'server' | 'client' | 'job' | 'internal'

export type SpanValue = string | number | boolean

export type SpanValues = Readonly<Record<string, SpanValue>>

/** The headers by which a trace goes on elsewhere: `traceparent`, `tracestate`, `baggage`. */
export type TraceHeaders = Readonly<Record<string, string>>

export interface Span {
  /** Hexadecimal. */
  readonly traceId: string
  /** Whether anything of it is kept. */
  readonly sampled: boolean
  /** Begins a piece of this work. */
  child(name: string, kind: SpanKind, values: SpanValues): Span
  rename(name: string): void
  set(values: SpanValues): void
  /** Notes that the work has failed. */
  fail(error: unknown): void
  end(): void
  /** For another server or a job that goes on with the work. */
  headers(): TraceHeaders
}

export interface Tracer {
  /**
   * Begins the span of a request, as a part of what its headers name.
   * @param values called where the request is sampled
   */
  request(
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    name: string,
    values: () => SpanValues,
  ): Span
  /** Begins the span of a job, linked to the work that queued it. */
  job(name: string, queuedBy: TraceHeaders, values: SpanValues): Span
}

/** A span of a thread on its way to its process: plain data. */
export interface ThreadSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string
  readonly name: string
  readonly kind: SpanKind
  readonly values: SpanValues
  /** Milliseconds since the epoch, with fractions. */
  readonly started: number
  readonly ended: number
  readonly error: { readonly type: string; readonly message: string } | null
}
