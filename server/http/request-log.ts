/** Tells of a request that was answered: a line of the log, and a measure. */
import type { Measures } from '../contracts/observer.ts'
import { headerOf, isFile, pathOf, type Reply, type Request } from './message.ts'
import { traceIdOf } from './trace-context.ts'

/** The methods of a logger that the listener uses. */
export interface RequestLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface RecordOptions {
  readonly log: RequestLog
  /** Identifies the build that is served. */
  readonly release?: string | null
  /** Absent or null where nothing is measured. */
  readonly measures?: Measures | null
}

/**
 * Records an answered request. Only its path is logged, because queries may contain tokens and addresses.
 * @param started when it came, as a value of `performance.now()`
 */
export function recordRequest(
  { log, release = null, measures = null }: RecordOptions,
  request: Request,
  status: number,
  reply: Reply,
  started: number,
): void {
  const taken = performance.now() - started
  measures?.request(reply.file ?? reply.endpoint ?? endpointOf(reply), status, taken / 1000)
  const trace = traceIdOf(headerOf(request, 'traceparent'))
  log.info(
    {
      id: request.id,
      method: request.method,
      path: pathOf(request.url),
      status,
      ms: Math.round(taken * 10) / 10,
      ip: request.ip,
      ...(reply.user !== undefined && { user: reply.user }),
      ...(trace !== null && { trace }),
      ...(release !== null && { release }),
      ...(reply.file !== undefined && { template: reply.file }),
    },
    'request',
  )
}

/** What answers are called that no template and no endpoint of the application has made. */
function endpointOf({ body }: Reply): string {
  return body !== null && isFile(body) ? '(asset)' : '(server)'
}
