/** Receives the observations of all processes in the supervising process, and sends them as configured. */
import type { ProcessObserver, WatchedProcess } from '../cluster/model.ts'
import type { ObserveSettings } from '../../core/settings.ts'
import { createHub, type Hub } from './hub.ts'
import { isMeasured } from './observer.ts'
import type { TelemetryOptions } from './sdk.ts'
import { createSentSpans } from './sent-spans.ts'

export interface Telemetry {
  /** Null when nothing is measured. */
  readonly hub: Hub | null
  /** Observes the processes of the supervisor; null when nothing is observed. */
  readonly observer: ProcessObserver | null
  /**
   * Starts sending if a receiver is configured. Otherwise the SDK is not loaded.
   * @throws StartError when the SDK is not installed
   */
  begin(options: TelemetryOptions): Promise<void>
  /** Sends the remaining metrics and spans, after the processes have ended. */
  close(): Promise<void>
}

/** Creates the telemetry. @param processes returns the processes that are ready */
export function createTelemetry(observe: ObserveSettings, processes: () => readonly WatchedProcess[]): Telemetry {
  const hub = isMeasured(observe) ? createHub(processes) : null
  const spans = observe.traces ? createSentSpans() : null
  let metrics: { close(): Promise<void> } | null = null
  const observer: ProcessObserver = {
    received(from, message) {
      if (message.type === 'spans') spans?.add(message)
      else hub?.received(from, message)
    },
    ended(process, isExpected) {
      hub?.ended(process, isExpected)
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
