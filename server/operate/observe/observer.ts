/** Creates the observer and the traces of a process, if its settings require them. */
import type { Measures, Observer } from '../../core/contracts/observer.ts'
import type { Tracer } from '../../core/contracts/tracer.ts'
import type { ObserveSettings } from '../../core/settings.ts'
import { openTraces, type Traces, type TracesOptions } from './traces.ts'

/** Returns whether metrics are shown or sent anywhere. */
export function isMeasured({ metrics }: ObserveSettings): boolean {
  return metrics.port !== null || metrics.token !== null || metrics.sent
}

/** Creates the observer of a process or a thread; returns null when there is nothing to observe. */
export function createObserver(
  settings: ObserveSettings,
  measures: Measures | null,
  tracer: Tracer | null = null,
): Observer | null {
  const { slowQuery, slowPage, slowPartial } = settings
  if (measures === null && tracer === null && slowQuery === null && slowPage === null) return null
  return { measures, tracer, slow: { query: slowQuery, page: slowPage, partial: slowPartial } }
}

/**
 * Starts tracing if the settings ask for it, or if traces are kept.
 * @param keptIn data folder of a server that keeps its last traces; null when it keeps none
 */
export function startTraces(
  { traces }: ObserveSettings,
  options: Pick<TracesOptions, 'environment' | 'release' | 'send'>,
  keptIn: string | null = null,
): Traces | null {
  return traces || keptIn !== null ? openTraces({ ...options, sent: traces, keptIn }) : null
}
