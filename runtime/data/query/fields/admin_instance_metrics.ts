/** `admin_instance_metrics`: counts of rows that are not deleted. */
import type { QueryField } from '../model.ts'
import { metricsJson } from '../rows/metrics.ts'
import { metrics } from '../sdl/metrics.ts'

export const admin_instance_metrics: QueryField = {
  kind: 'query',
  name: 'admin_instance_metrics',
  sdl: 'admin_instance_metrics: InstanceMetrics! @public',
  types: metrics,
  build: metricsJson,
}
