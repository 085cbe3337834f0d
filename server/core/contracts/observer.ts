/**
 * The interfaces through which all parts of the server report their work for metrics and traces. Without metrics and traces, the observer
 * is null, and nothing is created or called for it.
 */
import type { Tracer } from './tracer.ts'

/** Records measures. No method waits or throws, and the number of different labels is bounded. */
export interface Measures {
  /** Records an answered request. A template of the site or an endpoint of the server has answered it. */
  request(template: string, status: number, seconds: number): void
  /** Records a statement of a query that has ended. */
  statement(query: string, outcome: 'ok' | 'failed', seconds: number): void
  /** Records an attempt at a job that has ended. */
  job(name: string, outcome: JobOutcome, seconds: number): void
  /** Records a lookup in a cache; `computed` is a miss. */
  cache(cache: 'fragments' | 'answers', result: CacheResult): void
  /** Records a request to another server that has ended, with a status or a reason. */
  outgoing(outcome: string, seconds: number): void
  /** Records a page or a query that took longer than its threshold. */
  slow(what: 'page' | 'query'): void
  /** Registers a state that is read whenever the metrics are requested. */
  gauge(name: GaugeName, readValues: () => readonly GaugeValue[]): void
}

export type JobOutcome = 'done' | 'failed' | 'given back'
export type CacheResult = 'memory' | 'store' | 'computed'

/** States that are read when the metrics are requested. */
export type GaugeName = 'pool' | 'poolWaiting' | 'connections' | 'webSockets' | 'threads'

export interface GaugeValue {
  /** In the order of the metric's labels, without the label of the process. */
  readonly labels: readonly string[]
  readonly value: number
}

/** Thresholds in milliseconds; null for never. */
interface SlowLimits {
  /** Threshold for logging a query. */
  readonly query: number | null
  /** Threshold for logging a page. */
  readonly page: number | null
  /** Threshold from which a partial has its own span. */
  readonly partial: number | null
}

export interface Observer {
  /** Null when nothing is measured. */
  readonly measures: Measures | null
  /** Null when nothing is traced. */
  readonly tracer: Tracer | null
  readonly slow: SlowLimits
}
