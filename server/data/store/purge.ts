/** Permanently removes deleted and expired rows, every night. */
import type { Sql } from 'postgres'
import { errorCodeOf } from '../../core/error-code.ts'
import { identifier, integer, prepared, type Sql as SqlText, sql, toStatement } from '../../../runtime/data/sql/sql.ts'
import type { MaintenanceLog } from './indexes.ts'
import { LOCKS } from './locks.ts'
import { send } from './send.ts'

/** Days for which a deleted row can be restored. */
const RETENTION_DAYS = 30
/** Hour of the day, UTC. */
const PURGE_HOUR = 5
/** Rows deleted by one statement; few enough not to block other writers for long. */
const BATCH_SIZE = 5_000
const DELETED = sql`deleted_at < ${daysAgo(RETENTION_DAYS)}`
/** The tables to purge: their key, and the condition of rows to remove. */
const TABLES = [
  { table: 'records', key: 'id', over: DELETED },
  { table: 'profiles', key: 'id', over: DELETED },
  { table: 'users', key: 'id', over: DELETED },
  { table: 'sessions', key: 'id', over: sql`expires_at < now()` },
  // Until a row is purged, `ingot token list` shows that the token has expired.
  { table: 'user_tokens', key: 'id', over: sql`expires_at < ${daysAgo(RETENTION_DAYS)}` },
  { table: 'attempts', key: 'subject', over: sql`until < now()` },
  { table: 'used_states', key: 'state', over: sql`until < now()` },
] as const
/** Retention periods in days, from the settings. */
export interface RetentionDays {
  /** Days for log entries, sent notifications, and the log of changes. */
  readonly log: number
  /** Days for exports, counted from when they were written. Their files are then unused and are removed by the sweep. */
  readonly exports: number
  /** Days for dead jobs, counted from their last attempt, and for records of finished jobs that may have run more than once. */
  readonly deadJobs: number
}

const DEFAULT_DAYS: RetentionDays = { log: 30, exports: 30, deadJobs: 90 }

/** Removes dead jobs. A job that was just restarted is not dead any more. */
function purgeDeadJobs(days: number): SqlText {
  return sql`
    with old as (
      select id from graphile_worker._private_jobs
      where id = any(array(
          select id from ingot.jobs where state = 'DEAD' and dead_at < ${daysAgo(days)} order by id limit ${integer(BATCH_SIZE)}))
        and locked_at is null and attempts >= max_attempts
      for update skip locked
    )
    select ingot.delete_jobs(array(select id from old))`
}

/** Milliseconds between two checks of the clock. One long timer would be wrong after a clock change or a suspended machine. */
const CHECK_INTERVAL = 600_000

/** The next purge, in milliseconds since 1970. */
export function nextPurgeTime(now: number): number {
  const today = new Date(now).setUTCHours(PURGE_HOUR, 0, 0, 0)
  return today > now ? today : today + 86_400_000
}

/**
 * Removes rows that were deleted more than `RETENTION_DAYS` ago, expired sessions, forgiven sign-in attempts, and old log entries,
 * notifications, exports and dead jobs. Only one server of a database does this at a time.
 * @returns the number of removed rows; 0 when another server is purging
 * @internal Exported for tests.
 */
export async function purge(client: Sql, days: RetentionDays = DEFAULT_DAYS): Promise<number> {
  const logged = sql`created_at < ${daysAgo(days.log)}`
  const tables = [
    ...TABLES,
    { table: 'logs', key: 'id', over: logged },
    { table: 'notifications', key: 'id', over: logged },
    { table: 'changes', key: 'id', over: logged },
    { table: 'done_jobs', key: 'job_id', over: sql`done_at < ${daysAgo(days.deadJobs)}` },
    { table: 'exports', key: 'id', over: sql`updated_at < ${daysAgo(days.exports)}` },
  ]
  const statements = tables.map(({ table, key, over: condition }) =>
    purgeTable(identifier(table), identifier(key), condition),
  )
  // The queue is not installed until a process uses it.
  const [queue] = await client<{ there: boolean }[]>`select to_regclass('ingot.jobs') is not null as there`
  if (queue?.there === true) statements.push(purgeDeadJobs(days.deadJobs))
  let gone = await purgeWords(client)
  for (const statement of statements.map(toStatement)) {
    for (let count = BATCH_SIZE; count === BATCH_SIZE; gone += count) {
      count = await client.begin(async (transaction) => {
        const [row] = await transaction<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.purge}) as mine`
        return row?.mine === true ? (await send(transaction, statement)).count : 0
      })
    }
  }
  return gone
}

function purgeTable(table: SqlText, key: SqlText, condition: SqlText): SqlText {
  return sql`
    delete from ingot.${table} where ${key} in (
      select ${key} from ingot.${table} where ${condition} order by ${key} limit ${integer(BATCH_SIZE)} for update skip locked)`
}

/** The error code of `nowait` when another transaction holds the lock. */
const LOCK_NOT_AVAILABLE = '55P03'

/** Removes words that no document contains, and duplicates written by concurrent transactions. */
const purgeWordless = prepared<[after: string]>(
  (after) => sql`
  with batch as (
    select word from ingot.document_words where word > ${after} group by word order by word limit ${integer(BATCH_SIZE)}
  ), gone as (
    delete from ingot.document_words w using batch s
    where w.word = s.word and (
      not exists (select from ingot.documents d where d.words @@ ('''' || replace(replace(s.word, '\\', '\\\\'), '''', '''''') || '''')::tsquery)
      or exists (select from ingot.document_words other where other.word = w.word and other.ctid < w.ctid))
    returning 1
  )
  select (select max(word) from batch) as last, (select count(*) from gone)::int as gone`,
)

/**
 * Removes the words of deleted documents. A transaction that writes a document may rely on one of them, so writers are
 * locked out, for one batch at a time.
 */
async function purgeWords(client: Sql): Promise<number> {
  let total = 0
  let last: string | null = ''
  while (last !== null) {
    const from: string = last
    const done = await client
      .begin(async (transaction) => {
        const [row] = await transaction<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.purge}) as mine`
        if (row?.mine !== true) return null
        await transaction`lock table ingot.documents in share mode nowait`
        const [batch] = await send<{ last: string | null; gone: number }[]>(transaction, purgeWordless(from))
        return batch ?? null
      })
      .catch((error: unknown) => {
        // Documents are being written. The rest is purged on the next night.
        if (errorCodeOf(error) === LOCK_NOT_AVAILABLE) return null
        throw error
      })
    total += done?.gone ?? 0
    last = done?.last ?? null
  }
  return total
}

function daysAgo(days: number): SqlText {
  return sql`now() - ${integer(Math.trunc(days))} * interval '1 day'`
}

/**
 * Purges every night.
 * @returns a function that stops it
 */
export function purgeDaily(client: Sql, log: MaintenanceLog, days: RetentionDays = DEFAULT_DAYS): () => void {
  let due = nextPurgeTime(Date.now())
  const timer = setInterval(() => {
    if (Date.now() < due) return
    due = nextPurgeTime(Date.now())
    purge(client, days).then(
      (count) => {
        if (count > 0)
          log.info(
            { rows: count },
            `${count} rows that were deleted more than ${RETENTION_DAYS} days ago, or that expired, were removed`,
          )
      },
      (error: unknown) =>
        log.warn({}, `old rows could not be removed: ${error instanceof Error ? error.message : error}`),
    )
  }, CHECK_INTERVAL)
  timer.unref()
  return () => clearInterval(timer)
}
