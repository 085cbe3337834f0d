/** Records which migrations of a site have run. Each runs once in the life of a database, until the site is removed from it. */
import { prepared, sql as statement } from '../../../runtime/data/sql/sql.ts'
import type { Sql, TransactionSql } from 'postgres'
import type { CompiledSite } from '../../../runtime/page/site.ts'

export interface MigrationState {
  readonly name: string
  /** Whether it belongs to a module. When it fails, the site starts without it, and it is retried only by hand. */
  readonly optional: boolean
  readonly state: 'pending' | 'done' | 'error'
  /** Whether it was uploaded alone, while being written. It waits for the next deploy, or is run by hand. */
  readonly isHeld: boolean
  /** Why the migration failed; null when it has not failed. */
  readonly error: string | null
  readonly ranAt: Date | null
}

interface MigrationRow {
  readonly name: string
  readonly state: string
  readonly error: string | null
  readonly ran_at: Date
}

/** Returns the states of all migrations of the site, in order. */
export async function migrationStates(sql: Sql, site: CompiledSite): Promise<readonly MigrationState[]> {
  if (site.migrations.length === 0) return []
  const rows = await sql<MigrationRow[]>`select name, state, error, ran_at from ingot.site_migrations`
  const known = new Map(rows.map((row) => [row.name, row]))
  return site.migrations.map(({ name, file }) => {
    const row = known.get(name)
    const optional = !site.options.migrationsStrict && !APP_MIGRATION.test(file)
    if (row === undefined) return { name, optional, state: 'pending', isHeld: false, error: null, ranAt: null }
    const { error, state } = row
    const isHeld = state === HELD_STATE
    if (isHeld && error === null) return { name, optional, state: 'pending', isHeld, error, ranAt: null }
    const ranAt = new Date(row.ran_at)
    return { name, optional, state: state === 'done' ? 'done' : 'error', isHeld, error, ranAt }
  })
}

/** State of the row of a held migration. If it was run by hand and failed, the row also has the error. */
const HELD_STATE = 'held'

/** Migrations under `app/modules` belong to the app, not to a module. */
const APP_MIGRATION = /^(?:app|marketplace_builder)\//

/** Returns whether a server start runs the migration. A failed migration of a module is retried only by hand. */
export function isDue({ state, optional, isHeld }: MigrationState): boolean {
  return !isHeld && (state === 'pending' || (state === 'error' && !optional))
}

/** Holds back migrations that have not run. */
export async function holdMigrations(sql: Sql, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await sql`
    insert into ingot.site_migrations (name, state)
    select name, ${HELD_STATE} from jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb) as given(name)
    on conflict (name) do nothing`
}

/** Records why a migration failed; its changes were rolled back. A held migration stays held. */
export async function recordMigrationError(sql: Sql, name: string, error: string): Promise<void> {
  await sql`
    insert into ingot.site_migrations (name, state, error) values (${name}, 'error', ${error.replaceAll('\0', '')})
    on conflict (name) do update set error = excluded.error, ran_at = now(),
      state = case when site_migrations.state = ${HELD_STATE} then ${HELD_STATE} else excluded.state end
    where site_migrations.state <> 'done'`
}

/** Lets all migrations run again. */
export async function forgetMigrations(sql: Sql | TransactionSql): Promise<void> {
  await sql`delete from ingot.site_migrations`
}

/** Marks a migration as done, in the transaction that runs it. Returns a row unless it was already done. */
export const markDone = prepared<[name: string]>(
  (name) => statement`insert into ingot.site_migrations as m (name, state) values (${name}::text, 'done')
    on conflict (name) do update set state = 'done', error = null, ran_at = now() where m.state <> 'done'
    returning name`,
)
