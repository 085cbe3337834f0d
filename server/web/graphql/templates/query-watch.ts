/** Watches the queries of one request: names their statements for metrics and logs slow queries. */
import type { ExecutionResult, QueryHost } from '../../../../runtime/data/query/host.ts'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { Logger } from '../../../core/contracts/log.ts'
import type { Observer } from '../../../core/contracts/observer.ts'
import type { OpenQuery, RecordedPlace } from '../../../core/contracts/recording.ts'
import type { Span } from '../../../core/contracts/tracer.ts'
import { callingPlace, countRows } from '../../site/recorded.ts'

/** A host whose statements can be given the name of a query. */
export interface NamingHost extends QueryHost {
  /** Returns the same host with a query name for metrics. */
  withQueryName(query: string): QueryHost
}

/** A running query. */
interface WatchedQuery {
  /** For the log. */
  readonly shown: string
  /** Start time, as a value of `performance.now()`. */
  readonly started: number
  /** Null when the query is not traced. */
  readonly span: Span | null
  /** Null when the query is not recorded. */
  readonly recorded: { readonly query: OpenQuery; readonly place: RecordedPlace | null } | null
}

/** A query that begins. */
interface StartedQuery {
  readonly name: string
  /** Text that identifies a slow query in the log. */
  readonly shown: string
  /** The document of a query without a file. */
  readonly document: string | null
  readonly variables: object
}

/** Observes queries. */
export interface QueryWatch {
  /** Records the start of a query. The template calls the caller, so the stack leads to the template's line. */
  start(query: StartedQuery): WatchedQuery
  /** Records the end of a query. The template waits for the caller, so the stack leads to the template's lines. */
  finish(query: WatchedQuery, result: Pick<ExecutionResult, 'data' | 'errors'>): void
  /** Returns the host for a query's statements. */
  hostFor(query: string): QueryHost
}

export interface QueryWatchOptions {
  readonly observer: Observer
  readonly host: NamingHost
  readonly logger: Logger
  /** Maps the stack of a fault to templates. */
  readonly locate: (fault: LiquidFault) => void
  /** Returns the fields that identify the request or job in the log. */
  readonly about: () => object
  /** Returns the tracing span that queries belong to. */
  readonly span: () => Span | null
}

const DATABASE = { 'db.system.name': 'postgresql' }

class QueryFailed extends Error {
  override readonly name = 'QueryFailed'
}

export function createQueryWatch({
  observer,
  host,
  logger,
  locate,
  about,
  span: parent,
}: QueryWatchOptions): QueryWatch {
  const { measures, tracer, slow } = observer
  const limit = slow.query ?? Number.POSITIVE_INFINITY
  return {
    start: ({ name, shown, document, variables }) => {
      const parentSpan = tracer === null ? null : parent()
      const span = parentSpan?.sampled === true ? parentSpan.child(`query ${name}`, 'client', DATABASE) : null
      const recording = parentSpan?.recording ?? null
      const recorded =
        recording === null
          ? null
          : {
              place: callingPlace(recording, name, locate),
              query: recording.query({ name: shown, document, variables }),
            }
      return { shown, started: performance.now(), span, recorded }
    },
    finish({ shown, started, span, recorded }, { data, errors }) {
      const ms = performance.now() - started
      const [error] = errors ?? []
      recorded?.query.end({ place: recorded.place, rows: countRows(data), error: error?.message ?? null })
      if (error !== undefined) span?.fail(new QueryFailed(error.message))
      if (ms < limit) {
        span?.end()
        return
      }
      measures?.slow('query')
      // The stack of this fault contains the templates that wait for the query.
      const callSite = new LiquidFault('slow')
      locate(callSite)
      const stack = callSite.frames.map(({ file, line }) => `${file}:${line}`)
      span?.set({ 'ingot.templates': stack.join('\n') })
      span?.end()
      logger.warn({ ...about(), query: shown, ms: Math.round(ms), stack }, 'slow query')
    },
    hostFor: (query) => (measures === null ? host : host.withQueryName(query)),
  }
}
