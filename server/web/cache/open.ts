/** Opens the fragment cache of a process. Fragments are stored in the database, or in Redis when it is configured. */
import { hkdfSync, randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { systemClock } from '../../core/services/clock.ts'
import type { Measures } from '../../core/contracts/observer.ts'
import type { SharedCache } from './model.ts'
import type { StoreLog } from './resilient.ts'
import { createRowStore } from './rows.ts'
import { createCache } from './shared.ts'

export interface CacheOptions {
  readonly sql: Sql
  /** The installation's secret. */
  readonly secret: string
  /** URL of a Redis server; null stores fragments in the database. */
  readonly redisUrl: string | null
  readonly logger: StoreLog
  /** Whether this process removes entries that are no longer needed. */
  readonly chores: boolean
  /** Absent or null when metrics are disabled. */
  readonly measures?: Measures | null
}

/** Milliseconds between two removals of outdated entries. */
const TIDY_EVERY = 600_000
/** Memory limit of the cache in a worker thread, in bytes. It is small, because jobs need memory. */
const THREAD_BYTES = 8 * 1024 * 1024

/**
 * Opens the cache.
 * @throws the database client's error when the database cannot be identified for Redis
 */
export async function openCache(options: CacheOptions): Promise<SharedCache> {
  const { sql, secret, redisUrl, logger, chores, measures = null } = options
  const memoryLimit = chores ? {} : { maxBytes: THREAD_BYTES }
  const commonOptions = {
    clock: systemClock,
    tokenPlaceholder: createPlaceholder(secret),
    log: logger,
    tidyEvery: chores ? TIDY_EVERY : null,
    measures,
    ...memoryLimit,
  }
  if (redisUrl === null)
    return createCache({ ...commonOptions, store: { store: createRowStore(sql), name: 'the database' } })
  const [{ redisStore }, home] = await Promise.all([import('./redis.ts'), identifyDatabase(sql)])
  return createCache({ ...commonOptions, store: { store: redisStore(redisUrl, home), name: 'REDIS_URL' } })
}

/** Creates a cache in the memory of this process only. */
export function memoryCache(logger: StoreLog): SharedCache {
  return createCache({
    clock: systemClock,
    tokenPlaceholder: createPlaceholder(randomBytes(32).toString('hex')),
    store: null,
    log: logger,
  })
}

/**
 * Returns a placeholder with private-use characters and a secret, so that no text of a site or a visitor can contain
 * it.
 */
function createPlaceholder(secret: string): string {
  const derived = Buffer.from(hkdfSync('sha256', secret, '', 'ingot token in cached fragments', 16)).toString('hex')
  return `\u{f8ff}csrf-${derived}\u{f8ff}`
}

/**
 * Identifies the database. Servers of different databases may share a Redis server, including copies of a database, and
 * must not read each other's fragments.
 */
export async function identifyDatabase(sql: Sql): Promise<string> {
  const [database] = await sql<{ own: string }[]>`
    select concat_ws(' ', oid, datname) as own from pg_database where datname = current_database()`
  // Some hosting providers forbid reading the cluster's id.
  const cluster = await sql<{ id: string }[]>`select system_identifier::text as id from pg_control_system()`.catch(
    () => [],
  )
  return `${database?.own} ${cluster[0]?.id}`
}
