/** The list of all metrics. The collector, the metrics page and the README's table use it. */

export interface Metric {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[]
}

/** Bucket bounds for work that visitors wait for. */
const QUICK_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Bucket bounds for work that may take minutes. */
const LONG_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600]

/** Metrics by their names in the code. */
export const METRICS = {
  requests: {
    name: 'ingot_http_request_duration_seconds',
    type: 'histogram',
    help: 'Duration of requests, by template or endpoint and by status. Health checks are not counted.',
    labels: ['template', 'status'],
    buckets: QUICK_BUCKETS,
  },
  statements: {
    name: 'ingot_db_statement_duration_seconds',
    type: 'histogram',
    help: "Duration of database statements, by query; (own) are the server's own statements, (document) those of queries without a file.",
    labels: ['query', 'outcome'],
    buckets: QUICK_BUCKETS,
  },
  slow: {
    name: 'ingot_slow_total',
    type: 'counter',
    help: 'Pages and queries that took longer than INGOT_SLOW_PAGE and INGOT_SLOW_QUERY. The log lists each.',
    labels: ['what'],
  },
  pool: {
    name: 'ingot_db_pool_connections',
    type: 'gauge',
    help: 'Database connections: the maximum (state limit) and those in use (busy), of the pool for statements and of the pool for transactions.',
    labels: ['pool', 'state', 'process'],
  },
  poolWaiting: {
    name: 'ingot_db_pool_waiting',
    type: 'gauge',
    help: 'Statements and transactions that are waiting for a connection.',
    labels: ['pool', 'process'],
  },
  jobs: {
    name: 'ingot_job_duration_seconds',
    type: 'histogram',
    help: 'Duration of job attempts, by job and by outcome: done, failed, or given back to the queue.',
    labels: ['job', 'outcome'],
    buckets: LONG_BUCKETS,
  },
  threads: {
    name: 'ingot_job_threads',
    type: 'gauge',
    help: 'Job threads: all of them (state limit), and those that are running a job (busy).',
    labels: ['state', 'process'],
  },
  queue: {
    name: 'ingot_queue_jobs',
    type: 'gauge',
    help: 'Jobs in the queue: due and waiting for a thread, delayed, running, and dead.',
    labels: ['state'],
  },
  queueAge: {
    name: 'ingot_queue_oldest_seconds',
    type: 'gauge',
    help: 'Seconds that the oldest due job has been waiting; 0 when no job is due.',
    labels: [],
  },
  cache: {
    name: 'ingot_cache_requests_total',
    type: 'counter',
    help: 'Cache lookups (fragments, or whole answers), by where the value was found: memory, store, or nowhere (computed).',
    labels: ['cache', 'result'],
  },
  outgoing: {
    name: 'ingot_outgoing_request_duration_seconds',
    type: 'histogram',
    help: 'Duration of requests to other servers, by status of the response, or by the reason why there was none.',
    labels: ['outcome'],
    buckets: QUICK_BUCKETS,
  },
  webSockets: {
    name: 'ingot_websocket_connections',
    type: 'gauge',
    help: 'Open WebSockets.',
    labels: ['process'],
  },
  connections: {
    name: 'ingot_http_connections',
    type: 'gauge',
    help: 'Open client connections.',
    labels: ['process'],
  },
  memory: {
    name: 'ingot_process_resident_memory_bytes',
    type: 'gauge',
    help: 'Resident memory of a process.',
    labels: ['process'],
  },
  heap: {
    name: 'ingot_process_heap_bytes',
    type: 'gauge',
    help: 'Memory that JavaScript uses in a process, without its threads.',
    labels: ['process'],
  },
  cpu: {
    name: 'ingot_process_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time of a process.',
    labels: ['process'],
  },
  eventLoop: {
    name: 'ingot_event_loop_delay_seconds',
    type: 'gauge',
    help: 'Event loop delay of a process since the metrics were last read: quantiles 0.5, 0.99 and 1 (the maximum).',
    labels: ['quantile', 'process'],
  },
  up: {
    name: 'ingot_process_up',
    type: 'gauge',
    help: '1 for a process that answered when the metrics were read, 0 for one that did not.',
    labels: ['process'],
  },
  exits: {
    name: 'ingot_process_exits_total',
    type: 'counter',
    help: 'Processes that ended unexpectedly.',
    labels: ['kind'],
  },
  database: {
    name: 'ingot_db_up',
    type: 'gauge',
    help: '1 if the database answered when the metrics were read.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof METRICS

export const METRIC_NAMES: readonly MetricName[] = Object.keys(METRICS).filter(isMetricName)

export function isMetricName(name: string): name is MetricName {
  return Object.hasOwn(METRICS, name)
}

/** Returns the definition of a metric. */
export function metricOf(name: MetricName): Metric {
  return METRICS[name]
}

/** Replaces the labels of series beyond the maximum number. */
export const OTHER_LABEL = '(other)'

/** Maximum number of label combinations per metric. */
export const MAX_SERIES = 2_000

/** Formats the list as a Markdown table for the README. @internal Exported for tests. */
export function metricsTable(): string {
  const rows = Object.values<Metric>(METRICS).map(({ name, type, labels, help }) => {
    const by = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${by} | ${help} |`
  })
  return ['| Metric | Type | Labels | |', '|---|---|---|---|', ...rows].join('\n')
}
