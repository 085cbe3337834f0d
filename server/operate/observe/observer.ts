/** Creates the observer and the traces of a process, if its settings require them. */
import type { Measures, Observer } from '../../core/contracts/observer.ts'
import type { Tracer } from '../../core/contracts/tracer.ts'
import type { ObserveSettings, ReadySettings } from '../../core/settings.ts'
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

/** Returns whether requests and jobs are recorded. */
export function isRecorded({ environment, observe }: Pick<ReadySettings, 'environment' | 'observe'>): boolean {
  return environment === 'development' && observe.recording
}

/** Starts tracing if the settings ask for it, or if requests are recorded. */
export function startTraces(
  settings: Pick<ReadySettings, 'environment' | 'observe' | 'dataFolder'>,
  options: Pick<TracesOptions, 'release' | 'send'>,
): Traces | null {
  const { environment, dataFolder } = settings
  const { traces: sent } = settings.observe
  const keptIn = isRecorded(settings) ? dataFolder : null
  return sent || keptIn !== null ? openTraces({ ...options, environment, sent, keptIn }) : null
}
