/** Decides whether the replica may answer: it is there, and does not lag behind the primary by more than is allowed. */
import type { Sql } from 'postgres'
import { codeOf } from '../../core/error-code.ts'

export interface Replica {
  readonly sql: Sql
  /** Whether it answers queries that ask for a replica. */
  usable(): boolean | Promise<boolean>
  /** Notes that it could not be reached. */
  failed(error: unknown): void
}

export interface ReplicaLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Milliseconds for which a replica that failed is not asked. */
const PAUSE = 5_000
/** Milliseconds for which it is believed what was measured; after `OLD`, a query waits for the next measurement. */
const FRESH = 500
const MAX_AGE = 3_000
/** Milliseconds for a measurement. */
const TIMEOUT = 1_000

/**
 * Watches a replica.
 * @param primary a client of the database that it follows
 * @param most seconds by which it may lag behind
 */
export function watchReplica(sql: Sql, primary: Sql, most: number, log: ReplicaLog): Replica {
  let restsUntil = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  let current = true
  let measuring: Promise<boolean> | null = null
  /** What was logged last. */
  let said: 'away' | 'behind' | null = null

  function logState(state: 'away' | 'behind' | null, fields: object = {}): void {
    if (state === said) return
    if (state === 'away') log.warn(fields, 'the read replica is not reachable: the database itself answers')
    else if (state === 'behind') log.warn(fields, 'the read replica lags behind: the database itself answers')
    else log.info(fields, 'the read replica answers again')
    said = state
  }

  function failed(error: unknown): void {
    restsUntil = performance.now() + PAUSE
    logState('away', { code: codeOf(error) })
  }

  async function measure(): Promise<boolean> {
    current = await isCurrent()
    measuredAt = performance.now()
    measuring = null
    return current && measuredAt > restsUntil
  }

  async function isCurrent(): Promise<boolean> {
    // Without the primary nobody knows, and then an old answer is better than none.
    const position = await withTimeout(positionOf(primary)).catch(() => null)
    if (position === null) return true
    try {
      const lag = await withTimeout(lagOf(sql, position))
      logState(lag <= most ? null : 'behind', { seconds: lag })
      return lag <= most
    } catch (error) {
      failed(error)
      return false
    }
  }

  return {
    sql,
    failed,
    usable() {
      const now = performance.now()
      if (now <= restsUntil) return false
      const age = now - measuredAt
      if (age > FRESH) measuring ??= measure()
      return age > MAX_AGE && measuring !== null ? measuring : current
    },
  }
}

async function positionOf(primary: Sql): Promise<string> {
  const [row] = await primary<{ position: string }[]>`select pg_current_wal_lsn()::text as position`
  return row?.position ?? '0/0'
}

/**
 * Seconds by which it lags behind at most: nothing when it has replayed what the primary had written a moment ago, else the time
 * since the newest commit that it shows.
 */
async function lagOf(sql: Sql, position: string): Promise<number> {
  const [row] = await sql<{ lag: number | null }[]>`
    select case when not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= ${position}::pg_lsn then 0
      else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 end as lag`
  return row?.lag ?? Number.POSITIVE_INFINITY
}

async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_done, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT} ms`)), TIMEOUT)
    timer.unref()
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
