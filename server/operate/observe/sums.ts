/** The sums of all processes, in the one that supervises them: they outlive the processes that counted. */
import type { MeasuredChange, MeasuredState } from '../../core/contracts/measured.ts'
import { METRICS, type Metric, type MetricName, MOST_SERIES, OTHER } from './metrics.ts'

/** One series as it stands. */
export interface SumSeries {
  readonly labels: readonly string[]
  sum: number
  /** For a histogram: how many values each bucket took. */
  readonly buckets: number[] | null
}

export interface Sums {
  /** Adds what a process has told. What is no metric of this version is left out. */
  add(changes: readonly MeasuredChange[]): void
  /** The series of a metric that is counted. */
  of(name: MetricName): readonly SumSeries[]
}

export function createSums(most = MOST_SERIES): Sums {
  const families = new Map<string, Map<string, SumSeries>>()

  function seriesOf(name: string, metric: Metric, labels: readonly string[]): SumSeries {
    const family = families.get(name) ?? new Map<string, SumSeries>()
    families.set(name, family)
    const known = family.get(labels.join('\n'))
    if (known !== undefined) return known
    const kept = family.size < most ? labels : labels.map(() => OTHER)
    const key = kept.join('\n')
    const series = family.get(key) ?? {
      labels: kept,
      sum: 0,
      buckets: metric.buckets === undefined ? null : new Array<number>(metric.buckets.length + 1).fill(0),
    }
    family.set(key, series)
    return series
  }

  return {
    add(changes) {
      for (const { metric: name, labels, sum, buckets } of changes) {
        const metric = metricNamed(name)
        if (metric === null || labels.length !== metric.labels.length) continue
        const series = seriesOf(name, metric, labels)
        series.sum += sum
        buckets?.forEach((count, at) => {
          if (series.buckets !== null && at < series.buckets.length) series.buckets[at] = series.buckets[at]! + count
        })
      }
    },
    of: (name) => [...(families.get(name)?.values() ?? [])],
  }
}

/** A metric by a name that another process gave; null for an unknown one. */
export function metricNamed(name: string): Metric | null {
  return Object.hasOwn(METRICS, name) ? METRICS[name as MetricName] : null
}

/** Values of a metric in the form of the client library, which prints them. */
export interface PrintedMetric {
  readonly name: string
  readonly help: string
  readonly type: Metric['type']
  readonly aggregator: 'first'
  readonly values: readonly PrintedValue[]
}

interface PrintedValue {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number>>
  readonly metricName?: string
}

/** All metrics with their values: the sums, and the present states that the processes told. */
export function printedMetrics(sums: Sums, states: readonly MeasuredState[]): readonly PrintedMetric[] {
  return (Object.keys(METRICS) as MetricName[]).map((key) => {
    const metric: Metric = METRICS[key]
    const { name, help, type } = metric
    const counted = sums.of(key).flatMap((series) => valuesOf(metric, series))
    const present = states
      .filter((state) => state.metric === key && state.labels.length === metric.labels.length)
      .map(({ labels, value }) => ({ value, labels: labelsOf(metric, labels) }))
    return { name, help, type, aggregator: 'first', values: [...counted, ...present] }
  })
}

function valuesOf(metric: Metric, { labels, sum, buckets }: SumSeries): readonly PrintedValue[] {
  const named = labelsOf(metric, labels)
  if (buckets === null) return [{ value: sum, labels: named }]
  const bounds = metric.buckets ?? []
  let below = 0
  const rows = buckets.map((count, at) => {
    below += count
    const le = at < bounds.length ? (bounds[at] as number) : '+Inf'
    return { value: below, labels: { ...named, le }, metricName: `${metric.name}_bucket` }
  })
  return [
    ...rows,
    { value: sum, labels: named, metricName: `${metric.name}_sum` },
    { value: below, labels: named, metricName: `${metric.name}_count` },
  ]
}

function labelsOf({ labels }: Metric, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, at) => [label, values[at] ?? '']))
}
