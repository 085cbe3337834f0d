/** Maintains exactly the indexes that the site's queries need, in the background and without blocking writers. */
import type { SqlStatement } from '../../../runtime/data/sql/sql.ts'
import type { Sql } from 'postgres'
import type { IndexSpec } from '../../../runtime/page/compiled.ts'
import { createIndexSql, searchIndexesSql } from '../../../runtime/data/query/indexes.ts'
import type { Catalog } from '../../../runtime/data/query/model.ts'
import { failureOf } from './failure.ts'
import { LOCKS } from './locks.ts'
import { send } from './send.ts'

export interface MaintenanceLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

interface IndexOptions {
  readonly specs: readonly IndexSpec[]
  readonly catalog: Catalog
  readonly log: MaintenanceLog
  /** Stops the work before the next index. */
  readonly signal: AbortSignal
}

/** Names of generated indexes; only these are dropped. */
const GENERATED_INDEX_NAME = /^ix_(?:\d+|u|d)_[0-9a-f]{20}$/
/** Minimum duration in milliseconds of an index build that is logged separately. */
const SLOW_BUILD_TIME = 1_000
/** Milliseconds between two attempts to take the lock. */
const LOCK_RETRY_INTERVAL = 1_000

/**
 * Creates missing indexes, rebuilds invalid ones, and drops unneeded ones. Only one server of a database does so at a time; the others then
 * have nothing left to do.
 * @param session a client of one connection that nothing else uses
 */
export async function maintainIndexes(session: Sql, { specs, catalog, log, signal }: IndexOptions): Promise<void> {
  if (!(await acquireLock(session, signal))) return
  try {
    // The timeouts of requests do not apply to building indexes.
    await session`set statement_timeout = 0`
    await session`set lock_timeout = 0`
    const trigrams = specs.some(({ method }) => method === 'trigram') && (await enableTrigrams(session, log))
    const wanted = new Map<string, SqlStatement>()
    for (const spec of specs) {
      const statement = spec.method === 'trigram' && !trigrams ? null : createIndexSql(spec, catalog)
      if (statement !== null) wanted.set(statement.name, statement.sql)
    }
    for (const { name, sql } of searchIndexesSql(catalog.data)) wanted.set(name, sql)
    const present = await readGeneratedIndexes(session)
    const built: string[] = []
    const startedAt = performance.now()
    for (const [name, statement] of wanted) {
      if (signal.aborted) return
      const valid = present.get(name)
      if (valid === true) continue
      if (valid === false) await drop(session, name)
      if (await build(session, name, statement, log)) built.push(name)
    }
    // Expression indexes have no statistics until the tables are analyzed.
    if (built.length > 0) {
      await session`analyze ingot.records, ingot.users, ingot.documents`
      const ms = Math.round(performance.now() - startedAt)
      const count = built.length === 1 ? 'one index' : `${built.length} indexes`
      log.info({ indexes: built, ms }, `built ${count} that queries need in ${ms} ms`)
    }
    for (const name of present.keys()) {
      if (signal.aborted) return
      if (wanted.has(name)) continue
      await drop(session, name)
      log.info({ index: name }, `dropped the index ${name}, which no query needs anymore`)
    }
  } finally {
    // If the session was lost, the lock is already released.
    await session`select pg_advisory_unlock(${LOCKS.indexes})`.catch(() => undefined)
  }
}

async function acquireLock(session: Sql, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const [row] = await session<{ mine: boolean }[]>`select pg_try_advisory_lock(${LOCKS.indexes}) as mine`
    if (row?.mine) return true
    await new Promise<void>((resolve) => {
      setTimeout(resolve, LOCK_RETRY_INTERVAL).unref()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
  return false
}

/** The indexes of the schema by name, and whether they are valid: one whose building was interrupted is not. */
async function readGeneratedIndexes(session: Sql): Promise<ReadonlyMap<string, boolean>> {
  const rows = await session<{ name: string; valid: boolean }[]>`
    select c.relname as name, i.indisvalid as valid
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'ingot'`
  return new Map(rows.filter(({ name }) => GENERATED_INDEX_NAME.test(name)).map(({ name, valid }) => [name, valid]))
}

async function build(session: Sql, name: string, statement: SqlStatement, log: MaintenanceLog): Promise<boolean> {
  const startedAt = performance.now()
  try {
    await send(session, statement)
  } catch (error) {
    const failure = failureOf(error)
    if (failure !== null) throw error
    log.warn({ index: name }, `the index ${name} cannot be built (${messageOf(error)}): queries run without it`)
    await drop(session, name)
    return false
  }
  const ms = Math.round(performance.now() - startedAt)
  // Slow builds are logged at once; the others are summarised at the end.
  if (ms >= SLOW_BUILD_TIME) log.info({ index: name, ms }, `built the index ${name} in ${ms} ms`)
  return true
}

async function drop(session: Sql, name: string): Promise<void> {
  await session`drop index concurrently if exists ingot.${session(name)}`
}

/** Whether trigram indexes are available; creates the extension when it is missing. */
async function enableTrigrams(session: Sql, log: MaintenanceLog): Promise<boolean> {
  try {
    await session`create extension if not exists pg_trgm`
  } catch (error) {
    const reason = messageOf(error)
    log.warn({}, `the extension pg_trgm is not available (${reason}): searches for parts of texts have no index`)
    return false
  }
  const [row] = await session<{ schema: string }[]>`
    select n.nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'`
  if (row === undefined) return false
  // The extension may be in any schema, and the index definitions name its operator class without one.
  await session`select set_config('search_path', quote_ident(${row.schema}), false)`
  return true
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
