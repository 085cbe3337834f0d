/** Writes down how a job ended that did not succeed, and lets go of it. */
import type { Sql } from 'postgres'
import type { Failure } from '../task/failure.ts'
import { FORGIVEN } from './recovery.ts'
import { retryDelay } from './retry-delay.ts'

/**
 * Keeps a failure, as long as the job is this pool's, and puts the job back for its next attempt, as late as the engine would. Where
 * none can go better, no attempt is left. That the database was away counts as the end of a server does: at first it is not held
 * against the job.
 * @returns attempts that are left; null where the job is gone or another server's
 */
export async function keepFailure(sql: Sql, id: string, pool: string, failure: Failure): Promise<number | null> {
  const { reason, errorClass, message, stack, again } = failure
  const crash = reason === 'database'
  // PostgreSQL's texts have no NUL.
  const text = message.replaceAll('\0', '')
  const [row] = await sql<{ left: number }[]>`
    with before as (
      select coalesce((select crashes from ingot.job_failures where job_id = ${id}::bigint), 0) + ${crash ? 1 : 0}::int as crashes
    ), mine as (
      update graphile_worker._private_jobs j set locked_at = null, locked_by = null, last_error = ${text}, updated_at = now(),
        attempts = case
          when not ${again}::boolean then j.max_attempts
          when ${crash}::boolean and before.crashes <= ${FORGIVEN}::int then greatest(0, j.attempts - 1)
          else j.attempts end,
        run_at = greatest(now(), j.run_at) +
          ${retryDelay(sql, sql`case when ${crash}::boolean then before.crashes else j.attempts end`)}
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
 * Puts jobs back that did not come to their end by no fault of their own: the attempt does not count.
 * @param seconds from now, when they may begin again
 */
export async function giveBack(sql: Sql, id: string, pool: string, seconds: number): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set attempts = greatest(0, attempts - 1), locked_at = null, locked_by = null,
      run_at = case when ${seconds}::float8 > 0 then now() + ${seconds}::float8 * interval '1 second' else run_at end
    where id = ${id}::bigint and locked_by = ${pool}`
  if (seconds === 0) await sql`select pg_notify('jobs:insert', '{"count":1}')`
}

/** Takes away what is kept of earlier failures of a job that has succeeded. */
export async function forgetFailure(sql: Sql, id: string): Promise<void> {
  await sql`delete from ingot.job_failures where job_id = ${id}::bigint`
}
