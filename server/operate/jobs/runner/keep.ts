/** Records the outcome of jobs that did not succeed, and releases them. */
import type { Sql } from 'postgres'
import type { Failure } from '../task/failure.ts'
import { FORGIVEN_CRASHES } from './recovery.ts'
import { retryDelay } from './retry-delay.ts'

/**
 * Records a failure while this pool holds the job, and schedules the next attempt with the engine's own delay. No attempt is left when
 * retrying cannot help. An unreachable database is treated like a crashed server: at first it does not cost an attempt.
 * @returns the number of remaining attempts; null when the job is gone, or belongs to another server
 */
export async function recordFailure(sql: Sql, id: string, pool: string, failure: Failure): Promise<number | null> {
  const { reason, errorClass, message, stack, canRetry } = failure
  const isDatabaseFailure = reason === 'database'
  // PostgreSQL cannot store NUL.
  const text = message.replaceAll('\0', '')
  const [row] = await sql<{ left: number }[]>`
    with before as (
      select coalesce((select crashes from ingot.job_failures where job_id = ${id}::bigint), 0) + ${isDatabaseFailure ? 1 : 0}::int as crashes
    ), mine as (
      update graphile_worker._private_jobs j set locked_at = null, locked_by = null, last_error = ${text}, updated_at = now(),
        attempts = case
          when not ${canRetry}::boolean then j.max_attempts
          when ${isDatabaseFailure}::boolean and before.crashes <= ${FORGIVEN_CRASHES}::int then greatest(0, j.attempts - 1)
          else j.attempts end,
        flags = case
          when ${canRetry}::boolean and ${isDatabaseFailure}::boolean and before.crashes <= ${FORGIVEN_CRASHES}::int
            then ingot.returned_flags(j.flags, 1)
          when not ${canRetry}::boolean
            then coalesce(j.flags, '{}') || jsonb_build_object('ingot_unused', j.max_attempts - j.attempts)
          else j.flags end,
        run_at = greatest(now(), j.run_at) +
          ${retryDelay(sql, sql`case when ${isDatabaseFailure}::boolean then before.crashes else j.attempts end`)}
      from before
      where j.id = ${id}::bigint and j.locked_by = ${pool}
      returning j.id, j.max_attempts - j.attempts as left, before.crashes
    ), kept as (
      insert into ingot.job_failures (job_id, reason, error_class, message, stack, crashes)
      select id, ${reason}, ${errorClass}, ${text}, ${JSON.stringify(stack)}::text::jsonb, crashes from mine
      on conflict (job_id) do update set reason = excluded.reason, error_class = excluded.error_class,
        message = excluded.message, stack = excluded.stack, crashes = excluded.crashes, failed_at = now()
    )
    select "left" from mine`
  return row?.left ?? null
}

/**
 * Gives back a job that was interrupted through no fault of its own. The attempt does not count.
 * @param seconds seconds until the job may start again
 * @param hasBegun whether the job had begun, so that its effects may happen twice
 */
export async function giveBack(sql: Sql, id: string, pool: string, seconds: number, hasBegun: boolean): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set attempts = greatest(0, attempts - 1), locked_at = null, locked_by = null,
      flags = case when ${hasBegun}::boolean then ingot.returned_flags(flags, 1) else flags end,
      run_at = case when ${seconds}::float8 > 0 then now() + ${seconds}::float8 * interval '1 second' else run_at end
    where id = ${id}::bigint and locked_by = ${pool}`
  if (seconds === 0) await sql`select pg_notify('jobs:insert', '{"count":1}')`
}

/** Seconds that a job waits for a server that has its code, and seconds between two attempts. */
const CODE_PATIENCE = 60
const CODE_PAUSE = 5

/**
 * Gives back a new job whose code is missing here, while servers follow releases. They switch one after another, so a server that still
 * serves the previous release may fetch a job that the next release has queued. The attempt does not count.
 * @returns whether it was given back; false when no server can have the code
 */
export async function leaveToOtherRelease(sql: Sql, id: string, pool: string): Promise<boolean> {
  const rows = await sql`
    update graphile_worker._private_jobs set attempts = greatest(0, attempts - 1), locked_at = null, locked_by = null,
      run_at = now() + ${CODE_PAUSE} * interval '1 second'
    where id = ${id}::bigint and locked_by = ${pool} and created_at > now() - ${CODE_PATIENCE} * interval '1 second'
      and exists (select from ingot.servers where follows is not null and seen_at > now() - interval '1 minute')
    returning id`
  return rows.length > 0
}

/** Removes the recorded failures of a job that has succeeded. */
export async function forgetFailure(sql: Sql, id: string): Promise<void> {
  await sql`delete from ingot.job_failures where job_id = ${id}::bigint`
}
