/**
 * Moves visitors to workers that have time. Each worker takes new connections itself, so that nobody waits for one that is busy with
 * a page; but connections that last stay where they were taken, and the system likes to give a burst of them to one worker. One that
 * has no time left is told to close some behind their next answers, and whoever comes back is taken by one that waits.
 */
import { performance } from 'node:perf_hooks'

export interface Load {
  /** Share of its time in which a worker did something, 0 to 1. */
  readonly busy: number
  /** That are open. */
  readonly connections: number
}

export const IDLE: Load = { busy: 0, connections: 0 }

/** Milliseconds between two reports of a worker. */
const EVERY = 100
/** A worker that is less busy has nothing to tell. */
const WORTH_TELLING = 0.5
/** From here on a worker gives connections away, where the average is so much below. */
const FULL = 0.7
const GAP = 0.1

/** Tells how busy this process is, while it is, and when it no longer is. */
export function reportLoad(connections: () => number, tell: (load: Load) => void): void {
  let before = performance.eventLoopUtilization()
  let told = 0
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const busy = performance.eventLoopUtilization(now, before).utilization
    before = now
    if (Math.max(busy, told) < WORTH_TELLING) return
    told = busy
    tell({ busy, connections: connections() })
  }, EVERY).unref()
}

/** How many connections a worker should give away, so that all are as busy as the average. */
export function surplus({ busy, connections }: Load, others: readonly Load[]): number {
  const average = (busy + others.reduce((sum, other) => sum + other.busy, 0)) / (others.length + 1)
  if (busy < FULL || busy - average < GAP) return 0
  return Math.floor((connections * (busy - average)) / busy)
}
