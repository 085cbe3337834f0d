/** Rows that were deleted long ago, and those whose time is over, go for good, every night. */
import type { Sql } from 'postgres'
import { identifier, integer, prepared, type Sql as SqlText, sql, toStatement } from '../../runtime/data/sql/sql.ts'
import { codeOf } from './failure.ts'
import type { ChoreLog } from './indexes.ts'
import { LOCKS } from './locks.ts'
import { send } from './send.ts'

/** Days that a deleted row can be brought back. */
export const KEPT_DAYS = 30
/** Hour of the day, UTC. */
const HOUR = 5
/** Rows that go at once: few enough that nobody waits for them. */
const BATCH = 5_000
const DELETED = sql`deleted_at < ${before(KEPT_DAYS)}`
/** Tables with what has had its time: their key, and which rows go. */
const TABLES = [
  { table: 'records', key: 'id', over: DELETED },
  { table: 'profiles', key: 'id', over: DELETED },
  { table: 'users', key: 'id', over: DELETED },
  { table: 'sessions', key: 'id', over: sql`expires_at < now()` },
  { table: 'attempts', key: 'subject', over: sql`until < now()` },
] as const
/** Days that the settings give. */
export interface KeptDays {
  /** Of what was said and sent. */
  readonly log: number
  /** Of exports since they were written. Their files go with them: nothing names them any more. */
  readonly exports: number
  /** Of jobs since their last attempt. */
  readonly deadJobs: number
}

const KEPT: KeptDays = { log: 30, exports: 30, deadJobs: 90 }

/** Removes dead jobs. What somebody has just had run again is alive. */
function purgeDeadJobs(days: number): SqlText {
  return sql`
    with old as (
      select id from graphile_worker._private_jobs
      where id = any(array(
          select id from ingot.jobs where state = 'DEAD' and dead_at < ${before(days)} order by id limit ${integer(BATCH)}))
        and locked_at is null and attempts >= max_attempts
      for update skip locked
    )
    select ingot.delete_jobs(array(select id from old))`
}

/** Milliseconds: clocks are set, machines sleep, so the time is looked at now and then. */
const LOOK = 600_000

/** The next time of the purge, in milliseconds since 1970. */
export function nextPurge(now: number): number {
  const today = new Date(now).setUTCHours(HOUR, 0, 0, 0)
  return today > now ? today : today + 86_400_000
}

/**
 * Removes the rows that were deleted more than `KEPT_DAYS` ago, sessions that have expired, attempts that are forgiven, and what
 * was logged, sent and exported, or has died in the queue, long ago. One server of a database does so at a time.
 * @returns rows that are gone; 0 where another server is at it
 */
export async function purge(client: Sql, days: KeptDays = KEPT): Promise<number> {
  const logged = sql`created_at < ${before(days.log)}`
  const timed = [
    ...TABLES,
    { table: 'logs', key: 'id', over: logged },
    { table: 'notifications', key: 'id', over: logged },
    { table: 'exports', key: 'id', over: sql`updated_at < ${before(days.exports)}` },
  ]
  const statements = timed.map(({ table, key, over }) => purgeTable(identifier(table), identifier(key), over))
  // A process that never runs jobs has no queue.
  const [queue] = await client<{ there: boolean }[]>`select to_regclass('ingot.jobs') is not null as there`
  if (queue?.there === true) statements.push(purgeDeadJobs(days.deadJobs))
  let gone = await purgeWords(client)
  for (const statement of statements.map(toStatement)) {
    for (let count = BATCH; count === BATCH; gone += count) {
      count = await client.begin(async (transaction) => {
        const [row] = await transaction<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.purge}) as mine`
        return row?.mine === true ? (await send(transaction, statement)).count : 0
      })
    }
  }
  return gone
}

function purgeTable(table: SqlText, key: SqlText, over: SqlText): SqlText {
  return sql`
    delete from ingot.${table} where ${key} in (
      select ${key} from ingot.${table} where ${over} order by ${key} limit ${integer(BATCH)} for update skip locked)`
}

/** Of an error: somebody else holds the lock. */
const LOCK_NOT_AVAILABLE = '55P03'

/** Words that no document has, and copies of those that two have noted at once. */
const purgeWordless = prepared<[after: string]>(
  (after) => sql`
  with batch as (
    select word from ingot.document_words where word > ${after} group by word order by word limit ${integer(BATCH)}
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
 * Removes the words of documents that are gone. Who writes a document at that moment might count on one of them, so that it is done only
 * while nobody writes, a batch at a time; writers do not wait for it longer than for one batch.
 */
async function purgeWords(client: Sql): Promise<number> {
  let all = 0
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
        // Somebody writes: what is left goes another night.
        if (codeOf(error) === LOCK_NOT_AVAILABLE) return null
        throw error
      })
    all += done?.gone ?? 0
    last = done?.last ?? null
  }
  return all
}

function before(days: number): SqlText {
  return sql`now() - ${integer(Math.trunc(days))} * interval '1 day'`
}

/** Purges every day until it is stopped. @returns stops it */
export function purgeDaily(client: Sql, log: ChoreLog, days: KeptDays = KEPT): () => void {
  let due = nextPurge(Date.now())
  const timer = setInterval(() => {
    if (Date.now() < due) return
    due = nextPurge(Date.now())
    purge(client, days).then(
      (count) => {
        if (count > 0)
          log.info(
            { rows: count },
            `${count} rows that were deleted more than ${KEPT_DAYS} days ago, or have had their time, are gone`,
          )
      },
      (error: unknown) =>
        log.warn({}, `old rows could not be removed: ${error instanceof Error ? error.message : error}`),
    )
  }, LOOK)
  timer.unref()
  return () => clearInterval(timer)
}
