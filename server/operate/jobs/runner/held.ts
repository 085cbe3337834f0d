/**
 * Tracks the jobs that the queue lists as held by this process. The engine fetches and removes a job only once. If the response to the
 * fetch is lost with its connection, or the removal never arrives, the queue still lists a job that this process does not
 * have.
 */
import type { Sql } from 'postgres'
import { giveBack } from './keep.ts'

export interface HeldJobs {
  started(id: string): void
  /**
   * Records that a job has ended.
   * @param done whether the job succeeded, so that the engine removes it from the queue next
   */
  ended(id: string, done: boolean): void
  /**
   * Removes jobs that are done but still in the queue, gives back fetched jobs that never arrived, and renews the locks
   * of long-running jobs. Must be called every few minutes.
   * @returns ids of the jobs that were given back
   * @throws the client's errors; the next call repeats what failed
   */
  settle(sql: Sql, pools: readonly string[]): Promise<readonly string[]>
}

/** A job that the queue lists as held by this process. Fetching it again changes `lockedAt`. */
interface Claim {
  readonly id: string
  readonly pool: string
  readonly lockedAt: string
  /** Whether the lock is so old that the engine may soon release the job. */
  readonly old: boolean
}

/** Hours after which a lock is renewed. After four hours, the engine releases a job even from a live server. */
const LOCK_RENEWAL_HOURS = 3
/** Seconds until a job that never arrived may be fetched again. */
const RETRY_DELAY = 1

export function createHeldJobs(): HeldJobs {
  const running = new Set<string>()
  /** Jobs that finished since the last call. */
  let done = new Set<string>()
  /** Claims that were unknown in the last call. The response to a recent fetch may still have been on its way. */
  let unknown: ReadonlySet<string> = new Set()

  return {
    started(id) {
      running.add(id)
      done.delete(id)
    },
    ended(id, succeeded) {
      running.delete(id)
      if (succeeded) done.add(id)
    },
    async settle(sql, pools) {
      const finishedBefore = done
      done = new Set()
      try {
        const claims = await claimsOf(sql, pools)
        const remainingClaims = claims.filter(({ id }) => finishedBefore.has(id)).map(({ id }) => id)
        if (remainingClaims.length > 0) await removeJobs(sql, remainingClaims, pools)
        const unexpectedClaims = claims.filter(({ id }) => !running.has(id) && !finishedBefore.has(id) && !done.has(id))
        const lostClaims = unexpectedClaims.filter((claim) => unknown.has(claimKey(claim)))
        for (const { id, pool } of lostClaims) await giveBack(sql, id, pool, RETRY_DELAY, false)
        unknown = new Set(unexpectedClaims.map(claimKey))
        const oldClaims = claims.filter(({ id, old }) => old && running.has(id)).map(({ id }) => id)
        if (oldClaims.length > 0) await renew(sql, oldClaims, pools)
        return lostClaims.map(({ id }) => id)
      } catch (error) {
        for (const id of finishedBefore) if (!running.has(id)) done.add(id)
        throw error
      }
    },
  }
}

function claimKey({ id, lockedAt }: Claim): string {
  return `${id} ${lockedAt}`
}

async function claimsOf(sql: Sql, pools: readonly string[]): Promise<readonly Claim[]> {
  return sql<Claim[]>`
    select id::text, locked_by as pool, locked_at::text as "lockedAt",
      locked_at < now() - ${LOCK_RENEWAL_HOURS}::int * interval '1 hour' as old
    from graphile_worker._private_jobs
    where locked_at is not null and locked_by = any(string_to_array(${pools.join(',')}, ','))`
}

async function removeJobs(sql: Sql, ids: readonly string[], pools: readonly string[]): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs
    where id = any(string_to_array(${ids.join(',')}, ',')::bigint[])
      and locked_by = any(string_to_array(${pools.join(',')}, ','))`
}

/** Renews the locks of jobs. Keeps the original start time over several renewals. */
async function renew(sql: Sql, ids: readonly string[], pools: readonly string[]): Promise<void> {
  await sql`
    with aged as (
      select id, locked_at from graphile_worker._private_jobs
      where id = any(string_to_array(${ids.join(',')}, ',')::bigint[])
        and locked_by = any(string_to_array(${pools.join(',')}, ',')) and locked_at is not null
      for update
    ), noted as (
      insert into ingot.job_renewals as r (job_id, started_at, locked_at) select id, locked_at, now() from aged
      on conflict (job_id) do update set locked_at = excluded.locked_at,
        started_at = case when r.locked_at = excluded.started_at then r.started_at else excluded.started_at end
    )
    update graphile_worker._private_jobs j set locked_at = now() from aged where j.id = aged.id`
}
