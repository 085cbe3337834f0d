/** Spans of work, whoever keeps them. Where nothing is traced, the tracer is null and no span is made. */

export type SpanKind = 'server' | 'client' | 'job' | 'internal'

export type SpanValue = string | number | boolean

export type SpanValues = Readonly<Record<string, SpanValue>>

/** The headers by which a trace goes on elsewhere: `traceparent`, `tracestate`, `baggage`. */
export type TraceHeaders = Readonly<Record<string, string>>

/** Headers of a request as Node gives them. */
export type IncomingTraceHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Span {
  /** Hexadecimal; null for one that is not sampled as long as nobody has asked for its headers. */
  readonly traceId: string | null
  /** Whether anything of it is kept. */
  readonly sampled: boolean
  /** Begins a piece of this work. */
  child(name: string, kind: SpanKind, values: SpanValues): Span
  /**
   * Begins a piece that is kept only when it takes `threshold` milliseconds or more. What belongs to one that is not kept belongs to
   * the work around it. A piece that was not ended, because an error left it, ends with the work around it.
   */
  piece(name: string, threshold: number, values: SpanValues): Span
  rename(name: string): void
  set(values: SpanValues): void
  /** Notes that the work has failed. */
  fail(error: unknown): void
  end(): void
  /** For another server that goes on with the work, as far as it is to be told. */
  headers(): TraceHeaders
  /** For a job or a thread of this server that goes on with the work. */
  handOver(): TraceHeaders
}

export interface Tracer {
  /**
   * Begins the span of a request.
   * @param isTrusted whether its headers are those of the site's own proxy. It is then a part of the trace that they name, and takes its
   * decision about sampling. Other requests begin a trace that is linked to the named one, and pass nothing on.
   */
  request(headers: IncomingTraceHeaders, name: string, isTrusted: boolean): Span
  /** Begins the span of a job, linked to the work that queued it. */
  job(name: string, queuedBy: TraceHeaders, values: SpanValues): Span
  /** The span of another thread that this one goes on with; its end is told there. Null where the headers name none. */
  goOn(headers: TraceHeaders): Span | null
}

/** A span that has ended, on its way to the process that sends it: plain data. */
export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Null for the first of a trace. */
  readonly parentId: string | null
  /** What others keep of the trace: `tracestate`. */
  readonly state: string | null
  /** The work that this one was queued by. */
  readonly link: { readonly traceId: string; readonly spanId: string } | null
  readonly name: string
  readonly kind: SpanKind
  readonly values: SpanValues
  /** Milliseconds since the epoch, with fractions. */
  readonly started: number
  readonly ended: number
  readonly error: { readonly type: string; readonly message: string } | null
}
