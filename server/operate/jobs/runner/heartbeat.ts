/** The heartbeat of a process that runs jobs, and its regular checks for jobs of dead servers and for lost jobs. */
import type { Sql } from 'postgres'
import type { Logger } from '../../../core/contracts/log.ts'
import type { HeldJobs } from './held.ts'
import { sendHeartbeat, removeObsoleteRecords, recover, type HeartbeatIntervals } from './recovery.ts'

export interface HeartbeatOptions {
  readonly sql: Sql
  /** The worker pools of this process; more may be added. */
  readonly pools: readonly string[]
  readonly intervals: HeartbeatIntervals
  readonly logger: Logger
}

export interface Heartbeat {
  /**
   * Sends a heartbeat at once.
   * @throws the client's errors
   */
  now(): Promise<void>
  stop(): void
}

/** Milliseconds between removals of records about jobs that no longer exist. */
const CLEANUP_INTERVAL = 3_600_000

/**
 * Sends heartbeats. When none has succeeded for so long that other servers may take over the jobs, the running jobs are aborted, because
 * a job must not run twice at once.
 * @param abortJobs aborts the running jobs
 */
export function startHeartbeat({ sql, pools, intervals, logger }: HeartbeatOptions, abortJobs: () => void): Heartbeat {
  let lastBeatAt = performance.now()
  let wasCutOff = false
  async function now(): Promise<void> {
    const startedAt = performance.now()
    await sendHeartbeat(sql, pools, intervals.silence)
    lastBeatAt = startedAt
    wasCutOff = false
  }
  const timer = setInterval(() => {
    // Also true after the machine was asleep.
    if (performance.now() - lastBeatAt > intervals.silence * 0.8 && !wasCutOff) {
      wasCutOff = true
      logger.warn({}, 'no heartbeat could be sent, so the jobs running here are aborted and left to other servers')
      abortJobs()
    }
    void now().catch(logError(logger))
  }, intervals.beat)
  return { now, stop: () => clearInterval(timer) }
}

/**
 * Regularly returns jobs that other servers or the engine have lost, and removes obsolete records.
 * @returns a function that stops the checks
 */
export function startChecks({ sql, pools, intervals, logger }: HeartbeatOptions, held: HeldJobs): () => void {
  const timer = setInterval(() => {
    void recoverJobs(sql, intervals, logger).catch(logError(logger))
    void returnLostJobs(sql, held, pools, logger).catch(logError(logger))
  }, intervals.check)
  const cleanupTimer = setInterval(() => void removeObsoleteRecords(sql).catch(logError(logger)), CLEANUP_INTERVAL)
  return () => {
    clearInterval(timer)
    clearInterval(cleanupTimer)
  }
}

/** Returns jobs of dead servers to the queue, and logs it. */
export async function recoverJobs(sql: Sql, { silence }: HeartbeatIntervals, logger: Logger): Promise<void> {
  const jobs = await recover(sql, silence)
  if (jobs.length === 0) return
  const dead = jobs.filter((job) => job.dead).length
  const rest = dead === 0 ? '' : `; ${dead} of them are dead, because their servers ended too often`
  logger.warn({ jobs: jobs.length }, `${jobs.length} jobs of a server that has ended were returned to the queue${rest}`)
}

async function returnLostJobs(sql: Sql, held: HeldJobs, pools: readonly string[], logger: Logger): Promise<void> {
  const ids = await held.settle(sql, pools)
  if (ids.length > 0)
    logger.warn({ jobs: ids.length }, `${ids.length} jobs that never arrived here were returned to the queue`)
}

/** Returns a handler that logs an error and continues. */
export function logError(logger: Logger): (error: unknown) => void {
  return (error) => logger.warn({}, `the queue: ${error instanceof Error ? error.message : String(error)}`)
}
