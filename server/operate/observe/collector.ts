/**
 * Collects measurements in a process or a thread, and reports increments a few times a second. The receiver adds each increment once.
 * So a process that dies loses only its last moment, and nothing is counted twice.
 */
import type { CacheResult, GaugeName, GaugeValue, JobOutcome, Measures } from '../../core/contracts/observer.ts'
import type { MeasuredChange, MeasuredState } from '../../core/contracts/measured.ts'
import { type Metric, METRIC_NAMES, type MetricName, metricOf, MAX_SERIES, OTHER_LABEL } from './metrics.ts'

export interface CollectorOptions {
  /** Receives the increments. */
  readonly report: (changes: readonly MeasuredChange[]) => void
  /** Milliseconds between two reports; 250 by default. */
  readonly interval?: number
  /** Maximum number of series per metric. */
  readonly maxSeries?: number
}

export interface Collector extends Measures {
  /** Reports the increments that were not reported yet. */
  flush(): void
  /** Returns the current values of all gauges; `process` becomes their last label. */
  states(process: string): readonly MeasuredState[]
  /** Adds to a counter. */
  count(metric: MetricName, labels: readonly string[], increment: number): void
}

const REPORT_INTERVAL = 250

export function createCollector(options: CollectorOptions): Collector {
  return new ProcessCollector(options)
}

interface Series {
  readonly metric: MetricName
  readonly labels: readonly string[]
  sum: number
  /** Null for a counter. */
  readonly buckets: number[] | null
  /** Whether it has increments to report. */
  changed: boolean
}

/** The series of one metric. */
class Family {
  readonly #name: MetricName
  readonly #metric: Metric
  readonly #most: number
  readonly #series = new Map<string, Series>()
  #other: Series | null = null

  constructor(name: MetricName, maxSeries: number) {
    this.#name = name
    this.#metric = metricOf(name)
    this.#most = maxSeries
  }

  of(key: string, labels: readonly string[]): Series {
    return this.#series.get(key) ?? this.#add(key, labels)
  }

  #add(key: string, labels: readonly string[]): Series {
    if (this.#series.size >= this.#most) return (this.#other ??= this.#create(labels.map(() => OTHER_LABEL)))
    const series = this.#create(labels)
    this.#series.set(key, series)
    return series
  }

  #create(labels: readonly string[]): Series {
    const { buckets } = this.#metric
    const counts = buckets === undefined ? null : new Array<number>(buckets.length + 1).fill(0)
    return { metric: this.#name, labels: labels.map(limitLabel), sum: 0, buckets: counts, changed: false }
  }
}

/** Maximum length of a label in characters. */
const MAX_LABEL = 200

function limitLabel(label: string): string {
  return label.length <= MAX_LABEL ? label : `${label.slice(0, MAX_LABEL)}…`
}

class ProcessCollector implements Collector {
  readonly #options: CollectorOptions
  readonly #families: ReadonlyMap<MetricName, Family>
  readonly #gauges = new Map<GaugeName, (() => readonly GaugeValue[])[]>()
  #changed: Series[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(options: CollectorOptions) {
    this.#options = options
    const maxSeries = options.maxSeries ?? MAX_SERIES
    this.#families = new Map(METRIC_NAMES.map((name) => [name, new Family(name, maxSeries)]))
  }

  request(template: string, status: number, seconds: number): void {
    this.#time('requests', `${template}\n${status}`, [template, String(status)], seconds)
  }

  statement(query: string, outcome: 'ok' | 'failed', seconds: number): void {
    this.#time('statements', `${query}\n${outcome}`, [query, outcome], seconds)
  }

  job(name: string, outcome: JobOutcome, seconds: number): void {
    this.#time('jobs', `${name}\n${outcome}`, [name, outcome], seconds)
  }

  cache(cache: 'fragments' | 'answers', result: CacheResult): void {
    this.count('cache', [cache, result], 1)
  }

  outgoing(outcome: string, seconds: number): void {
    this.#time('outgoing', outcome, [outcome], seconds)
  }

  slow(what: 'page' | 'query'): void {
    this.count('slow', [what], 1)
  }

  gauge(name: GaugeName, read: () => readonly GaugeValue[]): void {
    const all = this.#gauges.get(name)
    if (all === undefined) this.#gauges.set(name, [read])
    else all.push(read)
  }

  count(metric: MetricName, labels: readonly string[], increment: number): void {
    const series = this.#family(metric).of(labels.join('\n'), labels)
    series.sum += increment
    this.#mark(series)
  }

  states(process: string): readonly MeasuredState[] {
    return [...this.#gauges].flatMap(([metric, reads]) =>
      reads.flatMap((read) =>
        read().map(({ labels, value }) => ({ metric, labels: [...labels.map(limitLabel), process], value })),
      ),
    )
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#changed.length === 0) return
    const changes = this.#changed.map(takeChange)
    this.#changed = []
    this.#options.report(changes)
  }

  #family(metric: MetricName): Family {
    const family = this.#families.get(metric)
    if (family === undefined) throw new Error(`there is no metric '${metric}'`)
    return family
  }

  #time(metric: MetricName, key: string, labels: readonly string[], seconds: number): void {
    const series = this.#family(metric).of(key, labels)
    series.sum += seconds
    const { buckets } = series
    if (buckets !== null) {
      const bounds = metricOf(metric).buckets ?? []
      let at = 0
      while (at < bounds.length && seconds > (bounds[at] ?? Infinity)) at++
      buckets[at] = (buckets[at] ?? 0) + 1
    }
    this.#mark(series)
  }

  #mark(series: Series): void {
    if (series.changed) return
    series.changed = true
    this.#changed.push(series)
    this.#timer ??= setTimeout(() => this.flush(), this.#options.interval ?? REPORT_INTERVAL).unref()
  }
}

/** Returns the increment of a series, and resets the series. */
function takeChange(series: Series): MeasuredChange {
  const { metric, labels, sum, buckets } = series
  series.sum = 0
  series.changed = false
  if (buckets === null) return { metric, labels, sum }
  const counts = [...buckets]
  buckets.fill(0)
  return { metric, labels, sum, buckets: counts }
}
