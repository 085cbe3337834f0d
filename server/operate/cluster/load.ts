/**
 * Balances connections between workers. Each worker accepts connections itself, so that no connection waits for a
 * worker that is busy with a page. Long-lived connections stay where they were accepted, however, and the system tends
 * to give a burst of them to one worker. A worker that is busy for half of its time and clearly more than the others is
 * therefore told to close some of them after their next answer; the clients reconnect and reach a worker that is waiting.
 */
import { performance } from 'node:perf_hooks'

export interface Load {
  /** Share of its time in which a worker was busy, 0 to 1. */
  readonly busy: number
  /** Open connections. */
  readonly connections: number
}

export const IDLE: Load = { busy: 0, connections: 0 }

/** Milliseconds between two load reports of a worker. */
const REPORT_INTERVAL = 100
/** A worker below this load does not report. */
const MIN_REPORTED = 0.5
/**
 * A worker above this load gives connections away if the average is clearly lower. Much higher, and one would go on with all of a burst
 * while another has nothing to do: waiting for the database leaves it time of its own.
 */
const OVERLOADED = 0.5
const GAP = 0.1

/** Reports the load of this process while it is busy, and once more when it no longer is. */
export function reportLoad(connections: () => number, tell: (load: Load) => void): void {
  let before = performance.eventLoopUtilization()
  let reported = 0
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const busy = performance.eventLoopUtilization(now, before).utilization
    before = now
    if (Math.max(busy, reported) < MIN_REPORTED) return
    reported = busy
    tell({ busy, connections: connections() })
  }, REPORT_INTERVAL).unref()
}

/** How many connections a worker should give away to reach the average load. */
export function surplus({ busy, connections }: Load, others: readonly Load[]): number {
  const average = (busy + others.reduce((sum, other) => sum + other.busy, 0)) / (others.length + 1)
  if (busy < OVERLOADED || busy - average < GAP) return 0
  return Math.floor((connections * (busy - average)) / busy)
}
