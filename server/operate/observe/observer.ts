/** What a process observes of itself, decided once by its settings. */
import type { Measures, Observer } from '../../core/contracts/observer.ts'
import type { Tracer } from '../../core/contracts/tracer.ts'
import type { ObserveSettings } from '../../core/settings.ts'
import { openTraces, type Traces, type TracesOptions } from './traces.ts'

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
  const { slowQuery, slowPage, slowPartial } = settings
  if (measures === null && tracer === null && slowQuery === null && slowPage === null) return null
  return { measures, tracer, slow: { query: slowQuery, page: slowPage, partial: slowPartial } }
}

/**
 * Begins to trace where the settings ask for it, and where the traces are kept.
 * @param keptIn the data folder of a server that keeps its last ones
 */
export function tracesOf(
  { traces }: ObserveSettings,
  options: Pick<TracesOptions, 'environment' | 'release' | 'send'>,
  keptIn: string | null = null,
): Traces | null {
  return traces || keptIn !== null ? openTraces({ ...options, sent: traces, keptIn }) : null
}
