/**
 * What rooms tell of their work to whoever measures and traces it. Where nobody does, the observer is null: nothing is
 * made for it then, and nothing is called.
 */
import type { Tracer } from './tracer.ts'

/** Takes measures. No method waits or throws, and none keeps more than a bounded number of different labels. */
export interface Measures {
  /** A request was answered, by a template of the site or by an endpoint of the server. */
  request(template: string, status: number, seconds: number): void
  /** A statement of a query has ended. */
  statement(query: string, outcome: 'ok' | 'failed', seconds: number): void
  /** An attempt at a job has ended. */
  job(name: string, outcome: JobOutcome, seconds: number): void
  /** A cached text was asked for; `computed`: it was not there. */
  cache(cache: 'fragments' | 'answers', result: CacheResult): void
  /** A request to another server has ended, with a status or for a reason. */
  outgoing(outcome: string, seconds: number): void
  /** A page or a query took longer than its threshold. */
  slow(what: 'page' | 'query'): void
  /** Registers what is read whenever somebody looks at the measures. */
  gauge(name: GaugeName, read: () => readonly GaugeValue[]): void
}

export type JobOutcome = 'done' | 'failed' | 'given back'
export type CacheResult = 'memory' | 'store' | 'computed'

/** States that are read when somebody looks at them. */
export type GaugeName = 'pool' | 'poolWaiting' | 'connections' | 'threads'

export interface GaugeValue {
  /** In the order of the metric's labels, without that of the process. */
  readonly labels: readonly string[]
  readonly value: number
}

/** Thresholds in milliseconds; null for never. */
export interface SlowLimits {
  /** From which a query is logged. */
  readonly query: number | null
  /** From which a page is logged. */
  readonly page: number | null
  /** From which a partial has a span of its own. */
  readonly partial: number | null
}

export interface Observer {
  /** Null where nothing is measured. */
  readonly measures: Measures | null
  /** Null where nothing is traced. */
  readonly tracer: Tracer | null
  readonly slow: SlowLimits
}
