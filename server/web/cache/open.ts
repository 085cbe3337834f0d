/** Opens the cache of a process, backed by the database, or by Redis when the settings name one. */
import { hkdfSync, randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { systemClock } from '../../core/services/clock.ts'
import type { Measures } from '../../core/contracts/observer.ts'
import type { SharedCache } from './model.ts'
import type { StoreLog } from './resilient.ts'
import { rowStore } from './rows.ts'
import { createCache } from './shared.ts'

export interface CacheOptions {
  readonly sql: Sql
  /** The installation's secret. */
  readonly secret: string
  /** URL of a Redis; null keeps fragments in the database. */
  readonly redisUrl: string | null
  readonly logger: StoreLog
  /** Whether this process removes entries that are no longer needed. */
  readonly chores: boolean
  /** Absent or null where nothing is measured. */
  readonly measures?: Measures | null
}

/** Milliseconds. */
const TIDY_EVERY = 600_000
/** Bytes for the cache of a worker thread, whose jobs need the memory themselves. */
const THREAD_BYTES = 8 * 1024 * 1024

/**
 * Opens the cache.
 * @throws the database client's error, when a Redis is used and the database cannot be asked for its name
 */
export async function openCache(options: CacheOptions): Promise<SharedCache> {
  const { sql, secret, redisUrl, logger, chores, measures = null } = options
  const size = chores ? {} : { maxBytes: THREAD_BYTES }
  const common = {
    clock: systemClock,
    tokenPlaceholder: placeholderOf(secret),
    log: logger,
    tidyEvery: chores ? TIDY_EVERY : null,
    measures,
    ...size,
  }
  if (redisUrl === null) return createCache({ ...common, store: { store: rowStore(sql), name: 'the database' } })
  const [{ redisStore }, home] = await Promise.all([import('./redis.ts'), databaseIdOf(sql)])
  return createCache({ ...common, store: { store: redisStore(redisUrl, home), name: 'REDIS_URL' } })
}

/** A cache in this process's memory alone. */
export function memoryCache(logger: StoreLog): SharedCache {
  return createCache({
    clock: systemClock,
    tokenPlaceholder: placeholderOf(randomBytes(32).toString('hex')),
    store: null,
    log: logger,
  })
}

/** Contains private-use characters and a secret, so that no text of a site or a visitor can contain it. */
function placeholderOf(secret: string): string {
  const derived = Buffer.from(hkdfSync('sha256', secret, '', 'ingot token in cached fragments', 16)).toString('hex')
  return `\u{f8ff}csrf-${derived}\u{f8ff}`
}

/**
 * Identifies the database, so that servers of different databases that share a Redis, copies included, do not read each
 * other's fragments.
 */
async function databaseIdOf(sql: Sql): Promise<string> {
  const [own] = await sql<{ own: string }[]>`
    select concat_ws(' ', oid, datname) as own from pg_database where datname = current_database()`
  // Some hosting providers forbid reading it.
  const cluster = await sql<{ id: string }[]>`select system_identifier::text as id from pg_control_system()`.catch(
    () => [],
  )
  return `${own?.own} ${cluster[0]?.id}`
}
