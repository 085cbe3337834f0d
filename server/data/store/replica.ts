/** Decides whether the replica may answer: it must be reachable, and must not lag behind the primary by more than the allowed time. */
import type { Sql } from 'postgres'
import { errorCodeOf } from '../../core/error-code.ts'

export interface Replica {
  readonly sql: Sql
  /** Returns whether the replica answers queries that request one. */
  usable(): boolean | Promise<boolean>
  /** Records that the replica could not be reached. */
  failed(error: unknown): void
}

interface ReplicaLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Milliseconds for which a failed replica is not used. */
const FAILURE_PAUSE = 5_000
/** Milliseconds for which a measurement is valid. After `MAX_AGE`, a query waits for the next measurement. */
const FRESH_TIME = 500
const MAX_AGE = 3_000
/** Milliseconds for a measurement. */
const MEASURE_TIMEOUT = 1_000

/**
 * Watches a replica.
 * @param primary a client of the database that it follows
 * @param maxLag seconds by which it may lag behind
 */
export function watchReplica(sql: Sql, primary: Sql, maxLag: number, log: ReplicaLog): Replica {
  let pausedUntil = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  let isUpToDate = true
  let measuring: Promise<boolean> | null = null
  /** The last logged state. */
  let loggedState: 'away' | 'behind' | null = null

  function logState(state: 'away' | 'behind' | null, fields: object = {}): void {
    if (state === loggedState) return
    if (state === 'away') log.warn(fields, 'the read replica cannot be reached: the primary answers instead')
    else if (state === 'behind') log.warn(fields, 'the read replica is too far behind: the primary answers instead')
    else log.info(fields, 'the read replica answers again')
    loggedState = state
  }

  function failed(error: unknown): void {
    pausedUntil = performance.now() + FAILURE_PAUSE
    logState('away', { code: errorCodeOf(error) })
  }

  async function measure(): Promise<boolean> {
    isUpToDate = await isCurrent()
    measuredAt = performance.now()
    measuring = null
    return isUpToDate && measuredAt > pausedUntil
  }

  async function isCurrent(): Promise<boolean> {
    // Without the primary the lag is unknown, and an old answer is better than none.
    const position = await withTimeout(positionOf(primary)).catch(() => null)
    if (position === null) return true
    try {
      const lag = await withTimeout(lagOf(sql, position))
      logState(lag <= maxLag ? null : 'behind', { seconds: lag })
      return lag <= maxLag
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
      if (now <= pausedUntil) return false
      const age = now - measuredAt
      if (age > FRESH_TIME) measuring ??= measure()
      return age > MAX_AGE && measuring !== null ? measuring : isUpToDate
    },
  }
}

async function positionOf(primary: Sql): Promise<string> {
  const [row] = await primary<{ position: string }[]>`select pg_current_wal_lsn()::text as position`
  return row?.position ?? '0/0'
}

/**
 * Returns the maximum lag in seconds: 0 when the replica has replayed everything that the primary had written a moment ago, otherwise the
 * time
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
    timer = setTimeout(() => reject(new Error(`no answer within ${MEASURE_TIMEOUT} ms`)), MEASURE_TIMEOUT)
    timer.unref()
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
