/** The database of a process: its clients, its tables, and background maintenance. */
import type { Sql } from 'postgres'
import type { DataSchema, IndexSpec } from '../../../runtime/page/compiled.ts'
import { createCatalog } from '../../../runtime/data/query/catalog.ts'
import type { Measures } from '../../core/contracts/observer.ts'
import { StartError } from '../../core/start-error.ts'
import { connect, createClient, createProbe, createSession, startError } from './connection.ts'
import { type Address, readDatabaseUrl } from './database-url.ts'
import { failureOf } from './failure.ts'
import { type MaintenanceLog, maintainIndexes } from './indexes.ts'
import { migrate } from './migrate.ts'
import { type Primary, watchPrimary } from './primary.ts'
import { type RetentionDays, purgeDaily } from './purge.ts'
import { type Replica, watchReplica } from './replica.ts'
import { addSchema, applySchema } from './tables.ts'

interface StoreOptions {
  /** URL of the database, in the form of `DATABASE_URL`. */
  readonly url: string
  /** URL of the replica, in the form of `DATABASE_REPLICA_URL`; null without a replica. */
  readonly replicaUrl: string | null
  /** Seconds by which the replica may lag behind and still answer; 10 by default. */
  readonly replicaLag?: number
  /** Maximum number of connections of this process, to the database and to the replica each. */
  readonly pool: number
  readonly logger: MaintenanceLog
  /** Retention periods of the nightly purge. */
  readonly retentionDays?: RetentionDays
  /** Absent or null without measurements. */
  readonly measures?: Measures | null
}

export interface Store {
  readonly sql: Sql
  readonly primary: Primary
  readonly replica: Replica | null
  /**
   * Applies the schema of a site, and returns the numbers of its tables by name. A long-running process passes the
   * indexes, which are then built and maintained in the background, and deleted rows are purged; null omits both.
   * @throws StartError when stored values contradict the schema; nothing is changed then
   */
  prepare(
    data: DataSchema,
    indexes: readonly IndexSpec[] | null,
    /** Whether other releases of the site may run at the same time. Then only missing tables and properties are added. */
    isRelease?: boolean,
  ): Promise<{ readonly ids: ReadonlyMap<string, number> }>
  close(): Promise<void>
}

/** Default maximum lag in seconds, the same as the default of `INGOT_REPLICA_LAG`. */
const REPLICA_LAG = 10

/**
 * Connects, and migrates the tables of Ingot.
 * @throws StartError
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { url, replicaUrl, pool, logger, measures = null } = options
  const address = readDatabaseUrl(url, 'DATABASE_URL')
  const primary = watchPrimary(address, logger, (socket) => createProbe(address, socket))
  let sql: Sql | null = null
  let replicaClient: Sql | null = null
  try {
    sql = await connect(url, 'DATABASE_URL', { pool, name: 'ingot', measures, socket: primary.socket })
    await migrate(sql)
    if (replicaUrl !== null) replicaClient = await openReplica(replicaUrl, pool, logger)
  } catch (error) {
    await primary.close()
    await sql?.end({ timeout: 0 })
    throw startError(error, address, 'DATABASE_URL')
  }
  return createStore(options, { address, primary, sql, replicaClient })
}

interface OpenedClients {
  readonly address: Address
  readonly primary: Primary
  readonly sql: Sql
  readonly replicaClient: Sql | null
}

function createStore(
  { replicaLag = REPLICA_LAG, logger, retentionDays }: StoreOptions,
  { address, primary, sql, replicaClient }: OpenedClients,
): Store {
  let building: BackgroundTask | null = null
  let stopPurge: (() => void) | null = null
  return {
    sql,
    primary,
    replica: replicaClient === null ? null : watchReplica(replicaClient, sql, replicaLag, logger),
    async prepare(data, indexes, isRelease = false) {
      try {
        const ids = await (isRelease
          ? addSchema(sql, data)
          : applySchema(sql, data, 'empty', (sentence) => logger.info({}, sentence)))
        if (indexes !== null) {
          building?.stop()
          building = buildInBackground(address, logger, indexes, createCatalog(data, ids))
          stopPurge ??= purgeDaily(sql, logger, retentionDays)
        }
        return { ids }
      } catch (error) {
        throw startError(error, address, 'DATABASE_URL')
      }
    },
    async close() {
      stopPurge?.()
      building?.stop()
      await primary.close()
      await Promise.all([sql.end({ timeout: 5 }), replicaClient?.end({ timeout: 5 })])
    },
  }
}

// The site works without its replica, so a replica that is temporarily unreachable does not prevent the start.
async function openReplica(url: string, pool: number, logger: MaintenanceLog): Promise<Sql> {
  const options = { pool, name: 'ingot replica', copy: true }
  try {
    return await connect(url, 'DATABASE_REPLICA_URL', options)
  } catch (error) {
    const kind = error instanceof StartError ? failureOf(error.cause)?.kind : null
    if (!(error instanceof StartError) || (kind !== 'away' && kind !== 'starting' && kind !== 'crowded')) throw error
    logger.warn({}, `${error.message} Until the replica is available, the primary answers instead.`)
    return createClient(readDatabaseUrl(url, 'DATABASE_REPLICA_URL'), options)
  }
}

interface BackgroundTask {
  stop(): void
}

function buildInBackground(
  address: Address,
  log: MaintenanceLog,
  specs: readonly IndexSpec[],
  catalog: ReturnType<typeof createCatalog>,
): BackgroundTask {
  const abort = new AbortController()
  const session = createSession(address, 'ingot indexes', () => undefined)
  maintainIndexes(session, { specs, catalog, log, signal: abort.signal })
    .catch((error: unknown) => {
      if (abort.signal.aborted) return
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({}, `the indexes could not be brought up to date (${reason}): the next start tries again`)
    })
    .finally(() => session.end({ timeout: 0 }))
  return {
    stop() {
      // The database completes the index that is being built.
      abort.abort()
      void session.end({ timeout: 0 })
    },
  }
}
