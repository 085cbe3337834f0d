/** Prints the metrics of all processes as one page in the text format of Prometheus. */
import Registry from 'prom-client/lib/registry.js'
import type { PrintedMetric } from './sums.ts'

export interface MetricsPage {
  readonly contentType: string
  readonly text: string
}

/** Prints the metrics page. */
export async function printPage(metrics: readonly PrintedMetric[]): Promise<MetricsPage> {
  const registry = new Registry()
  for (const metric of metrics) registry.registerMetric({ name: metric.name, get: () => metric })
  return { contentType: registry.contentType, text: await registry.metrics() }
}
