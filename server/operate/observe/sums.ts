/** The sums of all processes, kept in the supervising process, so that they outlive the processes that counted. */
import type { MeasuredChange, MeasuredState } from '../../core/contracts/measured.ts'
import {
  isMetricName,
  METRIC_NAMES,
  METRICS,
  type Metric,
  type MetricName,
  MAX_SERIES,
  OTHER_LABEL,
} from './metrics.ts'

/** One series with its current sums. */
export interface SumSeries {
  readonly labels: readonly string[]
  sum: number
  /** For a histogram: the number of values in each bucket. */
  readonly buckets: number[] | null
}

export interface Sums {
  /** Adds increments of a process. Unknown metrics are ignored. */
  add(changes: readonly MeasuredChange[]): void
  /** Returns the series of a counter or a histogram. */
  of(name: MetricName): readonly SumSeries[]
}

export function createSums(maxSeries = MAX_SERIES): Sums {
  const families = new Map<string, Map<string, SumSeries>>()

  function seriesOf(name: string, metric: Metric, labels: readonly string[]): SumSeries {
    const family = families.get(name) ?? new Map<string, SumSeries>()
    families.set(name, family)
    const known = family.get(labels.join('\n'))
    if (known !== undefined) return known
    const kept = family.size < maxSeries ? labels : labels.map(() => OTHER_LABEL)
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
        const metric = findMetric(name)
        if (metric === null || labels.length !== metric.labels.length) continue
        const series = seriesOf(name, metric, labels)
        series.sum += sum
        const counts = series.buckets
        if (counts === null) continue
        for (const [at, count] of (buckets ?? []).entries()) {
          const before = counts[at]
          if (before !== undefined) counts[at] = before + count
        }
      }
    },
    of: (name) => [...(families.get(name)?.values() ?? [])],
  }
}

/** Returns the metric with a name from another process; null for an unknown one. */
function findMetric(name: string): Metric | null {
  return isMetricName(name) ? METRICS[name] : null
}

/** A metric in the format of prom-client, which prints it. */
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

/** Returns all metrics with their values: the sums, and the current values of the processes. */
export function printableMetrics(sums: Sums, states: readonly MeasuredState[]): readonly PrintedMetric[] {
  return METRIC_NAMES.map((key) => {
    const metric: Metric = METRICS[key]
    const { name, help, type } = metric
    const counted = sums.of(key).flatMap((series) => valuesOf(metric, series))
    const current = states
      .filter((state) => state.metric === key && state.labels.length === metric.labels.length)
      .map(({ labels, value }) => ({ value, labels: labelsOf(metric, labels) }))
    return { name, help, type, aggregator: 'first', values: [...counted, ...current] }
  })
}

function valuesOf(metric: Metric, { labels, sum, buckets }: SumSeries): readonly PrintedValue[] {
  const named = labelsOf(metric, labels)
  if (buckets === null) return [{ value: sum, labels: named }]
  const bounds = metric.buckets ?? []
  let cumulativeCount = 0
  const rows = buckets.map((count, at) => {
    cumulativeCount += count
    const le = bounds[at] ?? '+Inf'
    return { value: cumulativeCount, labels: { ...named, le }, metricName: `${metric.name}_bucket` }
  })
  return [
    ...rows,
    { value: sum, labels: named, metricName: `${metric.name}_sum` },
    { value: cumulativeCount, labels: named, metricName: `${metric.name}_count` },
  ]
}

function labelsOf({ labels }: Metric, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, at) => [label, values[at] ?? '']))
}
