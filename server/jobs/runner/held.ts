/**
 * What this process knows of the jobs that the queue says it holds. The engine asks for a job, and has it taken out, once: where the
 * answer to the one is lost with its connection, or the other never arrives, a job stays with a server that does not have it.
 */
import type { Sql } from 'postgres'
import { giveBack } from './keep.ts'

export interface HeldJobs {
  begun(id: string): void
  /** @param done it has succeeded, and the engine takes it out of the queue next */
  ended(id: string, done: boolean): void
  /**
   * Takes out what is done and still there, gives back what was fetched and never came, and renews the locks of what runs for hours;
   * to be called every few minutes at the least.
   * @returns ids of what was given back
   * @throws what the client throws; what could not be settled then is settled the next time
   */
  settle(sql: Sql, pools: readonly string[]): Promise<readonly string[]>
}

/** A job as the queue says that we hold it: one that is fetched again has another time. */
interface Claim {
  readonly id: string
  readonly pool: string
  readonly lockedAt: string
  /** Locked for so long that the engine might take it away soon. */
  readonly old: boolean
}

/** Hours that a lock may have; after four the engine takes a job away, whether its server lives or not. */
const OLD = 3
/** Seconds until a job that never came may be fetched again. */
const AHEAD = 1

export function createHeld(): HeldJobs {
  const running = new Set<string>()
  /** Done since the last time. */
  let done = new Set<string>()
  /** Claims that were unknown the last time: the answer of one that was made just then may still be on its way. */
  let unknown: ReadonlySet<string> = new Set()

  return {
    begun(id) {
      running.add(id)
      done.delete(id)
    },
    ended(id, succeeded) {
      running.delete(id)
      if (succeeded) done.add(id)
    },
    async settle(sql, pools) {
      const before = done
      done = new Set()
      try {
        const claims = await claimsOf(sql, pools)
        const left = claims.filter(({ id }) => before.has(id)).map(({ id }) => id)
        if (left.length > 0) await takeOut(sql, left, pools)
        const strange = claims.filter(({ id }) => !running.has(id) && !before.has(id) && !done.has(id))
        const lost = strange.filter((claim) => unknown.has(nameOf(claim)))
        for (const { id, pool } of lost) await giveBack(sql, id, pool, AHEAD)
        unknown = new Set(strange.map(nameOf))
        const aged = claims.filter(({ id, old }) => old && running.has(id)).map(({ id }) => id)
        if (aged.length > 0) await renew(sql, aged, pools)
        return lost.map(({ id }) => id)
      } catch (error) {
        for (const id of before) if (!running.has(id)) done.add(id)
        throw error
      }
    },
  }
}

function nameOf({ id, lockedAt }: Claim): string {
  return `${id} ${lockedAt}`
}

async function claimsOf(sql: Sql, pools: readonly string[]): Promise<readonly Claim[]> {
  return sql<Claim[]>`
    select id::text, locked_by as pool, locked_at::text as "lockedAt",
      locked_at < now() - ${OLD}::int * interval '1 hour' as old
    from graphile_worker._private_jobs
    where locked_at is not null and locked_by = any(string_to_array(${pools.join(',')}, ','))`
}

async function takeOut(sql: Sql, ids: readonly string[], pools: readonly string[]): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs
    where id = any(string_to_array(${ids.join(',')}, ',')::bigint[])
      and locked_by = any(string_to_array(${pools.join(',')}, ','))`
}

/** When they have begun stays known: one that was renewed before keeps the time of then. */
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
