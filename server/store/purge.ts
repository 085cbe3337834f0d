/** Rows that were deleted long ago, and those whose time is over, go for good, every night. */
import type { Sql } from 'postgres'
import type { ChoreLog } from './indexes.ts'
import { LOCKS } from './locks.ts'

/** Days that a deleted row can be brought back. */
export const KEPT_DAYS = 30
/** Hour of the day, UTC. */
const HOUR = 5
/** Rows that go at once: few enough that nobody waits for them. */
const BATCH = 5_000
const DELETED = `deleted_at < now() - ${KEPT_DAYS} * interval '1 day'`
/** Tables with what has had its time: their key, and which rows go. */
const TABLES = [
  { table: 'records', key: 'id', over: DELETED },
  { table: 'profiles', key: 'id', over: DELETED },
  { table: 'users', key: 'id', over: DELETED },
  { table: 'sessions', key: 'id', over: 'expires_at < now()' },
  { table: 'attempts', key: 'subject', over: 'until < now()' },
] as const
/** Tables of what was said and sent: it goes after days that the settings give. */
const LOGS = ['logs', 'notifications'] as const
const LOG_DAYS = 30
/** Milliseconds: clocks are set, machines sleep, so the time is looked at now and then. */
const LOOK = 600_000

/** The next time of the purge, in milliseconds since 1970. */
export function nextPurge(now: number): number {
  const today = new Date(now).setUTCHours(HOUR, 0, 0, 0)
  return today > now ? today : today + 86_400_000
}

/**
 * Removes the rows that were deleted more than `KEPT_DAYS` ago, sessions that have expired, attempts that are forgiven, and what
 * was logged and sent long ago. One server of a database does so at a time.
 * @param logDays days that entries of the log are kept
 * @returns rows that are gone; 0 where another server is at it
 */
export async function purge(sql: Sql, logDays = LOG_DAYS): Promise<number> {
  const old = `created_at < now() - ${Math.trunc(logDays)} * interval '1 day'`
  let gone = 0
  for (const { table, key, over } of [...TABLES, ...LOGS.map((name) => ({ table: name, key: 'id', over: old }))]) {
    for (let count = BATCH; count === BATCH; gone += count) {
      count = await sql.begin(async (transaction) => {
        const [row] = await transaction<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.purge}) as mine`
        if (!row?.mine) return 0
        const deleted = await transaction.unsafe(
          `delete from ingot.${table} where ${key} in (
            select ${key} from ingot.${table} where ${over} order by ${key} limit ${BATCH} for update skip locked)`,
        )
        return deleted.count
      })
    }
  }
  return gone
}

/** Purges every day until it is stopped. @param logDays days that entries of the log are kept @returns stops it */
export function purgeDaily(sql: Sql, log: ChoreLog, logDays = LOG_DAYS): () => void {
  let due = nextPurge(Date.now())
  const timer = setInterval(() => {
    if (Date.now() < due) return
    due = nextPurge(Date.now())
    purge(sql, logDays).then(
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
