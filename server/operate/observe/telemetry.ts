/** In the process that supervises: takes what the processes have observed, and sends it where the settings say. */
import type { ProcessObserver, WatchedProcess } from '../cluster/model.ts'
import type { ObserveSettings } from '../../core/settings.ts'
import { createHub, type Hub } from './hub.ts'
import { isMeasured } from './observer.ts'
import type { TelemetryOptions } from './sdk.ts'
import { createSentSpans } from './sent-spans.ts'

export interface Telemetry {
  /** Null where nothing is measured. */
  readonly hub: Hub | null
  /** What the supervisor tells of the processes; null where nobody listens. */
  readonly observer: ProcessObserver | null
  /**
   * Starts sending, where there is a receiver; nothing of the SDK is loaded otherwise.
   * @throws StartError where the SDK is not installed
   */
  begin(options: TelemetryOptions): Promise<void>
  /** Sends what is left, after the processes have ended. */
  close(): Promise<void>
}

/** @param processes the processes that are ready */
export function createTelemetry(observe: ObserveSettings, processes: () => readonly WatchedProcess[]): Telemetry {
  const hub = isMeasured(observe) ? createHub(processes) : null
  const spans = observe.traces ? createSentSpans() : null
  let metrics: { close(): Promise<void> } | null = null
  const observer: ProcessObserver = {
    received(from, message) {
      if (message.type === 'spans') spans?.take(message)
      else hub?.received(from, message)
    },
    ended(process, expected) {
      hub?.ended(process, expected)
    },
  }
  return {
    hub,
    observer: hub === null && spans === null ? null : observer,
    async begin(options) {
      if (hub !== null && observe.metrics.sent) {
        const { sendMetrics } = await import('./sent-metrics.ts')
        metrics = await sendMetrics(hub, options)
      }
      await spans?.begin(options)
    },
    async close() {
      await Promise.all([metrics?.close(), spans?.close()])
    },
  }
}
