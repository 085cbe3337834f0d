/** Traces by OpenTelemetry's SDK for Node, which is loaded only where its variables name a receiver. */
import { randomBytes } from 'node:crypto'
import type { api as Api, node as Node, NodeSDK } from '@opentelemetry/sdk-node'
import { HEADER_VALUE } from '../../runtime/page/headers.ts'
import type { Span, SpanKind, SpanValues, ThreadSpan, Tracer, TraceHeaders } from '../contracts/tracer.ts'
import { samplerOf } from './sampling.ts'
import { loadSdk, resourceOf, sayFailures, type Sdk, type TelemetryOptions } from './sdk.ts'

export interface Traces extends Tracer {
  /** Takes a span of a thread. */
  take(span: ThreadSpan): void
  /** Sends what was not sent yet. */
  close(): Promise<void>
}

/**
 * Starts tracing as the variables `OTEL_*` say.
 * @throws StartError where the SDK is not installed
 */
export async function openTraces(options: TelemetryOptions): Promise<Traces> {
  const sdk = await loadSdk()
  const { NodeSDK } = sdk
  const ids = new GivenIds()
  sayFailures(sdk, 'traces', options.log)
  const node = new NodeSDK({
    resource: resourceOf(sdk, options),
    // Spans know their parents, so nothing has to be carried along by asynchronous hooks.
    contextManager: new ContextOfTheMoment(sdk.api),
    idGenerator: ids,
    // What is not sampled is not brought before it.
    sampler: new sdk.node.AlwaysOnSampler(),
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  })
  node.start()
  return new NodeTraces(sdk, node, ids, options.version, samplerOf(sdk.node, process.env, options))
}

/**
 * Holds a context while a function runs, and not beyond. The SDK sets one while it sends, so that it does not trace
 * itself.
 */
class ContextOfTheMoment implements Api.ContextManager {
  #current: Api.Context
  readonly #root: Api.Context

  constructor({ ROOT_CONTEXT }: typeof Api) {
    this.#root = ROOT_CONTEXT
    this.#current = ROOT_CONTEXT
  }

  active(): Api.Context {
    return this.#current
  }

  with<Given extends unknown[], Run extends (...given: Given) => ReturnType<Run>>(
    context: Api.Context,
    run: Run,
    self?: ThisParameterType<Run>,
    ...given: Given
  ): ReturnType<Run> {
    const before = this.#current
    this.#current = context
    try {
      return run.call(self, ...given)
    } finally {
      this.#current = before
    }
  }

  bind<T>(_context: Api.Context, target: T): T {
    return target
  }

  enable(): this {
    return this
  }

  disable(): this {
    this.#current = this.#root
    return this
  }
}

/** Random bytes that are drawn at once. */
const POOL = 4_096

/** Makes ids at random, but for a span or a trace that has one already. */
class GivenIds {
  /** The id of the span that is made next. */
  next: string | null = null
  /** The id of the trace that is made next. */
  nextTrace: string | null = null
  #bytes = randomBytes(POOL)
  #at = 0

  /** @param size in bytes */
  random(size: number): string {
    if (this.#at + size > POOL) {
      this.#bytes = randomBytes(POOL)
      this.#at = 0
    }
    const from = this.#at
    this.#at += size
    return this.#bytes.toString('hex', from, this.#at)
  }

  generateTraceId(): string {
    const given = this.nextTrace
    this.nextTrace = null
    return given ?? this.random(16)
  }

  generateSpanId(): string {
    const given = this.next
    this.next = null
    return given ?? this.random(8)
  }
}

class NodeTraces implements Traces {
  readonly #api: typeof Api
  readonly #node: NodeSDK
  readonly #ids: GivenIds
  readonly #tracer: Api.Tracer
  readonly #sampler: Node.Sampler
  readonly #sampled: Node.SamplingDecision

  constructor(
    { api, node: { SamplingDecision } }: Sdk,
    node: NodeSDK,
    ids: GivenIds,
    version: string,
    sampler: Node.Sampler,
  ) {
    this.#api = api
    this.#node = node
    this.#ids = ids
    this.#tracer = api.trace.getTracer('ingot', version)
    this.#sampler = sampler
    this.#sampled = SamplingDecision.RECORD_AND_SAMPLED
  }

  request(headers: Parameters<Tracer['request']>[0], name: string, values: () => SpanValues): Span {
    const { propagation, ROOT_CONTEXT } = this.#api
    const named = headers['traceparent'] !== undefined || headers['baggage'] !== undefined
    const context = named ? propagation.extract(ROOT_CONTEXT, headers, GETTER) : ROOT_CONTEXT
    return this.#begin(context, name, 'server', values, [])
  }

  job(name: string, queuedBy: TraceHeaders, values: SpanValues): Span {
    const { propagation, trace, ROOT_CONTEXT } = this.#api
    const before = propagation.extract(ROOT_CONTEXT, queuedBy, GETTER)
    const context = trace.getSpanContext(before)
    const links = context === undefined ? [] : [{ context }]
    // A job may run long after its request has been answered, so it has a trace of its own.
    return this.#begin(trace.deleteSpan(before), name, 'job', () => values, links)
  }

