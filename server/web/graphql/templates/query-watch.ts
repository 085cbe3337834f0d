/** Watches the queries of one request: gives their statements a name, and logs those that take long. */
import type { GraphqlError, QueryHost } from '../../../../runtime/data/query/host.ts'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { Logger } from '../../../core/contracts/log.ts'
import type { Observer } from '../../../core/contracts/observer.ts'
import type { Span } from '../../../core/contracts/tracer.ts'

/** A host whose statements can be given the name of a query. */
export interface NamingHost extends QueryHost {
  /** The same host; whoever measures its statements is told this name. */
  named(query: string): QueryHost
}

/** A query that runs. */
export interface WatchedQuery {
  readonly name: string
  /** As a value of `performance.now()`. */
  readonly started: number
  /** Null where nothing is traced. */
  readonly span: Span | null
}

export interface QueryWatch {
  begun(name: string): WatchedQuery
  /** Called by the function that the template waits for, so that the stack leads to its lines. */
  ended(query: WatchedQuery, errors: readonly GraphqlError[] | undefined): void
  /** The host of a query. */
  hostOf(query: string): QueryHost
}

export interface QueryWatchParts {
  readonly observer: Observer
  readonly host: NamingHost
  readonly logger: Logger
  /** Finds the templates of a stack. */
  readonly locate: (fault: LiquidFault) => void
  /** What identifies the request or job in the log. */
  readonly about: () => object
  /** The span that queries belong to. */
  readonly span: () => Span | null
}

const DATABASE = { 'db.system.name': 'postgresql' }

class QueryFailed extends Error {
  override readonly name = 'QueryFailed'
}

export function createQueryWatch({ observer, host, logger, locate, about, span: parent }: QueryWatchParts): QueryWatch {
  const { measures, tracer, slow } = observer
  const limit = slow.query ?? Number.POSITIVE_INFINITY
  return {
    begun: (name) => {
      const over = tracer === null ? null : parent()
      const span = over?.sampled === true ? over.child(`query ${name}`, 'client', DATABASE) : null
      return { name, started: performance.now(), span }
    },
    ended({ name, started, span }, errors) {
      const ms = performance.now() - started
      const [error] = errors ?? []
      if (error !== undefined) span?.fail(new QueryFailed(error.message))
      if (ms < limit) {
        span?.end()
        return
      }
      measures?.slow('query')
      // Its stack has the templates that wait for the query.
      const here = new LiquidFault('slow')
      locate(here)
      const stack = here.frames.map(({ file, line }) => `${file}:${line}`)
      span?.set({ 'ingot.templates': stack.join('\n') })
      span?.end()
      logger.warn({ ...about(), query: name, ms: Math.round(ms), stack }, 'slow query')
    },
    hostOf: (query) => (measures === null ? host : host.named(query)),
  }
}
