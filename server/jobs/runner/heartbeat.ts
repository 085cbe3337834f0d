/** Signs of life of the process that runs jobs, and its looks for jobs of others that give none, or that were lost on their way. */
import type { Sql } from 'postgres'
import type { Logger } from '../../contracts/log.ts'
import type { HeldJobs } from './held.ts'
import { beat, forget, recover, type HeartbeatIntervals } from './recovery.ts'

export interface HeartbeatParts {
  readonly sql: Sql
  /** Pools of the queue that are this process's own; more may come. */
  readonly pools: readonly string[]
  readonly rhythm: HeartbeatIntervals
  readonly logger: Logger
}

export interface Heartbeat {
  /** Gives a sign of life at once. @throws what the client throws */
  now(): Promise<void>
  stop(): void
}

/** Milliseconds between two removals of what is kept of jobs that are gone. */
const FORGET_EVERY = 3_600_000

/**
 * Gives signs of life. Where none could be given for so long that others may take our jobs, what runs is cut off: the same job must
 * not run at two places.
 * @param lost cuts it off
 */
export function startHeartbeat({ sql, pools, rhythm, logger }: HeartbeatParts, lost: () => void): Heartbeat {
  let given = performance.now()
  let cutOff = false
  async function now(): Promise<void> {
    const begun = performance.now()
    await beat(sql, pools, rhythm.silence)
    given = begun
    cutOff = false
  }
  const timer = setInterval(() => {
    // A machine that slept finds its time over as well.
    if (performance.now() - given > rhythm.silence * 0.8 && !cutOff) {
      cutOff = true
      logger.warn({}, 'no sign of life could be given: the jobs that run here are left to others')
      lost()
    }
    void now().catch(troubled(logger))
  }, rhythm.beat)
  return { now, stop: () => clearInterval(timer) }
}

/** Looks now and then for what others, or the engine, have lost, and forgets what is over. @returns stops it */
export function startLooks({ sql, pools, rhythm, logger }: HeartbeatParts, held: HeldJobs): () => void {
  const looks = setInterval(() => {
    void recovered(sql, rhythm, logger).catch(troubled(logger))
    void settled(sql, held, pools, logger).catch(troubled(logger))
  }, rhythm.look)
  const forgets = setInterval(() => void forget(sql).catch(troubled(logger)), FORGET_EVERY)
  return () => {
    clearInterval(looks)
    clearInterval(forgets)
  }
}

/** Gives jobs of servers that have ended back into the queue, and says so. */
export async function recovered(sql: Sql, { silence }: HeartbeatIntervals, logger: Logger): Promise<void> {
  const jobs = await recover(sql, silence)
  if (jobs.length === 0) return
  const dead = jobs.filter((job) => job.dead).length
  const rest = dead === 0 ? '' : `; ${dead} of them are dead, for that happened too often under them`
  logger.warn({ jobs: jobs.length }, `${jobs.length} jobs of a server that has ended go back into the queue${rest}`)
}

async function settled(sql: Sql, held: HeldJobs, pools: readonly string[], logger: Logger): Promise<void> {
  const ids = await held.settle(sql, pools)
  if (ids.length > 0)
    logger.warn({ jobs: ids.length }, `${ids.length} jobs that were lost on their way here go back into the queue`)
}

/** Says what went wrong where the work goes on. */
export function troubled(logger: Logger): (error: unknown) => void {
  return (error) => logger.warn({}, `the queue: ${error instanceof Error ? error.message : String(error)}`)
}
