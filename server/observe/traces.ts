/** Traces by OpenTelemetry's SDK for Node, which is loaded only where its variables name a receiver. */
import { randomBytes } from 'node:crypto'
import type { api as Api, NodeSDK } from '@opentelemetry/sdk-node'
import { HEADER_VALUE } from '../../runtime/page/headers.ts'
import { MissingPackage, neededPackage } from '../../runtime/page/needed-package.ts'
import type { Span, SpanKind, SpanValues, ThreadSpan, Tracer, TraceHeaders } from '../contracts/tracer.ts'
import { StartError } from '../start-error.ts'

export interface Traces extends Tracer {
  /** Takes a span of a thread. */
  take(span: ThreadSpan): void
  /** Sends what was not sent yet. */
  close(): Promise<void>
}

export interface TraceOptions {
  /** Name of the site, unless `OTEL_SERVICE_NAME` gives another. */
  readonly service: string
  /** Version of this software. */
  readonly version: string
  /** Identifies the build, null where it changes. */
  readonly release: string | null
  readonly environment: string
  readonly log: { warn(fields: object, message: string): void }
}

type Sdk = typeof import('@opentelemetry/sdk-node')

/**
 * Starts tracing as the variables `OTEL_*` say.
 * @throws StartError where the SDK is not installed
 */
export async function openTraces(options: TraceOptions): Promise<Traces> {
  const sdk = await loadSdk()
  const { resources, NodeSDK } = sdk
  const { service, release, environment } = options
  const ids = new GivenIds()
  sayFailures(sdk.api, options.log)
  const node = new NodeSDK({
    resource: resources.defaultResource().merge(
      resources.resourceFromAttributes({
        'service.name': service,
        'deployment.environment.name': environment,
        ...(release !== null && { 'service.version': release }),
      }),
    ),
    // Spans know their parents, so nothing has to be carried along by asynchronous hooks.
    contextManager: new ContextOfTheMoment(sdk.api),
    idGenerator: ids,
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  })
  node.start()
  return new NodeTraces(sdk.api, node, ids, options.version)
}

async function loadSdk(): Promise<Sdk> {
  try {
    return await neededPackage(
      '@opentelemetry/sdk-node',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      () => import('@opentelemetry/sdk-node'),
    )
  } catch (error) {
    if (error instanceof MissingPackage) throw new StartError(error.message)
    throw error
  }
}

/** Milliseconds between two lines about traces that could not be sent. */
const QUIET = 60_000

function sayFailures(api: typeof Api, log: TraceOptions['log']): void {
  let said = Number.NEGATIVE_INFINITY
  const say = (message: string): void => {
    const now = performance.now()
    if (now - said < QUIET) return
    said = now
    log.warn({ reason: message.slice(0, 500) }, 'traces could not be sent')
  }
  const silent = (): void => undefined
  const logger = { error: say, warn: silent, info: silent, debug: silent, verbose: silent }
  // The SDK sets its own where OTEL_LOG_LEVEL asks for it.
  api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true })
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

/** Makes ids at random, but for a span that has one already. */
class GivenIds {
  /** The id of the span that is made next. */
  next: string | null = null

  generateTraceId(): string {
    return randomBytes(16).toString('hex')
  }

  generateSpanId(): string {
    const given = this.next
    this.next = null
    return given ?? randomBytes(8).toString('hex')
  }
}

class NodeTraces implements Traces {
  readonly #api: typeof Api
  readonly #node: NodeSDK
  readonly #ids: GivenIds
  readonly #tracer: Api.Tracer

  constructor(api: typeof Api, node: NodeSDK, ids: GivenIds, version: string) {
    this.#api = api
    this.#node = node
    this.#ids = ids
    this.#tracer = api.trace.getTracer('ingot', version)
  }

  request(headers: Parameters<Tracer['request']>[0], name: string, values: SpanValues): Span {
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
    return this.#begin(trace.deleteSpan(before), name, 'job', values, links)
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

  #begin(context: Api.Context, name: string, kind: SpanKind, attributes: SpanValues, links: Api.Link[]): Span {
    const span = this.#tracer.startSpan(name, { kind: this.#kind(kind), attributes, links }, context)
    return new NodeSpan(this.#api, this.#tracer, span, this.#api.trace.setSpan(context, span))
  }

  #kind(kind: SpanKind): Api.SpanKind {
    return kindOf(this.#api, kind)
  }
}

class NodeSpan implements Span {
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
    // Of what is not sampled nothing is kept, and this span is as good as any other to go on with.
    if (!this.#span.isRecording()) return this
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
    const headers: Record<string, string> = {}
    this.#api.propagation.inject(this.#context, headers)
    // What has come from outside must not end a header.
    return Object.fromEntries(Object.entries(headers).filter(([, value]) => HEADER_VALUE.test(value)))
  }
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
