/** Migrates a database to the tables of this version. Any number of processes may do so concurrently. */
import type { ISql, Sql } from 'postgres'
import { StartError } from '../../core/start-error.ts'
import { LOCKS } from './locks.ts'
import { migrations } from './migrations/index.ts'
import { sendOnce } from './send.ts'

/**
 * Applies the missing migrations, each in its own transaction.
 * @throws StartError when a newer version of Ingot has migrated the database
 */
export async function migrate(sql: Sql): Promise<void> {
  while ((await appliedCount(sql)) < migrations.length) {
    await sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(${LOCKS.migrate})`
      const next = await appliedCount(transaction)
      const step = migrations[next]
      if (step === undefined) return
      if (next === 0) await createSchema(transaction)
      await sendOnce(transaction, step.sql)
      await transaction`insert into ingot.migrations (number, name) values (${next + 1}, ${step.name})`
    })
  }
}

/** Number of migrations that this version has and the database lacks. */
export async function countMissingMigrations(sql: ISql): Promise<number> {
  const [row] = await sql<{ last: number }[]>`select coalesce(max(number), 0)::int as last from ingot.migrations`
  return Math.max(0, migrations.length - (row?.last ?? 0))
}

async function appliedCount(sql: ISql): Promise<number> {
  // Reads the catalog directly, because `to_regclass` may not see yet what another server created before it released the lock.
  const [there] = await sql`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'ingot' and c.relname = 'migrations'`
  if (there === undefined) return 0
  const rows = await sql<{ number: number; name: string }[]>`select number, name from ingot.migrations order by number`
  const last = rows.at(-1)?.number ?? 0
  if (last <= migrations.length) return last
  throw new StartError(
    `The database was migrated to step ${last} (${rows.at(-1)?.name}) by a newer version of Ingot, but this version knows only ${migrations.length}: run the newer version, or use another database.`,
  )
}

// An existing schema is used, because creating one needs privileges that the user may not have.
async function createSchema(sql: ISql): Promise<void> {
  const [there] = await sql`select from pg_namespace where nspname = 'ingot'`
  if (there === undefined) await sql`create schema ingot`
  await sql`
    create table ingot.migrations (
      number integer primary key, name text not null, applied_at timestamptz(3) not null default now())`
}
