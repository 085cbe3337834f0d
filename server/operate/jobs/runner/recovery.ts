/**
 * Recovers the jobs of dead servers. A server is dead when its heartbeat is missing. Its jobs are returned to the queue, which at first
 * does not cost an attempt.
 */
import type { Sql } from 'postgres'
import { retryDelay } from './retry-delay.ts'

/** Intervals of heartbeats and checks, in milliseconds. */
export interface HeartbeatIntervals {
  /** Time between two heartbeats. */
  readonly beat: number
  /** Time between two checks for dead servers. */
  readonly check: number
  /** Time without a heartbeat after which a server counts as dead. */
  readonly silence: number
}

/** Maximum seconds between two checks, because other servers may have a shorter silence than this one. */
const MAX_CHECK_INTERVAL = 20

/**
 * Returns the intervals for a server's silence in seconds. A job of a dead server restarts after the silence plus at most twenty seconds.
 * With a silence of a minute, this is well within the documented two minutes.
 */
export function intervalsOf(silence: number): HeartbeatIntervals {
  return {
    beat: (silence * 1000) / 6,
    check: Math.min(silence / 3, MAX_CHECK_INTERVAL) * 1000,
    silence: silence * 1000,
  }
}

/** Number of server crashes that do not cost a job an attempt. */
export const FORGIVEN_CRASHES = 3

/**
 * Sends a heartbeat for worker pools.
 * @param silence milliseconds without a heartbeat after which they count as dead
 */
export async function sendHeartbeat(sql: Sql, pools: readonly string[], silence: number): Promise<void> {
  if (pools.length === 0) return
  await sql`
    insert into ingot.job_servers (pool_id, silence)
    select unnest(string_to_array(${pools.join(',')}, ',')), ${Math.round(silence)}::integer
    on conflict (pool_id) do update set seen_at = now(), silence = excluded.silence`
}

/** Removes pools from the list that have ended and hold no job. */
export async function unregister(sql: Sql, pools: readonly string[]): Promise<void> {
  await sql`delete from ingot.job_servers where pool_id = any(string_to_array(${pools.join(',')}, ','))`
}

export interface RecoveredJob {
  readonly id: string
  /** How often a server has crashed while running the job. */
  readonly crashes: number
  readonly dead: boolean
}

const CRASH_MESSAGE = 'its server ended while it ran'

/**
 * Returns the jobs of dead servers to the queue. The first crashes do not cost an attempt. Their runs are also counted in the job's row,
 * because the job's effects may happen twice. A job whose servers keep dying fails. Each server is judged by the silence in
 * its own heartbeats.
 * @param silence milliseconds; for servers without a heartbeat
 */
export async function recover(sql: Sql, silence: number): Promise<readonly RecoveredJob[]> {
  const silenceMilliseconds = Math.round(silence)
  return sql.begin(async (transaction) => {
    const rows = await transaction<RecoveredJob[]>`
      with lost as (
        select j.id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        left join ingot.job_servers s on s.pool_id = j.locked_by
        -- A server that has just woken up may fetch jobs before it sends its heartbeat.
        where t.identifier in ('ingot', 'ingot_low') and j.locked_at is not null
          and greatest(j.locked_at, s.seen_at) < now() - coalesce(s.silence, ${silenceMilliseconds}) * interval '1 millisecond'
        for update of j skip locked
      ), counted as (
        insert into ingot.job_failures as f (job_id, reason, message, crashes) select id, 'crash', ${CRASH_MESSAGE}, 1 from lost
        on conflict (job_id) do update set reason = excluded.reason, error_class = null, message = excluded.message,
          stack = '[]', crashes = f.crashes + 1, failed_at = now()
        returning f.job_id, f.crashes
      )
      update graphile_worker._private_jobs j set
        locked_at = null, locked_by = null, last_error = ${CRASH_MESSAGE}, updated_at = now(),
        flags = case when c.crashes <= ${FORGIVEN_CRASHES} then ingot.returned_flags(j.flags, 1) else j.flags end,
        attempts = case when c.crashes <= ${FORGIVEN_CRASHES} then greatest(0, j.attempts - 1) else j.attempts end,
        run_at = case when c.crashes <= ${FORGIVEN_CRASHES} then j.run_at
          else now() + ${retryDelay(transaction, transaction`j.attempts`)} end
      from counted c where j.id = c.job_id
      returning j.id::text, c.crashes, j.attempts >= j.max_attempts as dead`
    // A pool that still holds a job must stay listed, so that other servers can detect its loss.
    await transaction`
      delete from ingot.job_servers s where s.seen_at < now() - coalesce(s.silence, ${silenceMilliseconds}) * interval '1 millisecond'
        and not exists (select from graphile_worker._private_jobs j where j.locked_at is not null and j.locked_by = s.pool_id)`
    if (rows.length > 0) {
      await transaction`select pg_notify('jobs:insert', ${JSON.stringify({ r: Math.random(), count: rows.length })})`
    }
    return [...rows]
  })
}

/** Removes records about jobs that no longer exist, because they succeeded or were deleted. */
export async function removeObsoleteRecords(sql: Sql): Promise<void> {
  await sql`
    delete from ingot.job_renewals r
    where not exists (select from graphile_worker._private_jobs j where j.id = r.job_id and j.locked_at = r.locked_at)`
  await sql`
    delete from ingot.job_failures f
    where not exists (select from graphile_worker._private_jobs j where j.id = f.job_id)`
}
