/** What a process observes of itself, decided once by its settings. */
import type { Measures, Observer } from '../contracts/observer.ts'
import type { ObserveSettings } from '../settings.ts'

/** Whether metrics are shown anywhere. */
export function isMeasured({ metrics }: ObserveSettings): boolean {
  return metrics.port !== null || metrics.token !== null
}

/** The observer of a process or a thread; null where it has nothing to observe. */
export function observerOf(settings: ObserveSettings, measures: Measures | null): Observer | null {
  const { slowQuery, slowPage } = settings
  if (measures === null && slowQuery === null && slowPage === null) return null
  return { measures, slow: { query: slowQuery, page: slowPage } }
}
