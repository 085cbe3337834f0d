/**
 * The one list of what is measured. The collector, the page of metrics and the chapter of the reference are made from
 * it.
 */

export interface Metric {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[]
}

/** Upper bounds for what visitors wait for, and for what may take minutes. */
const QUICK = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LONG = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600]

/** Metrics by the names that the code knows them by. */
export const METRICS = {
  requests: {
    name: 'ingot_http_request_duration_seconds',
    type: 'histogram',
    help: 'Time from a request to its answer, by the template or endpoint that answered and the status. Health checks are not counted.',
    labels: ['template', 'status'],
    buckets: QUICK,
  },
  statements: {
    name: 'ingot_db_statement_duration_seconds',
    type: 'histogram',
    help: "Time of a statement in the database, by the query that it belongs to; (own) are the server's own, (document) those of queries without a file.",
    labels: ['query', 'outcome'],
    buckets: QUICK,
  },
  slow: {
    name: 'ingot_slow_total',
    type: 'counter',
    help: 'Pages and queries that took longer than INGOT_SLOW_PAGE and INGOT_SLOW_QUERY; the log has each.',
    labels: ['what'],
  },
  pool: {
    name: 'ingot_db_pool_connections',
    type: 'gauge',
    help: 'Connections to the database: those that may be open (state limit), and those in use (busy), of the pool for statements and of that for transactions.',
    labels: ['pool', 'state', 'process'],
  },
  poolWaiting: {
    name: 'ingot_db_pool_waiting',
    type: 'gauge',
    help: 'Statements and transactions that wait for a connection.',
    labels: ['pool', 'process'],
  },
  jobs: {
    name: 'ingot_job_duration_seconds',
    type: 'histogram',
    help: 'Time of an attempt at a job, by what it runs and its outcome: done, failed, or given back to the queue.',
    labels: ['job', 'outcome'],
    buckets: LONG,
  },
  threads: {
    name: 'ingot_job_threads',
    type: 'gauge',
    help: 'Threads of jobs: all of them (state limit), and those that run one (busy).',
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
    help: 'How long the oldest job that is due has been waiting; 0 for an empty queue.',
    labels: [],
  },
  cache: {
    name: 'ingot_cache_requests_total',
    type: 'counter',
    help: 'Texts asked of a cache (fragments, or whole answers), by where they were found: memory, store, or nowhere (computed).',
    labels: ['cache', 'result'],
  },
  outgoing: {
    name: 'ingot_outgoing_request_duration_seconds',
    type: 'histogram',
    help: 'Time of requests to other servers, by the status of their answer, or the reason why there was none.',
    labels: ['outcome'],
    buckets: QUICK,
  },
  connections: {
    name: 'ingot_http_connections',
    type: 'gauge',
    help: 'Open connections of visitors.',
    labels: ['process'],
  },
  memory: {
    name: 'ingot_process_resident_memory_bytes',
    type: 'gauge',
    help: 'Memory of a process as the system counts it.',
    labels: ['process'],
  },
  heap: {
    name: 'ingot_process_heap_bytes',
    type: 'gauge',
    help: 'Memory that JavaScript uses in a process, its threads not counted.',
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
    help: 'How late the event loop of a process was since the page was last read: half of the time at most that (quantile 0.5), 0.99, and the worst (1).',
    labels: ['quantile', 'process'],
  },
  up: {
    name: 'ingot_process_up',
    type: 'gauge',
    help: '1 for a process that answered when the page was read, 0 for one that did not.',
    labels: ['process'],
  },
  exits: {
    name: 'ingot_process_exits_total',
    type: 'counter',
    help: 'Processes that ended although nobody had stopped them.',
    labels: ['kind'],
  },
  database: {
    name: 'ingot_db_up',
    type: 'gauge',
    help: '1 where the database answered when the page was read.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof METRICS

/** The definition of a metric. */
export function metricOf(name: MetricName): Metric {
  return METRICS[name]
}

/** What stands in the place of labels beyond the number that is kept. */
export const OTHER = '(other)'

/** Most combinations of labels that are kept of one metric. */
export const MOST_SERIES = 2_000

/** The list as a table of Markdown, for the chapter about it. */
export function metricsTable(): string {
  const rows = Object.values<Metric>(METRICS).map(({ name, type, labels, help }) => {
    const by = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${by} | ${help} |`
  })
  return ['| Metric | Type | Labels | |', '|---|---|---|---|', ...rows].join('\n')
}
