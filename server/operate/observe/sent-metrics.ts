/**
 * Sends the metrics of all processes to a receiver of OpenTelemetry, from the process that supervises: the same sums and states
 * that the page of metrics prints, in the SDK's form.
 */
import type { api as Api, metrics as Metrics } from '@opentelemetry/sdk-node'
import type { MeasuredState } from '../../core/contracts/measured.ts'
import type { Hub, Measured } from './hub.ts'
import { METRICS, type Metric, type MetricName } from './metrics.ts'
import { exporterOf, hrTime, loadSdk, resourceOf, sayFailures, type Sdk, type TelemetryOptions } from './sdk.ts'
import type { SumSeries } from './sums.ts'

export interface SentMetrics {
  /** Sends what was counted since the last time. */
  close(): Promise<void>
}

/** Milliseconds between two times, and that one may take, where `OTEL_METRIC_EXPORT_INTERVAL` and `…_TIMEOUT` give no others. */
const INTERVAL = 60_000
const TIMEOUT = 30_000

/**
 * Starts sending as the variables `OTEL_*` say.
 * @throws StartError where the SDK is not installed
 */
export async function sendMetrics(hub: Pick<Hub, 'measured'>, options: TelemetryOptions): Promise<SentMetrics> {
  const sdk = await loadSdk()
  sayFailures(sdk, options.log)
  const { OTEL_METRIC_EXPORT_INTERVAL, OTEL_METRIC_EXPORT_TIMEOUT } = process.env
  const interval = millisecondsOf(OTEL_METRIC_EXPORT_INTERVAL) ?? INTERVAL
  const begun = Date.now()
  const reader = new sdk.metrics.PeriodicExportingMetricReader({
    exporter: exporterOf<Metrics.PushMetricExporter>('metrics', process.env, options.log),
    exportIntervalMillis: interval,
    // A longer time than between two is refused by the SDK.
    exportTimeoutMillis: Math.min(interval, millisecondsOf(OTEL_METRIC_EXPORT_TIMEOUT) ?? TIMEOUT),
    metricProducers: [
      { collect: async () => ({ resourceMetrics: resourceMetrics(await hub.measured()), errors: [] }) },
    ],
  })
  const detected = sdk.resources.detectResources({ detectors: [sdk.resources.envDetector] })
  const resource = resourceOf(sdk, options).merge(detected)
  const provider = new sdk.metrics.MeterProvider({ resource, readers: [reader] })

  function resourceMetrics(measured: Measured): Metrics.ResourceMetrics {
    const scope = { name: 'ingot', version: options.version }
    return { resource, scopeMetrics: [{ scope, metrics: metricData(sdk, measured, begun) }] }
  }

  return {
    // Nobody is left to be told of a failure.
    close: () => provider.shutdown().catch(() => undefined),
  }
}

function millisecondsOf(text: string | undefined): number | null {
  const value = Number(text)
  return text !== undefined && text.trim() !== '' && Number.isInteger(value) && value > 0 ? value : null
}

/** All metrics that have a value, in the form of the SDK. */
function metricData(sdk: Sdk, { sums, states }: Measured, begun: number): Metrics.MetricData[] {
  const time = { startTime: hrTime(begun), endTime: hrTime(Date.now()) }
  return (Object.keys(METRICS) as MetricName[]).flatMap((key): Metrics.MetricData[] => {
    const metric: Metric = METRICS[key]
    const present = states.filter((each) => each.metric === key && each.labels.length === metric.labels.length)
    const series = sums.of(key)
    if (series.length + present.length === 0) return []
    return [dataOf(sdk, metric, series, present, time)]
  })
}

type Time = Pick<Metrics.DataPoint<number>, 'startTime' | 'endTime'>

function dataOf(
  { api, metrics }: Sdk,
  metric: Metric,
  series: readonly SumSeries[],
  present: readonly MeasuredState[],
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
    ...present.map(({ labels, value }) => point(labels, value)),
  ]
  return type === 'counter'
    ? { ...common, dataPointType: metrics.DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: metrics.DataPointType.GAUGE, dataPoints }
}

function histogramOf({ buckets: bounds = [] }: Metric, sum: number, counts: readonly number[]): Metrics.Histogram {
  const count = counts.reduce((all, each) => all + each, 0)
  return { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count }
}

function attributesOf({ labels }: Metric, values: readonly string[]): Api.Attributes {
  return Object.fromEntries(labels.map((label, at) => [label, values[at] ?? '']))
}
