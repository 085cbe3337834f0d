/** Keeps the indexes that the site's queries need, and none that they do not: beside the work, without locking writers. */
import type { SqlStatement } from '../../runtime/data/sql/sql.ts'
import type { Sql } from 'postgres'
import type { IndexSpec } from '../../runtime/page/compiled.ts'
import { createIndexSql, searchIndexesSql } from '../../runtime/data/query/indexes.ts'
import type { Catalog } from '../../runtime/data/query/model.ts'
import { failureOf } from './failure.ts'
import { LOCKS } from './locks.ts'
import { send } from './send.ts'

export interface ChoreLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface IndexWork {
  readonly specs: readonly IndexSpec[]
  readonly catalog: Catalog
  readonly log: ChoreLog
  /** Ends the work before the next index. */
  readonly signal: AbortSignal
}

/** Only these are ours to drop. */
const OURS = /^ix_(?:\d+|u|d)_[0-9a-f]{20}$/
/** Milliseconds from which the building of an index is told by itself. */
const SLOW = 1_000
/** Milliseconds between two looks whether another server has finished. */
const WAIT = 1_000

/**
 * Creates what is missing, rebuilds what was broken off, drops what is not needed any more. One server of a database does
 * so at a time; the others then find nothing left to do.
 * @param session one connection, which is nobody else's
 */
export async function keepIndexes(session: Sql, { specs, catalog, log, signal }: IndexWork): Promise<void> {
  if (!(await locked(session, signal))) return
  try {
    // The limits of requests are none for this work.
    await session`set statement_timeout = 0`
    await session`set lock_timeout = 0`
    const trigrams = specs.some(({ method }) => method === 'trigram') && (await canTrigram(session, log))
    const wanted = new Map<string, SqlStatement>()
    for (const spec of specs) {
      const made = spec.method === 'trigram' && !trigrams ? null : createIndexSql(spec, catalog)
      if (made !== null) wanted.set(made.name, made.sql)
    }
    for (const { name, sql } of searchIndexesSql(catalog.data)) wanted.set(name, sql)
    const present = await readOurs(session)
    const built: string[] = []
    const begun = performance.now()
    for (const [name, statement] of wanted) {
      if (signal.aborted) return
      const valid = present.get(name)
      if (valid === true) continue
      if (valid === false) await drop(session, name)
      if (await build(session, name, statement, log)) built.push(name)
    }
    // Only now does the planner know how the values of the new ones are spread.
    if (built.length > 0) {
      await session`analyze ingot.records, ingot.users, ingot.documents`
      const ms = Math.round(performance.now() - begun)
      const count = built.length === 1 ? 'one index' : `${built.length} indexes`
      log.info({ indexes: built, ms }, `built ${count} that queries need in ${ms} ms`)
    }
    for (const name of present.keys()) {
      if (signal.aborted) return
      if (wanted.has(name)) continue
      await drop(session, name)
      log.info({ index: name }, `no query needs the index ${name} any more: dropped`)
    }
  } finally {
    // A session that broke has let go of the lock.
    await session`select pg_advisory_unlock(${LOCKS.indexes})`.catch(() => undefined)
  }
}

async function locked(session: Sql, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const [row] = await session<{ mine: boolean }[]>`select pg_try_advisory_lock(${LOCKS.indexes}) as mine`
    if (row?.mine) return true
    await new Promise<void>((done) => {
      setTimeout(done, WAIT).unref()
      signal.addEventListener('abort', () => done(), { once: true })
    })
  }
  return false
}

/** Our indexes by name, and whether they can be used: one whose building was broken off cannot. */
async function readOurs(session: Sql): Promise<ReadonlyMap<string, boolean>> {
  const rows = await session<{ name: string; valid: boolean }[]>`
    select c.relname as name, i.indisvalid as valid
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'ingot'`
  return new Map(rows.filter(({ name }) => OURS.test(name)).map(({ name, valid }) => [name, valid]))
}

async function build(session: Sql, name: string, statement: SqlStatement, log: ChoreLog): Promise<boolean> {
  const begun = performance.now()
  try {
    await send(session, statement)
  } catch (error) {
    const failure = failureOf(error)
    if (failure !== null) throw error
    log.warn({ index: name }, `the index ${name} cannot be built (${messageOf(error)}): queries go on without it`)
    await drop(session, name)
    return false
  }
  const ms = Math.round(performance.now() - begun)
  // Someone waits for these; of the others one line tells in the end.
  if (ms >= SLOW) log.info({ index: name, ms }, `built the index ${name} in ${ms} ms`)
  return true
}

async function drop(session: Sql, name: string): Promise<void> {
  await session`drop index concurrently if exists ingot.${session(name)}`
}

/** Whether indexes for parts of texts can be made here; the extension is asked for where it is missing. */
async function canTrigram(session: Sql, log: ChoreLog): Promise<boolean> {
  try {
    await session`create extension if not exists pg_trgm`
  } catch (error) {
    const why = messageOf(error)
    log.warn({}, `the extension pg_trgm cannot be had (${why}): queries for parts of texts have no index`)
    return false
  }
  const [row] = await session<{ schema: string }[]>`
    select n.nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'`
  if (row === undefined) return false
  // Wherever an administrator has put it: its class of operators is named without the schema.
  await session`select set_config('search_path', quote_ident(${row.schema}), false)`
  return true
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
