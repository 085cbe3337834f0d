/** The interfaces of traces. When nothing is traced, the tracer is null and no span is created. */
import type { Recording } from './recording.ts'

export type SpanKind = 'server' | 'client' | 'job' | 'internal'

export type SpanValue = string | number | boolean

export type SpanValues = Readonly<Record<string, SpanValue>>

/** The headers that pass a trace to another process or server: `traceparent`, `tracestate`, `baggage`. */
export type TraceHeaders = Readonly<Record<string, string>>

/** Headers of a request as Node gives them. */
export type IncomingTraceHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Span {
  /** The trace id in hexadecimal. Null for an unsampled span whose headers were never requested. */
  readonly traceId: string | null
  /** Whether the span is recorded. */
  readonly sampled: boolean
  /** Details of the request or job, which all its spans share. Null in production, and when nothing is recorded. */
  readonly recording: Recording | null
  /** Starts a child span. */
  child(name: string, kind: SpanKind, values: SpanValues): Span
  /**
   * Starts a child span that is recorded only when it takes `threshold` milliseconds or more. Children of an unrecorded
   * span belong to its parent. A span that an error has left open ends with its parent.
   */
  optionalChild(name: string, threshold: number, values: SpanValues): Span
  rename(name: string): void
  set(values: SpanValues): void
  /** Marks the span as failed. */
  fail(error: unknown): void
  end(): void
  /** Returns the headers for another server, as far as the settings allow. */
  headers(): TraceHeaders
  /** Returns the headers for a job or a thread of this server. */
  internalHeaders(): TraceHeaders
}

export interface Tracer {
  /**
   * Starts the span of a request.
   * @param isTrusted whether the headers come from the site's own proxy. The span then joins their trace and adopts its
   * sampling decision. Other requests start a new trace, which is linked to the named one, and do not pass it on.
   * @param isRecorded whether details are recorded, if this tracer records them at all
   */
  request(headers: IncomingTraceHeaders, name: string, isTrusted: boolean, isRecorded?: boolean): Span
  /** Starts the span of a job, linked to the span that queued the job. */
  job(name: string, queuedBy: TraceHeaders, values: SpanValues): Span
  /**
   * Returns the span of another thread that this thread continues; the other thread ends it. Its recording, if any, belongs to this thread.
   * Null without a span in the headers.
   */
  continueTrace(headers: TraceHeaders): Span | null
}

/** An ended span as plain data, for the process that sends it. */
export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Null for the root of a trace. */
  readonly parentId: string | null
  /** The `tracestate` of other vendors. */
  readonly state: string | null
  /** The span that queued this work. */
  readonly link: { readonly traceId: string; readonly spanId: string } | null
  readonly name: string
  readonly kind: SpanKind
  readonly values: SpanValues
  /** Milliseconds since the epoch, with fractions. */
  readonly started: number
  readonly ended: number
  readonly error: { readonly type: string; readonly message: string } | null
}