  take(span: ThreadSpan): void {
    const { trace, ROOT_CONTEXT, TraceFlags } = this.#api
    const { traceId, parentId, spanId, name, kind, values, started, ended, error } = span
    const parent = { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED }
    this.#ids.next = spanId
    const options = { kind: this.#kind(kind), attributes: values, startTime: started }
    const made = this.#tracer.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, parent))
    // Where it is not sampled, no id was asked for.
    this.#ids.next = null
    if (error !== null) noteFailure(this.#api, made, error, ended)
    made.end(ended)
  }

  async close(): Promise<void> {
    // Nobody is left to be told.
    await this.#node.shutdown().catch(() => undefined)
  }

  #begin(context: Api.Context, name: string, kind: SpanKind, values: () => SpanValues, links: Api.Link[]): Span {
    const traceId = this.#api.trace.getSpanContext(context)?.traceId ?? this.#ids.random(16)
    const by = this.#kind(kind)
    const { decision } = this.#sampler.shouldSample(context, traceId, name, by, NO_VALUES, links)
    if (decision !== this.#sampled) return new SilentSpan(this.#api, this.#ids, context, traceId)
    this.#ids.nextTrace = traceId
    const span = this.#tracer.startSpan(name, { kind: by, attributes: values(), links }, context)
    this.#ids.nextTrace = null
    return new NodeSpan(this.#api, this.#tracer, span, this.#api.trace.setSpan(context, span))
  }

  #kind(kind: SpanKind): Api.SpanKind {
    return kindOf(this.#api, kind)
  }
}

const NO_VALUES: SpanValues = {}

/** Stands for all the work of a trace that is not sampled. Nothing is kept, and only those who ask for headers make any. */
class SilentSpan implements Span {
  readonly traceId: string
  readonly sampled = false
  readonly #api: typeof Api
  readonly #ids: GivenIds
  readonly #context: Api.Context

  constructor(api: typeof Api, ids: GivenIds, context: Api.Context, traceId: string) {
    this.#api = api
    this.#ids = ids
    this.#context = context
    this.traceId = traceId
  }

  child(): Span {
    return this
  }

  rename(): void {}

  set(): void {}

  fail(): void {}

  end(): void {}

  headers(): TraceHeaders {
    const { trace, TraceFlags } = this.#api
    const state = trace.getSpanContext(this.#context)?.traceState
    const place = {
      traceId: this.traceId,
      spanId: this.#ids.random(8),
      traceFlags: TraceFlags.NONE,
      ...(state !== undefined && { traceState: state }),
    }
    return headersOf(this.#api, trace.setSpanContext(this.#context, place))
  }
}

class NodeSpan implements Span {
  readonly sampled = true
  readonly #api: typeof Api
  readonly #tracer: Api.Tracer
  readonly #span: Api.Span
  readonly #context: Api.Context

  constructor(api: typeof Api, tracer: Api.Tracer, span: Api.Span, context: Api.Context) {
    this.#api = api
    this.#tracer = tracer
    this.#span = span
    this.#context = context
  }

  get traceId(): string {
    return this.#span.spanContext().traceId
  }

  child(name: string, kind: SpanKind, attributes: SpanValues): Span {
    const span = this.#tracer.startSpan(name, { kind: kindOf(this.#api, kind), attributes }, this.#context)
    return new NodeSpan(this.#api, this.#tracer, span, this.#api.trace.setSpan(this.#context, span))
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  set(values: SpanValues): void {
    this.#span.setAttributes(values)
  }

  fail(error: unknown): void {
    noteFailure(this.#api, this.#span, failureOf(error))
  }

  end(): void {
    this.#span.end()
  }

  headers(): TraceHeaders {
    return headersOf(this.#api, this.#context)
  }
}

function headersOf({ propagation }: typeof Api, context: Api.Context): TraceHeaders {
  const headers: Record<string, string> = {}
  propagation.inject(context, headers)
  // What has come from outside must not end a header.
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => HEADER_VALUE.test(value)))
}

/** Longest message of a failure in characters. */
const MESSAGE = 1_000

function failureOf(error: unknown): NonNullable<ThreadSpan['error']> {
  return error instanceof Error
    ? { type: error.name, message: error.message }
    : { type: 'Error', message: String(error) }
}

function noteFailure(
  api: typeof Api,
  span: Api.Span,
  { type, message }: NonNullable<ThreadSpan['error']>,
  at?: number,
): void {
  const text = message.slice(0, MESSAGE)
  span.recordException({ name: type, message: text }, at)
  span.setAttribute('error.type', type)
  span.setStatus({ code: api.SpanStatusCode.ERROR, message: text })
}

function kindOf({ SpanKind: kinds }: typeof Api, kind: SpanKind): Api.SpanKind {
  if (kind === 'server') return kinds.SERVER
  if (kind === 'client') return kinds.CLIENT
  return kind === 'job' ? kinds.CONSUMER : kinds.INTERNAL
}

/** Reads headers as Node gives them: a repeated one is joined already. */
const GETTER: Api.TextMapGetter<Readonly<Record<string, string | readonly string[] | undefined>>> = {
  keys: (headers) => Object.keys(headers),
  get(headers, key) {
    const value = Object.hasOwn(headers, key) ? headers[key] : undefined
    return typeof value === 'string' || value === undefined ? value : [...value]
  },
}
