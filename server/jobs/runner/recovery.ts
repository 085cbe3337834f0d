/** Jobs whose server has died: found by the missing sign of life, given back to the queue, and not held against them at first. */
import type { Sql } from 'postgres'
import { retryDelay } from './retry-delay.ts'

/** Milliseconds. */
export interface HeartbeatIntervals {
  /** Between two signs of life. */
  readonly beat: number
  /** Between two looks for servers that give none. */
  readonly look: number
  /** Without a sign of life for so long, a server counts as dead. */
  readonly silence: number
}

/** Seconds between two looks at most: other servers may be dead long before one with much patience would be. */
const LOOK = 20

/**
 * The rhythm for a server's own time of silence in seconds. A job of a dead server starts elsewhere when its time of silence is over,
 * twenty seconds later at the latest: with a minute, well within the two that are promised.
 */
export function rhythmOf(silence: number): HeartbeatIntervals {
  return { beat: (silence * 1000) / 6, look: Math.min(silence / 3, LOOK) * 1000, silence: silence * 1000 }
}

/** Crashes of its server for each of which a job gets its attempt back. */
export const FORGIVEN = 3

/** Gives a sign of life of pools of the queue. @param silence milliseconds without one after which they count as dead */
export async function beat(sql: Sql, pools: readonly string[], silence: number): Promise<void> {
  if (pools.length === 0) return
  await sql`
    insert into ingot.job_servers (pool_id, silence)
    select unnest(string_to_array(${pools.join(',')}, ',')), ${Math.round(silence)}::integer
    on conflict (pool_id) do update set seen_at = now(), silence = excluded.silence`
}

/** Takes pools that have ended, and hold no job, from the list. */
export async function leave(sql: Sql, pools: readonly string[]): Promise<void> {
  await sql`delete from ingot.job_servers where pool_id = any(string_to_array(${pools.join(',')}, ','))`
}

export interface RecoveredJob {
  readonly id: string
  /** How often its server has ended under it. */
  readonly crashes: number
  readonly dead: boolean
}

const CRASH = 'its server ended while it ran'

/**
 * Gives the jobs of dead servers back. For the first crashes the attempt does not count; a job under which servers go on dying has
 * failed by itself. Each server is judged by the time of silence that it has given with its signs of life.
 * @param silence milliseconds, for servers that have given none
 */
export async function recover(sql: Sql, silence: number): Promise<readonly RecoveredJob[]> {
  const own = Math.round(silence)
  return sql.begin(async (transaction) => {
    const rows = await transaction<RecoveredJob[]>`
      with lost as (
        select j.id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        left join ingot.job_servers s on s.pool_id = j.locked_by
        -- A server that has woken up may take jobs before it gives its sign of life.
        where t.identifier in ('ingot', 'ingot_low') and j.locked_at is not null
          and greatest(j.locked_at, s.seen_at) < now() - coalesce(s.silence, ${own}) * interval '1 millisecond'
        for update of j skip locked
      ), counted as (
        insert into ingot.job_failures as f (job_id, reason, message, crashes) select id, 'crash', ${CRASH}, 1 from lost
        on conflict (job_id) do update set reason = excluded.reason, error_class = null, message = excluded.message,
          stack = '[]', crashes = f.crashes + 1, failed_at = now()
        returning f.job_id, f.crashes
      )
      update graphile_worker._private_jobs j set
        locked_at = null, locked_by = null, last_error = ${CRASH}, updated_at = now(),
        attempts = case when c.crashes <= ${FORGIVEN} then greatest(0, j.attempts - 1) else j.attempts end,
        run_at = case when c.crashes <= ${FORGIVEN} then j.run_at
          else now() + ${retryDelay(transaction, transaction`j.attempts`)} end
      from counted c where j.id = c.job_id
      returning j.id::text, c.crashes, j.attempts >= j.max_attempts as dead`
    // As long as there is a job of theirs, others have to know when it is lost.
    await transaction`
      delete from ingot.job_servers s where s.seen_at < now() - coalesce(s.silence, ${own}) * interval '1 millisecond'
        and not exists (select from graphile_worker._private_jobs j where j.locked_at is not null and j.locked_by = s.pool_id)`
    if (rows.length > 0) {
      await transaction`select pg_notify('jobs:insert', ${JSON.stringify({ r: Math.random(), count: rows.length })})`
    }
    return [...rows]
  })
}

/** Removes what is kept of jobs that are gone: those that succeeded later, and those that were deleted. */
export async function forget(sql: Sql): Promise<void> {
  await sql`
    delete from ingot.job_renewals r
    where not exists (select from graphile_worker._private_jobs j where j.id = r.job_id and j.locked_at = r.locked_at)`
  await sql`
    delete from ingot.job_failures f
    where not exists (select from graphile_worker._private_jobs j where j.id = f.job_id)`
}
