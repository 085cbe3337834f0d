/** What goes on with a trace from one server to the next: which headers are read and written, as `OTEL_PROPAGATORS` says. */
import type { IncomingTraceHeaders, TraceHeaders } from '../../core/contracts/tracer.ts'
import { baggageOf, parentHeader, parentOf, stateOf, type TraceParent } from '../../web/http/trace-context.ts'

export interface Propagators {
  /** `traceparent` and `tracestate`. */
  readonly context: boolean
  readonly baggage: boolean
  /** Names that nothing is known of here. */
  readonly unknown: readonly string[]
}

export function propagatorsOf(variables: Readonly<Record<string, string | undefined>>): Propagators {
  const names = (variables['OTEL_PROPAGATORS'] ?? '').split(',').flatMap((name) => name.trim() || [])
  if (names.length === 0) return { context: true, baggage: true, unknown: [] }
  const none = names.includes('none')
  return {
    context: !none && names.includes('tracecontext'),
    baggage: !none && names.includes('baggage'),
    unknown: names.filter((name) => !['tracecontext', 'baggage', 'none'].includes(name)),
  }
}

/** What came with a request or a job and goes on with all its work. Read when it is first needed. */
export class Carried {
  readonly #headers: IncomingTraceHeaders
  readonly #propagators: Propagators
  /** Whether the trace goes on: its state belongs to it alone. */
  readonly #goesOn: boolean
  #state: string | null | undefined
  #baggage: string | null | undefined

  constructor(headers: IncomingTraceHeaders, propagators: Propagators, goesOn: boolean) {
    this.#headers = headers
    this.#propagators = propagators
    this.#goesOn = goesOn
  }

  get state(): string | null {
    if (this.#state === undefined) this.#state = this.#goesOn ? stateOf(headerOf(this.#headers, 'tracestate')) : null
    return this.#state
  }

  /** The headers for another server that goes on with a piece of work. */
  headers(work: TraceParent): TraceHeaders {
    const { traceparent, tracestate, baggage } = this.handOver(work)
    const { context } = this.#propagators
    return {
      ...(context && traceparent !== undefined && { traceparent }),
      ...(context && tracestate !== undefined && { tracestate }),
      ...(baggage !== undefined && { baggage }),
    }
  }

  /** The same for a job or a thread of this server, which is told of the trace whatever goes out. */
  handOver(work: TraceParent): TraceHeaders {
    if (this.#baggage === undefined)
      this.#baggage = this.#propagators.baggage ? baggageOf(headerOf(this.#headers, 'baggage')) : null
    return {
      traceparent: parentHeader(work),
      ...(this.state !== null && { tracestate: this.state }),
      ...(this.#baggage !== null && { baggage: this.#baggage }),
    }
  }
}

/** The work that headers name; null where they name none. */
export function parentIn(headers: IncomingTraceHeaders): TraceParent | null {
  // Most requests have none.
  return headers['traceparent'] === undefined ? null : parentOf(headerOf(headers, 'traceparent'))
}

/** Repeated headers are joined, as Node joins most of them. */
function headerOf(headers: IncomingTraceHeaders, name: string): string {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return value === undefined ? '' : typeof value === 'string' ? value : value.join(',')
}
