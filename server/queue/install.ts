/** Brings a database to the queue of this version. Any number of processes may do so at once. */
import { createHash } from 'node:crypto'
import type { ISql, Sql } from 'postgres'
import { LOCKS } from '../store/locks.ts'
import { FUNCTIONS } from './functions.ts'
import { VIEW } from './view.ts'

/** The newest step of graphile-worker's tables. */
export const QUEUE_VERSION = 19

/** Finds what servers hold, however much waits beside it: the engine has indexes for what waits only. */
const INDEX =
  'create index if not exists ingot_held on graphile_worker._private_jobs (locked_by) where locked_at is not null'

/** Stands at our view when everything is there: the engine's tables lie below it, and go with it. */
const MARK = `${QUEUE_VERSION}:${createHash('sha256')
  .update(INDEX + VIEW + FUNCTIONS)
  .digest('hex')
  .slice(0, 16)}`

/**
 * Makes the tables of the queue, our index and view on them, and the functions that change what it shows. Where they are there, one statement finds out.
 * @param sql a client of the database that has our own tables
 * @throws what the clients throw
 */
export async function installQueue(databaseUrl: string, sql: Sql): Promise<void> {
  if ((await markOf(sql)) === MARK) return
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${LOCKS.queue})`
    if ((await markOf(transaction)) === MARK) return
    // It brings two large packages, which no process that only answers requests has otherwise.
    const { migrateQueue } = await import('./migrate-queue.ts')
    await migrateQueue(databaseUrl, sql)
    // Columns of a view can be added, not changed.
    await transaction.unsafe(
      `${INDEX}; drop view if exists ingot.jobs; ${VIEW}; ${FUNCTIONS} comment on view ingot.jobs is '${MARK}'`,
    )
  })
}

async function markOf(sql: ISql): Promise<string | null> {
  // By the catalog, which sees what another server made before it let go of the lock.
  const [row] = await sql<{ mark: string | null }[]>`
    select obj_description(c.oid, 'pg_class') as mark from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'ingot' and c.relname = 'jobs'`
  return row?.mark ?? null
}
