/**
 * Removes stored files without references. A file is removed when its key is not found in the database in two
 * consecutive nights. The second search locks out writers and only reads the rows that were written since the first
 * search.
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
import type { MaintenanceLog } from '../../data/store/indexes.ts'
import { LOCKS } from '../../data/store/locks.ts'
import { nextPurgeTime } from '../../data/store/purge.ts'
import { sendOnce } from '../../data/store/send.ts'
import type { FileStore } from './model.ts'

export interface SweepOptions {
  readonly sql: Sql
  readonly store: FileStore
  /** Minimum number of hours for which a file must have had no references. */
  readonly hours?: number
}

/** A little less than a day, so that the cleanup at the same hour of the next night removes the file. */
const DEFAULT_HOURS = 20
/** Maximum number of files removed in one night. The rest is removed in the next night. */
const BATCH_SIZE = 10_000
/** Maximum wait for the table locks in milliseconds. */
const LOCK_TIMEOUT = 1_000
/** Milliseconds between checks of the clock. */
const CHECK_INTERVAL = 600_000

interface UnusedFile {
  readonly key: string
  readonly paths: readonly string[]
}

/**
 * Runs the cleanup once. Only one server of a database does this at a time.
 * @returns the number of removed files
 * @internal Exported for tests.
 */
export async function removeUnusedFiles({ sql, store, hours = DEFAULT_HOURS }: SweepOptions): Promise<number> {
  const unused = await sql.begin(async (transaction) => {
    const [row] = await transaction<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.sweep}) as mine`
    if (row?.mine !== true) return []
    const tables = await listTables(transaction)
    const [oldest] = await transaction<{ xid: string }[]>`
      select pg_snapshot_xmin(pg_current_snapshot())::xid::text as xid`
    await recordUnreferenced(transaction, tables, hours)
    const candidates = await transaction`
      select 1 from ingot.files where unnamed_at <= now() - ${hours} * interval '1 hour' limit 1`
    return candidates.count === 0 || oldest === undefined
      ? []
      : await selectUnused(transaction, tables, hours, oldest.xid)
  })
  let removedCount = 0
  for (const { key, paths } of unused) {
    await Promise.all(paths.map((path) => store.remove(path)))
    // Several servers may finish the work of a stopped server, so only rows deleted here are counted.
    removedCount += (await sql`delete from ingot.files where key = ${key}`).count
  }
  return removedCount
}

/** Lists every table that may refer to a file: all tables of the schema except the table of files. */
async function listTables(sql: TransactionSql): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'ingot' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'files' order by 1`
  return rows.map(({ name }) => name)
}

// Selects the keys in a row. A key is enclosed in slashes. Slashes may be escaped with hexadecimal digits, so they are
// unescaped first.
const KEYS = statement`(regexp_matches(regexp_replace(t::text, '(%2f|\\\\+u002f)', '/', 'gi'), '[0-9a-f]{32}', 'g'))[1]`

function selectKeys(tables: readonly string[], condition = statement`true`): SqlText {
  const selections = tables.map(
    (table) =>
      statement`select ${KEYS} as key from ingot.${identifier(table)} t where t::text like '%uploads%' and ${condition}`,
  )
  return inRow(selections, ' union ')
}

/** Records since when files have had no references. */
async function recordUnreferenced(sql: TransactionSql, tables: readonly string[], hours: number): Promise<void> {
  await sendOnce(
    sql,
    statement`
      with named as materialized (${selectKeys(tables)})
      update ingot.files f set unnamed_at = case when n.key is null then now() end
      from ingot.files g left join named n on n.key = g.key
      where f.key = g.key and g.created_at <= now() - ${hours} * interval '1 hour'
        and coalesce(g.unnamed_at > '-infinity', true) and (n.key is null) <> (g.unnamed_at is not null)`,
  )
}

/**
 * Selects the files to remove. Writers are locked out meanwhile, so only rows written since the first search are read.
 * @param since the oldest transaction that was open when the search began; it and later transactions may have written
 * rows
 */
async function selectUnused(
  sql: TransactionSql,
  tables: readonly string[],
  hours: number,
  since: string,
): Promise<readonly UnusedFile[]> {
  await sendOnce(sql, statement`set local lock_timeout = ${integer(LOCK_TIMEOUT)}`)
  // Writers are not blocked for long: without the locks, the cleanup waits for the next night.
  const locked = inRow(tables.map((table) => statement`ingot.${identifier(table)}`))
  await sendOnce(sql, statement`lock table ${locked} in share mode`)
  const recentKeys = selectKeys(tables, statement`age(t.xmin) <= age(${parameter(since, 'text')}::xid)`)
  const rows = await sendOnce<{ key: string; path: string; versions: Record<string, string> }[]>(
    sql,
    statement`
      with named as materialized (${recentKeys})
      update ingot.files f set unnamed_at = '-infinity'
      where f.key in (
        select key from ingot.files where unnamed_at <= now() - ${hours} * interval '1 hour'
          and (unnamed_at = '-infinity' or key not in (select key from named)) order by key limit ${integer(BATCH_SIZE)})
      returning f.key, f.path, f.versions`,
  )
  return rows.map(({ key, path, versions }) => ({ key, paths: [path, ...Object.values(versions)] }))
}

/**
 * Runs the cleanup every night.
 * @returns a function that stops it
 */
export function scheduleRemoval(options: SweepOptions, log: MaintenanceLog): () => void {
  let nextRun = nextPurgeTime(Date.now())
  const run = async (): Promise<void> => {
    try {
      const count = await removeUnusedFiles(options)
      if (count > 0) log.info({ files: count }, `${count} unused files were removed`)
    } catch (error) {
      log.warn({}, `unused files could not be removed: ${error instanceof Error ? error.message : error}`)
    }
  }
  const timer = setInterval(() => {
    if (Date.now() < nextRun) return
    nextRun = nextPurgeTime(Date.now())
    void run()
  }, CHECK_INTERVAL)
  timer.unref()
  return () => clearInterval(timer)
}
