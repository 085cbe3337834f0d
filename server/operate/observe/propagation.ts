/** Reads and writes the headers that propagate a trace between servers, as configured by `OTEL_PROPAGATORS`. */
import type { IncomingTraceHeaders, TraceHeaders } from '../../core/contracts/tracer.ts'
import {
  parseBaggage,
  parentHeader,
  parseTraceParent,
  parseTraceState,
  type TraceParent,
} from '../../web/http/trace-context.ts'

export interface Propagators {
  /** `traceparent` and `tracestate`. */
  readonly context: boolean
  readonly baggage: boolean
  /** Names that are not supported. */
  readonly unknown: readonly string[]
}

/** Parses `OTEL_PROPAGATORS`. */
export function readPropagators(variables: Readonly<Record<string, string | undefined>>): Propagators {
  const names = (variables['OTEL_PROPAGATORS'] ?? '').split(',').flatMap((name) => name.trim() || [])
  if (names.length === 0) return { context: true, baggage: true, unknown: [] }
  const none = names.includes('none')
  return {
    context: !none && names.includes('tracecontext'),
    baggage: !none && names.includes('baggage'),
    unknown: names.filter((name) => !['tracecontext', 'baggage', 'none'].includes(name)),
  }
}

/** The trace state and baggage of a request or a job, which its spans pass on. Parsed on first use. */
export class CarriedHeaders {
  readonly #headers: IncomingTraceHeaders
  readonly #propagators: Propagators
  /** Whether the trace of the headers is continued. Only then does its state apply. */
  readonly #isContinued: boolean
  #state: string | null | undefined
  #baggage: string | null | undefined

  constructor(headers: IncomingTraceHeaders, propagators: Propagators, isContinued: boolean) {
    this.#headers = headers
    this.#propagators = propagators
    this.#isContinued = isContinued
  }

  get state(): string | null {
    if (this.#state === undefined)
      this.#state = this.#isContinued ? parseTraceState(headerOf(this.#headers, 'tracestate')) : null
    return this.#state
  }

  /** Returns the headers for another server that continues the trace. */
  headers(parent: TraceParent): TraceHeaders {
    const { traceparent, tracestate, baggage } = this.handOver(parent)
    const { context } = this.#propagators
    return {
      ...(context && traceparent !== undefined && { traceparent }),
      ...(context && tracestate !== undefined && { tracestate }),
      ...(baggage !== undefined && { baggage }),
    }
  }

  /** Returns the headers for a job or a thread of this server, which gets them whatever `OTEL_PROPAGATORS` says. */
  handOver(parent: TraceParent): TraceHeaders {
    if (this.#baggage === undefined)
      this.#baggage = this.#propagators.baggage ? parseBaggage(headerOf(this.#headers, 'baggage')) : null
    return {
      traceparent: parentHeader(parent),
      ...(this.state !== null && { tracestate: this.state }),
      ...(this.#baggage !== null && { baggage: this.#baggage }),
    }
  }
}

/** Returns the parent span in the headers; null when there is none. */
export function parentIn(headers: IncomingTraceHeaders): TraceParent | null {
  // Most requests have no such header.
  return headers['traceparent'] === undefined ? null : parseTraceParent(headerOf(headers, 'traceparent'))
}

/** Returns the value of a header. Repeated headers are joined, like Node joins most of them. */
function headerOf(headers: IncomingTraceHeaders, name: string): string {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return value === undefined ? '' : typeof value === 'string' ? value : value.join(',')
}
