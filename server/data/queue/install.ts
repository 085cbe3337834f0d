/** Installs the queue of this version in a database. Several processes may do so at once. */
import { createHash } from 'node:crypto'
import type { ISql, Sql } from 'postgres'
import { literal, sql as statement, toStatement } from '../../../runtime/data/sql/sql.ts'
import { LOCKS } from '../store/locks.ts'
import { sendOnce } from '../store/send.ts'
import { FUNCTIONS } from './functions.ts'
import { VIEW } from './view.ts'

/** The newest migration of graphile-worker's tables. @internal Exported for tests. */
export const QUEUE_VERSION = 19

/**
 * Index of the running jobs. Without it, finding them would take longer with every waiting job, because the engine's indexes only cover
 * waiting jobs.
 */
const HELD_JOBS_INDEX = statement`
  create index if not exists ingot_held on graphile_worker._private_jobs (locked_by) where locked_at is not null`

/**
 * Stored as the view's comment when everything is installed. The view depends on the engine's tables, so the mark
 * disappears with them.
 */
const INSTALLED_MARK = `${QUEUE_VERSION}:${createHash('sha256')
  .update(toStatement(statement`${HELD_JOBS_INDEX}${VIEW}${FUNCTIONS}`).text)
  .digest('hex')
  .slice(0, 16)}`

/**
 * Creates the tables of the queue, our index, view and functions. When they exist, this takes one statement.
 * @param sql a client of a database that has Ingot's own tables
 * @throws the clients' errors
 */
export async function installQueue(databaseUrl: string, sql: Sql): Promise<void> {
  if ((await readMark(sql)) === INSTALLED_MARK) return
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${LOCKS.queue})`
    if ((await readMark(transaction)) === INSTALLED_MARK) return
    // Loaded on demand, because it needs two large packages that a process without jobs does not need.
    const { migrateQueue } = await import('./migrate-queue.ts')
    await migrateQueue(databaseUrl, sql)
    // A view's columns can be added but not changed, so it is replaced.
    await sendOnce(
      transaction,
      statement`
        ${HELD_JOBS_INDEX}; drop view if exists ingot.jobs; ${VIEW}; ${FUNCTIONS} comment on view ingot.jobs is ${literal(INSTALLED_MARK)}`,
    )
  })
}

async function readMark(sql: ISql): Promise<string | null> {
  // Read from the catalog, which shows what another server created before it released the lock.
  const [row] = await sql<{ mark: string | null }[]>`
    select obj_description(c.oid, 'pg_class') as mark from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'ingot' and c.relname = 'jobs'`
  return row?.mark ?? null
}
