/**
 * Removes stored files that nothing refers to any more. A file is removed when its key was not found anywhere in the
 * database in two consecutive nights. The second search runs while writers are locked out, and reads only the rows
 * written since the first.
 */
import type { Sql, TransactionSql } from 'postgres'
import {
  identifier,
  integer,
  join as inRow,
  parameter,
  type Sql as SqlText,
  sql as statement,
} from '../../../runtime/data/sql/sql.ts'
import type { ChoreLog } from '../../data/store/indexes.ts'
import { LOCKS } from '../../data/store/locks.ts'
import { nextPurge } from '../../data/store/purge.ts'
import { sendOnce } from '../../data/store/send.ts'
import type { FileStore } from './model.ts'

export interface SweepOptions {
  readonly sql: Sql
  readonly store: FileStore
  /** Hours for which a file must be old and unreferenced. */
  readonly hours?: number
}

/** A little less than a day, so that the same hour of the next night counts. */
const DEFAULT_HOURS = 20
/** Most files removed in one night; the rest follow in the next. */
const BATCH_SIZE = 10_000
/** Longest time in milliseconds that writers are blocked. */
const LOCK_TIMEOUT = 1_000
/** Milliseconds between checks of the clock. */
const CHECK_INTERVAL = 600_000

interface UnusedFile {
  readonly key: string
  readonly paths: readonly string[]
}

/**
 * Sweeps once. Only one server of a database does so at a time.
 * @returns the number of removed files
 */
export async function sweepFiles({ sql, store, hours = DEFAULT_HOURS }: SweepOptions): Promise<number> {
  const unused = await sql.begin(async (transaction) => {
    const [row] = await transaction<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.sweep}) as mine`
    if (row?.mine !== true) return []
    const tables = await tablesOf(transaction)
    const [oldest] = await transaction<{ xid: string }[]>`
      select pg_snapshot_xmin(pg_current_snapshot())::xid::text as xid`
    await recordUnreferenced(transaction, tables, hours)
    const left = await transaction`
      select 1 from ingot.files where unnamed_at <= now() - ${hours} * interval '1 hour' limit 1`
    return left.count === 0 || oldest === undefined ? [] : await selectUnused(transaction, tables, hours, oldest.xid)
  })
  let gone = 0
  for (const { key, paths } of unused) {
    await Promise.all(paths.map((path) => store.remove(path)))
    // Several servers may finish what another one left half done; count only rows deleted here.
    gone += (await sql`delete from ingot.files where key = ${key}`).count
  }
  return gone
}

/** Every table that may refer to a file: all of the schema but the table of files. */
async function tablesOf(sql: TransactionSql): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'ingot' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'files' order by 1`
  return rows.map(({ name }) => name)
}

// A key is enclosed in slashes. These may be escaped, and the escapes contain hexadecimal digits themselves, so they
// are unescaped first.
const KEYS = statement`(regexp_matches(regexp_replace(t::text, '(%2f|\\\\+u002f)', '/', 'gi'), '[0-9a-f]{32}', 'g'))[1]`

function named(tables: readonly string[], condition = statement`true`): SqlText {
  const parts = tables.map(
    (table) =>
      statement`select ${KEYS} as key from ingot.${identifier(table)} t where t::text like '%uploads%' and ${condition}`,
  )
  return inRow(parts, ' union ')
}

/** Records since when files have been unreferenced. */
async function recordUnreferenced(sql: TransactionSql, tables: readonly string[], hours: number): Promise<void> {
  await sendOnce(
    sql,
    statement`
      with named as materialized (${named(tables)})
      update ingot.files f set unnamed_at = case when n.key is null then now() end
      from ingot.files g left join named n on n.key = g.key
      where f.key = g.key and g.created_at <= now() - ${hours} * interval '1 hour'
        and coalesce(g.unnamed_at > '-infinity', true) and (n.key is null) <> (g.unnamed_at is not null)`,
  )
}

/**
 * Decides which files to remove. Writers are blocked meanwhile, so only rows written since the search are read.
 * @param since the oldest transaction that was open when the search began; it and later ones may have written rows
 */
async function selectUnused(
  sql: TransactionSql,
  tables: readonly string[],
  hours: number,
  since: string,
): Promise<readonly UnusedFile[]> {
  await sendOnce(sql, statement`set local lock_timeout = ${integer(LOCK_TIMEOUT)}`)
  // Writers are not blocked for long: without the lock, the sweep is left to the next night.
  const locked = inRow(tables.map((table) => statement`ingot.${identifier(table)}`))
  await sendOnce(sql, statement`lock table ${locked} in share mode`)
  const recent = named(tables, statement`age(t.xmin) <= age(${parameter(since, 'text')}::xid)`)
  const rows = await sendOnce<{ key: string; path: string; versions: Record<string, string> }[]>(
    sql,
    statement`
      with named as materialized (${recent})
      update ingot.files f set unnamed_at = '-infinity'
      where f.key in (
        select key from ingot.files where unnamed_at <= now() - ${hours} * interval '1 hour'
          and (unnamed_at = '-infinity' or key not in (select key from named)) order by key limit ${integer(BATCH_SIZE)})
      returning f.key, f.path, f.versions`,
  )
  return rows.map(({ key, path, versions }) => ({ key, paths: [path, ...Object.values(versions)] }))
}

/**
 * Sweeps every night until it is stopped.
 * @returns a function that stops it
 */
export function sweepDaily(options: SweepOptions, log: ChoreLog): () => void {
  let due = nextPurge(Date.now())
  const sweep = async (): Promise<void> => {
    try {
      const count = await sweepFiles(options)
      if (count > 0) log.info({ files: count }, `${count} files that nothing named any more are gone`)
    } catch (error) {
      log.warn({}, `files that nothing names could not be removed: ${error instanceof Error ? error.message : error}`)
    }
  }
  const timer = setInterval(() => {
    if (Date.now() < due) return
    due = nextPurge(Date.now())
    void sweep()
  }, CHECK_INTERVAL)
  timer.unref()
  return () => clearInterval(timer)
}
