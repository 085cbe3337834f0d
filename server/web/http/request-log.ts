/** Records answered requests: a line of the log, a measure, and the end of the span. */
import type { Measures } from '../../core/contracts/observer.ts'
import type { Span, SpanValues, Tracer } from '../../core/contracts/tracer.ts'
import { headerOf, isFile, type Reply, type Request } from './message.ts'
import { recordedAnswer } from './recorded-answer.ts'
import { traceIdOf } from './trace-context.ts'

/** The methods of a logger that the listener uses. */
export interface RequestLog {
  /** Returns whether lines of a level are written. If absent, all are written. */
  isLevelEnabled?(level: 'info'): boolean
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** An answered request, for a separate record. */
export interface AnsweredRequest {
  readonly request: Request
  readonly status: number
  readonly seconds: number
  /** Size of the answer's body; null when unknown. */
  readonly bytes: number | null
}

export interface RecordOptions {
  readonly log: RequestLog
  /** Called for each answered request. */
  readonly answeredRequest?: (answeredRequest: AnsweredRequest) => void
  /** Identifies the current build. */
  readonly release?: string | null
  /** Absent or null when nothing is measured. */
  readonly measures?: Measures | null
  /** Number of proxies that are trusted; see `ListenOptions.proxies`. */
  readonly proxies: number | null
}

/**
 * Records an answered request. Only its path is logged, because queries may contain tokens and addresses.
 * @param startedAt when answering began, as a value of `performance.now()`
 */
export function recordRequest(
  { log, release = null, measures = null, answeredRequest, proxies }: RecordOptions,
  request: Request,
  status: number,
  reply: Reply,
  startedAt: number,
): void {
  const duration = performance.now() - startedAt
  answeredRequest?.({ request, status, seconds: duration / 1000, bytes: bodySize(reply) })
  const { span = null } = request
  const answerer = reply.template ?? reply.endpoint ?? endpointName(reply)
  measures?.request(answerer, status, duration / 1000)
  if (span?.sampled === true) {
    span.rename(`${request.method} ${answerer}`)
    span.set({
      'http.response.status_code': status,
      'http.route': answerer,
      ...(reply.user !== undefined && { 'enduser.id': reply.user }),
    })
    if (status >= 500) span.fail(new AnsweredWithError(`answered with ${status}`))
    span.end()
  }
  if (span !== null && span.recording !== null)
    span.recording.answer(recordedAnswer(request, status, reply, bodySize(reply)))
  if (log.isLevelEnabled?.('info') === false) return
  const trace = span?.traceId ?? (areHeadersTrusted(proxies) ? traceIdOf(headerOf(request, 'traceparent')) : null)
  log.info(
    {
      id: request.id,
      method: request.method,
      path: request.path,
      status,
      ms: Math.round(duration * 10) / 10,
      ip: request.ip,
      ...(reply.user !== undefined && { user: reply.user }),
      ...(trace !== null && { trace }),
      ...(release !== null && { release }),
      ...(reply.template !== undefined && { template: reply.template }),
      ...(reply.reason !== undefined && { reason: reply.reason }),
    },
    'request',
  )
}

function bodySize({ body }: Reply): number | null {
  if (body === null) return 0
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.length : null
}

class AnsweredWithError extends Error {
  override readonly name = 'AnsweredWithError'
}

/** Returns whether requests come from the site's own proxies, whose headers are trusted. */
function areHeadersTrusted(proxies: number | null): boolean {
  return proxies !== null && proxies > 0
}

/** Starts the span of a request. */
export function beginSpan(tracer: Tracer, request: Request, proxies: number | null): Span {
  const span = tracer.request(request.headers, request.method, areHeadersTrusted(proxies), isOfSite(request))
  if (span.sampled) span.set(spanValues(request))
  return span
}

/** Returns whether a developer looks at the request: neither at an asset nor at a page of the server itself. */
function isOfSite({ path, mayBeAsset }: Request): boolean {
  return !mayBeAsset && !path.startsWith('/_ingot/') && path !== '/_ingot'
}

function spanValues({ method, path, protocol, host, ip, id }: Request): SpanValues {
  return {
    'http.request.method': method,
    'url.path': path,
    'url.scheme': protocol,
    'server.address': host,
    'client.address': ip,
    'ingot.request.id': id,
  }
}

/** Returns the name of an answer that was created by neither a template nor an endpoint of the application. */
function endpointName({ body }: Reply): string {
  return body !== null && isFile(body) ? '(asset)' : '(server)'
}
