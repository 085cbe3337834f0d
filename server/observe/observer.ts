/** What a process observes of itself, decided once by its settings. */
import type { Measures, Observer } from '../contracts/observer.ts'
import type { Tracer } from '../contracts/tracer.ts'
import type { ObserveSettings } from '../settings.ts'
import type { TelemetryOptions } from './sdk.ts'
import type { Traces } from './traces.ts'

/** Whether metrics are shown or sent anywhere. */
export function isMeasured({ metrics }: ObserveSettings): boolean {
  return metrics.port !== null || metrics.token !== null || metrics.sent
}

/** The observer of a process or a thread; null where it has nothing to observe. */
export function observerOf(
  settings: ObserveSettings,
  measures: Measures | null,
  tracer: Tracer | null = null,
): Observer | null {
  const { slowQuery, slowPage } = settings
  if (measures === null && tracer === null && slowQuery === null && slowPage === null) return null
  return { measures, tracer, slow: { query: slowQuery, page: slowPage } }
}

/**
 * Starts tracing where the settings ask for it; nothing of it is loaded otherwise.
 * @throws StartError
 */
export async function tracesOf({ traces }: ObserveSettings, options: TelemetryOptions): Promise<Traces | null> {
  if (!traces) return null
  const { openTraces } = await import('./traces.ts')
  return openTraces(options)
}
