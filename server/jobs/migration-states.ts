/** Which migrations of a site have run: each runs once in the life of a database. */
import { prepared, sql as statement } from '../../runtime/data/sql/sql.ts'
import type { Sql } from 'postgres'
import type { CompiledSite } from '../../runtime/page/site.ts'

export interface MigrationState {
  readonly name: string
  /** It belongs to a module, and the site goes on without it when it fails: it is run again by hand alone. */
  readonly optional: boolean
  readonly state: 'pending' | 'done' | 'error'
  /** Why it failed. */
  readonly error: string | null
  readonly ranAt: Date | null
}

interface MigrationRow {
  readonly name: string
  readonly state: string
  readonly error: string | null
  readonly ran_at: Date
}

/** All of a site's, in their order. */
export async function migrationStates(sql: Sql, site: CompiledSite): Promise<readonly MigrationState[]> {
  if (site.migrations.length === 0) return []
  const rows = await sql<MigrationRow[]>`select name, state, error, ran_at from ingot.site_migrations`
  const known = new Map(rows.map((row) => [row.name, row]))
  return site.migrations.map(({ name, file }) => {
    const row = known.get(name)
    const optional = !site.options.migrationsStrict && !OF_APP.test(file)
    if (row === undefined) return { name, optional, state: 'pending', error: null, ranAt: null }
    const state = row.state === 'done' ? 'done' : 'error'
    return { name, optional, state, error: row.error, ranAt: new Date(row.ran_at) }
  })
}

/** What an app holds below `app/modules` is its own. */
const OF_APP = /^(?:app|marketplace_builder)\//

/** Whether a start runs it: one that a module left failed waits for a hand. */
export function isDue({ state, optional }: MigrationState): boolean {
  return state === 'pending' || (state === 'error' && !optional)
}

/** Keeps why a migration failed; what it did is undone. */
export async function keepMigrationError(sql: Sql, name: string, error: string): Promise<void> {
  await sql`
    insert into ingot.site_migrations (name, state, error) values (${name}, 'error', ${error.replaceAll('\0', '')})
    on conflict (name) do update set state = excluded.state, error = excluded.error, ran_at = now()
    where site_migrations.state <> 'done'`
}

/**
 * Marks a migration as done; for the transaction in which it has run. Gives a row, and none where it was done already.
 */
export const markDone = prepared<[name: string]>(
  (name) => statement`insert into ingot.site_migrations as m (name, state) values (${name}::text, 'done')
    on conflict (name) do update set state = 'done', error = null, ran_at = now() where m.state <> 'done'
    returning name`,
)
