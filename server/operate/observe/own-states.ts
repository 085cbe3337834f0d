/** Measures the process itself: memory, processor time, and event loop delay. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MeasuredChange, MeasuredState } from '../../core/contracts/measured.ts'

export interface ProcessStates {
  /** Returns the current values. @param process name of this process */
  states(process: string): readonly MeasuredState[]
  /** Returns the processor time since the last call. */
  changes(process?: string): readonly MeasuredChange[]
}

/** Nanoseconds in a second. */
const NANOSECONDS_PER_SECOND = 1e9
/** Milliseconds between two measurements of the event loop. The time beyond them is the delay. */
const SAMPLE_INTERVAL = 20

/** Starts measuring this process. */
export function createProcessStates(): ProcessStates {
  const loop = monitorEventLoopDelay({ resolution: SAMPLE_INTERVAL })
  loop.enable()
  let before: NodeJS.CpuUsage = { user: 0, system: 0 }
  const toDelay = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANOSECONDS_PER_SECOND - SAMPLE_INTERVAL / 1000) : 0

  return {
    states(process_) {
      const { rss, heapUsed } = process.memoryUsage()
      const quantiles = [
        ['0.5', toDelay(loop.percentile(50))],
        ['0.99', toDelay(loop.percentile(99))],
        ['1', toDelay(loop.max)],
      ] as const
      loop.reset()
      return [
        { metric: 'memory', labels: [process_], value: rss },
        { metric: 'heap', labels: [process_], value: heapUsed },
        ...quantiles.map(([quantile, value]) => ({ metric: 'eventLoop', labels: [quantile, process_], value })),
      ]
    },
    changes(process_ = 'supervisor') {
      const now = process.cpuUsage()
      const sum = (now.user - before.user + now.system - before.system) / 1e6
      before = now
      return [{ metric: 'cpu', labels: [process_], sum }]
    },
  }
}
