/** What a process knows of itself: its memory, its processor time, and how late its event loop is. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MeasuredChange, MeasuredState } from '../../core/contracts/measured.ts'

export interface OwnStates {
  /** @param process what it is called */
  states(process: string): readonly MeasuredState[]
  /** Processor time since the last call. */
  changes(process?: string): readonly MeasuredChange[]
}

/** Nanoseconds in a second. */
const NANO = 1e9
/** Milliseconds between two looks at the event loop; a delay is what comes on top of them. */
const RESOLUTION = 20

/** Starts watching this process. */
export function ownStates(): OwnStates {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION })
  loop.enable()
  let before: NodeJS.CpuUsage = { user: 0, system: 0 }
  const late = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANO - RESOLUTION / 1000) : 0

  return {
    states(process_) {
      const { rss, heapUsed } = process.memoryUsage()
      const quantiles = [
        ['0.5', late(loop.percentile(50))],
        ['0.99', late(loop.percentile(99))],
        ['1', late(loop.max)],
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
