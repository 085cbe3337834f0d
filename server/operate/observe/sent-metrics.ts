/**
 * Sends the metrics of all processes to an OpenTelemetry receiver, from the supervising process: the same sums and values as on the metrics
 * page, in the SDK's format.
 */
import type { api as Api, metrics as Metrics } from '@opentelemetry/sdk-node'
import type { MeasuredState } from '../../core/contracts/measured.ts'
import type { Hub, Measured } from './hub.ts'
import { METRIC_NAMES, METRICS, type Metric } from './metrics.ts'
import {
  createExporter,
  createResource,
  toHrTime,
  loadSdk,
  logExportFailures,
  type Sdk,
  type TelemetryOptions,
} from './sdk.ts'
import type { SumSeries } from './sums.ts'

export interface SentMetrics {
  /** Sends what was counted since the last time. */
  close(): Promise<void>
}

/** Milliseconds between two exports, and the timeout of an export, unless `OTEL_METRIC_EXPORT_INTERVAL` and `…_TIMEOUT` are set. */
const INTERVAL = 60_000
const TIMEOUT = 30_000

/**
 * Starts sending as configured by the variables `OTEL_*`.
 * @throws StartError when the SDK is not installed
 */
export async function sendMetrics(hub: Pick<Hub, 'measured'>, options: TelemetryOptions): Promise<SentMetrics> {
  const sdk = await loadSdk()
  logExportFailures(sdk, options.log)
  const { OTEL_METRIC_EXPORT_INTERVAL, OTEL_METRIC_EXPORT_TIMEOUT } = process.env
  const interval = parseMilliseconds(OTEL_METRIC_EXPORT_INTERVAL) ?? INTERVAL
  const startedAt = Date.now()
  const reader = new sdk.metrics.PeriodicExportingMetricReader({
    exporter: createExporter<Metrics.PushMetricExporter>('metrics', process.env, options.log),
    exportIntervalMillis: interval,
    // The SDK refuses a timeout that is longer than the interval.
    exportTimeoutMillis: Math.min(interval, parseMilliseconds(OTEL_METRIC_EXPORT_TIMEOUT) ?? TIMEOUT),
    metricProducers: [
      { collect: async () => ({ resourceMetrics: resourceMetrics(await hub.measured()), errors: [] }) },
    ],
  })
  const detected = sdk.resources.detectResources({ detectors: [sdk.resources.envDetector] })
  const resource = createResource(sdk, options).merge(detected)
  const provider = new sdk.metrics.MeterProvider({ resource, readers: [reader] })

  function resourceMetrics(measured: Measured): Metrics.ResourceMetrics {
    const scope = { name: 'ingot', version: options.version }
    return { resource, scopeMetrics: [{ scope, metrics: metricData(sdk, measured, startedAt) }] }
  }

  return {
    // At this point a failure can no longer be reported.
    close: () => provider.shutdown().catch(() => undefined),
  }
}

function parseMilliseconds(text: string | undefined): number | null {
  const value = Number(text)
  return text !== undefined && text.trim() !== '' && Number.isInteger(value) && value > 0 ? value : null
}

/** Returns all metrics that have a value, in the SDK's format. */
function metricData(sdk: Sdk, { sums, states }: Measured, startedAt: number): Metrics.MetricData[] {
  const time = { startTime: toHrTime(startedAt), endTime: toHrTime(Date.now()) }
  return METRIC_NAMES.flatMap((key): Metrics.MetricData[] => {
    const metric: Metric = METRICS[key]
    const current = states.filter((each) => each.metric === key && each.labels.length === metric.labels.length)
    const series = sums.of(key)
    if (series.length + current.length === 0) return []
    return [dataOf(sdk, metric, series, current, time)]
  })
}

type Time = Pick<Metrics.DataPoint<number>, 'startTime' | 'endTime'>

function dataOf(
  { api, metrics }: Sdk,
  metric: Metric,
  series: readonly SumSeries[],
  current: readonly MeasuredState[],
  time: Time,
): Metrics.MetricData {
  const { name, help, type } = metric
  const common = {
    descriptor: { name, description: help, unit: '', valueType: api.ValueType.DOUBLE },
    aggregationTemporality: metrics.AggregationTemporality.CUMULATIVE,
  }
  const point = <T>(labels: readonly string[], value: T): Metrics.DataPoint<T> => ({
    ...time,
    attributes: attributesOf(metric, labels),
    value,
  })
  if (type === 'histogram') {
    const dataPoints = series.map(({ labels, sum, buckets }) => point(labels, histogramOf(metric, sum, buckets ?? [])))
    return { ...common, dataPointType: metrics.DataPointType.HISTOGRAM, dataPoints }
  }
  const dataPoints = [
    ...series.map(({ labels, sum }) => point(labels, sum)),
    ...current.map(({ labels, value }) => point(labels, value)),
  ]
  return type === 'counter'
    ? { ...common, dataPointType: metrics.DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: metrics.DataPointType.GAUGE, dataPoints }
}

function histogramOf({ buckets: bounds = [] }: Metric, sum: number, counts: readonly number[]): Metrics.Histogram {
  const count = counts.reduce((total, each) => total + each, 0)
  return { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count }
}

function attributesOf({ labels }: Metric, values: readonly string[]): Api.Attributes {
  return Object.fromEntries(labels.map((label, at) => [label, values[at] ?? '']))
}
