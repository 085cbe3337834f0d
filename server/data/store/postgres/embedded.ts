/**
 * The embedded database: a cluster in the data folder that is created and started on demand, shared by all commands,
 * restarted after a crash, and stopped by the last command that leaves.
 */
import { chmodSync, existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { errorCodeOf } from '../../../core/error-code.ts'
import { StartError } from '../../../core/start-error.ts'
import { createSession } from '../connection.ts'
import { readDatabaseUrl } from '../database-url.ts'
import { LOCKS } from '../locks.ts'
import { accountFor, requireReach } from './account.ts'
import { findBinaries } from './binaries.ts'
import { type ClusterLocation, createCluster, startCluster, stopCluster } from './cluster.ts'
import { makeDataFolder } from './data-folder.ts'
import { archiveSettings } from './archiving.ts'
import { serverSettings } from './server-settings.ts'

export interface EmbeddedLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface Embedded {
  /** The URL, in the form of `DATABASE_URL`; unchanged when the server is restarted. */
  readonly url: string
  /** Disconnects, and stops the server when no other command uses it. Resolves to whether it was stopped. */
  close(): Promise<boolean>
}

/** The default data folder, in the site's folder. */
export const DATA_FOLDER = '.ingot-data'

/** The `application_name` of a command's connection, by which commands see each other. */
const PRESENCE_NAME = 'ingot presence'
/** The `application_name` of a command that is leaving. */
const LEAVING_NAME = 'ingot leaving'
/** Milliseconds for which connecting is retried, because another command may be stopping the server. */
const CONNECT_RETRY = 15_000
/** Milliseconds between two attempts to restart a server. */
const RETRY_PAUSE = 2_000

/**
 * Ensures that the cluster of a data folder is running.
 * @param dataFolder the folder, which is created when it is missing
 * @param archive the folder for the archived write-ahead log; null for no archive
 * @throws StartError
 */
export async function openEmbedded(
  dataFolder: string,
  log: EmbeddedLog,
  archive: string | null = null,
): Promise<Embedded> {
  const location = withArchive(await clusterLocation(resolve(dataFolder)), archive)
  let first: Presence
  try {
    if (!existsSync(join(location.folder, 'PG_VERSION'))) log.info({}, `creating a database in ${location.folder}`)
    await createCluster(location)
    first = await connectPresence(location)
  } catch (error) {
    throw toStartError(error, location.folder)
  }
  let presence = first
  let closing = false
  let restarting = Promise.resolve()
  watch()

  function watch(): void {
    void presence.connectionLost.then(() => {
      if (!closing) restarting = restart()
    })
  }

  async function restart(): Promise<void> {
    log.warn({}, 'the database stopped and is being restarted')
    void presence.sql.end({ timeout: 0 })
    for (let reportedError = ''; !closing; await sleep(RETRY_PAUSE)) {
      try {
        presence = await connectPresence(location)
        log.info({}, 'the database is back')
        watch()
        return
      } catch (error) {
        const { message } = toStartError(error, location.folder)
        if (message !== reportedError) log.error({}, message)
        reportedError = message
      }
    }
  }

  return {
    url: first.url,
    async close() {
      closing = true
      await restarting
      const stops = await isLast(presence.sql)
      if (stops) await stopCluster(location)
      await presence.sql.end({ timeout: 1 })
      return stops
    },
  }
}

function withArchive(location: ClusterLocation, archive: string | null): ClusterLocation {
  if (archive === null) return location
  return { ...location, settings: { ...location.settings, ...archiveSettings(resolve(archive), location.account) } }
}

/**
 * Returns the cluster of a data folder. The cluster need not exist yet; the folder is created.
 * @param dataFolder absolute path
 * @throws StartError
 */
export async function clusterLocation(dataFolder: string): Promise<ClusterLocation> {
  const folder = join(dataFolder, 'postgres')
  const binaries = await findBinaries(null)
  try {
    await makeDataFolder(dataFolder)
    // PostgreSQL runs as another user when started by root, and that user must be able to enter the folder. Folders
    // that Ingot did not create are left unchanged.
    if (basename(dataFolder) === DATA_FOLDER && process.getuid?.() === 0 && statSync(dataFolder).uid === 0)
      chmodSync(dataFolder, 0o711)
    if (!existsSync(join(dataFolder, '.gitignore')))
      await writeFile(join(dataFolder, '.gitignore'), '*\n', { mode: 0o600 })
  } catch (error) {
    throw toStartError(error, dataFolder)
  }
  const account = accountFor(folder)
  requireReach(
    folder,
    account,
    'set INGOT_DATA to a folder that every user may enter, or run Ingot as an ordinary user',
  )
  const remedy =
    'move the project to a folder that every user may enter, run Ingot as an ordinary user, or set DATABASE_URL'
  requireReach(binaries.postgres, account, remedy)
  return { folder, binaries, account, settings: serverSettings(), durable: true }
}

interface Presence {
  readonly url: string
  readonly sql: Sql
  /** Resolves when the connection is lost. */
  readonly connectionLost: Promise<void>
}

async function connectPresence(location: ClusterLocation): Promise<Presence> {
  const startedAt = performance.now()
  for (;;) {
    const url = await startCluster(location)
    let resolveLost: () => void = () => undefined
    const connectionLost = new Promise<void>((resolve) => {
      resolveLost = resolve
    })
    const sql = createSession(readDatabaseUrl(url, 'INGOT_DATA'), PRESENCE_NAME, () => resolveLost())
    try {
      await sql`select 1`
      return { url, sql, connectionLost }
    } catch (error) {
      await sql.end({ timeout: 0 })
      // Another command may be stopping the server.
      if (performance.now() - startedAt > CONNECT_RETRY) throw error
      await sleep(100)
    }
  }
}

/**
 * Returns whether no other command uses the server. A command announces that it is leaving before it checks, because a connection is still
 * listed for a moment after its lock was released. So exactly one of several commands that leave together finds that it is the last one.
 */
async function isLast(sql: Sql): Promise<boolean> {
  try {
    await sql`select set_config('application_name', ${LEAVING_NAME}, false)`
    await sql`select pg_advisory_lock(${LOCKS.leave})`
    const others = await sql`
      select from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()
        and (application_name = ${PRESENCE_NAME} or application_name not like 'ingot%')`
    return others.length === 0
  } catch {
    // The server does not answer, so it is not stopped. The next command that leaves checks again.
    return false
  }
}

function toStartError(error: unknown, folder: string): StartError {
  if (error instanceof StartError) return error
  switch (errorCodeOf(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
      return new StartError(
        `The folder '${folder}' of the database cannot be written by this user: set INGOT_DATA to a writable folder, or set DATABASE_URL to use another database.`,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartError(
        `The database could not be created in '${folder}', because the disk is full: free some space.`,
      )
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartError(`A part of INGOT_DATA is a file, not a folder: '${folder}'.`)
    default:
      return new StartError(
        `The database in '${folder}' does not start: ${error instanceof Error ? error.message : String(error)}`,
      )
  }
}
