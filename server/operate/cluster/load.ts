/**
 * Balances connections between workers. Each worker accepts connections itself, so that no connection waits for a worker that is busy
 * with a page. But long-lived connections stay at their worker, and the system often gives a burst of them to one worker. So a
 * worker that is busy for half of its time, and clearly busier than the others, closes some connections after their next
 * response. The clients reconnect and reach an idle worker.
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
 * A worker above this load gives connections away if the average load is clearly lower. With a much higher limit, one worker would keep
 * a whole burst while others are idle, because a worker that waits for the database is not fully busy.
 */
const OVERLOADED = 0.5
const MIN_LOAD_DIFFERENCE = 0.1

/** Reports the load of this process while it is busy, and one last time when it is no longer busy. */
export function reportLoad(connections: () => number, report: (load: Load) => void): void {
  let before = performance.eventLoopUtilization()
  let reported = 0
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const busy = performance.eventLoopUtilization(now, before).utilization
    before = now
    if (Math.max(busy, reported) < MIN_REPORTED) return
    reported = busy
    report({ busy, connections: connections() })
  }, REPORT_INTERVAL).unref()
}

/** Returns how many connections a worker should give away to reach the average load. */
export function surplus({ busy, connections }: Load, others: readonly Load[]): number {
  const average = (busy + others.reduce((sum, other) => sum + other.busy, 0)) / (others.length + 1)
  if (busy < OVERLOADED || busy - average < MIN_LOAD_DIFFERENCE) return 0
  return Math.floor((connections * (busy - average)) / busy)
}
