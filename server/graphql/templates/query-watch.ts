/** Watches the queries of one request: gives their statements a name, and logs those that take long. */
import type { GraphqlError, QueryHost } from '../../../runtime/data/query/host.ts'
import { LiquidFault } from '../../../runtime/page/fault.ts'
import type { Logger } from '../../contracts/log.ts'
import type { Observer } from '../../contracts/observer.ts'

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
}

export function createQueryWatch({ observer, host, logger, locate, about }: QueryWatchParts): QueryWatch {
  const { measures, slow } = observer
  const limit = slow.query ?? Number.POSITIVE_INFINITY
  return {
    begun: (name) => ({ name, started: performance.now() }),
    ended({ name, started }) {
      const ms = performance.now() - started
      if (ms < limit) return
      measures?.slow('query')
      // Its stack has the templates that wait for the query.
      const here = new LiquidFault('slow')
      locate(here)
      const stack = here.frames.map(({ file, line }) => `${file}:${line}`)
      logger.warn({ ...about(), query: name, ms: Math.round(ms), stack }, 'slow query')
    },
    hostOf: (query) => (measures === null ? host : host.named(query)),
  }
}
