/**
 * The database that is simply there: a cluster in the data folder, made and started when it is missing, adopted when it runs,
 * started again when it dies, stopped by the last command that leaves it.
 */
import { chmodSync, existsSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { StartError } from '../../start-error.ts'
import { createSession } from '../connection.ts'
import { readDatabaseUrl } from '../database-url.ts'
import { codeOf } from '../failure.ts'
import { LOCKS } from '../locks.ts'
import { accountFor, requireReach } from './account.ts'
import { findBinaries } from './binaries.ts'
import { type ClusterPlace, createCluster, startCluster, stopCluster } from './cluster.ts'
import { serverSettings } from './server-settings.ts'

export interface EmbeddedLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface Embedded {
  /** As `DATABASE_URL` has it; stays the same when the server is started again. */
  readonly url: string
  /** Leaves the server, and stops it where nobody else is there. */
  close(): Promise<void>
}

/** The data folder of a site that names none, in the site's folder. */
export const DATA_FOLDER = '.ingot-data'

/** What a command's connection is listed as that says: somebody is here. */
const PRESENCE = 'ingot presence'
/** What it is listed as from the moment that the command leaves. */
const LEAVING = 'ingot leaving'
/** Milliseconds in which a server that another command is just stopping may be met. */
const MEETING = 15_000
/** Milliseconds between two tries to start a server that died. */
const AGAIN = 2_000

/**
 * Makes sure that the cluster of a data folder runs.
 * @param data the folder; made where it is missing
 * @throws StartError
 */
export async function openEmbedded(data: string, log: EmbeddedLog): Promise<Embedded> {
  const place = await placeIn(resolve(data))
  let first: Presence
  try {
    if (!existsSync(join(place.folder, 'PG_VERSION'))) log.info({}, `making a database in ${place.folder}`)
    await createCluster(place)
    first = await enter(place)
  } catch (error) {
    throw sentence(error, place.folder)
  }
  let presence = first
  let closing = false
  let restarting = Promise.resolve()
  watch()

  function watch(): void {
    void presence.gone.then(() => {
      if (!closing) restarting = restart()
    })
  }

  async function restart(): Promise<void> {
    log.warn({}, 'the database ended and is started again')
    void presence.sql.end({ timeout: 0 })
    for (let told = ''; !closing; await sleep(AGAIN)) {
      try {
        presence = await enter(place)
        log.info({}, 'the database is back')
        watch()
        return
      } catch (error) {
        const { message } = sentence(error, place.folder)
        if (message !== told) log.error({}, message)
        told = message
      }
    }
  }

  return {
    url: first.url,
    async close() {
      closing = true
      await restarting
      if (await isLast(presence.sql)) await stopCluster(place)
      await presence.sql.end({ timeout: 1 })
    },
  }
}

/** Gives the first folder that was made. */
async function makeFolder(path: string): Promise<string | undefined> {
  let first = path
  while (!existsSync(first) && !existsSync(dirname(first))) first = dirname(first)
  try {
    // Alone: below /proc, where nothing can be made, node's recursive way tries for ever.
    await mkdir(first)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    await mkdir(path, { recursive: true })
    return undefined
  }
  await mkdir(path, { recursive: true })
  return first
}

async function placeIn(data: string): Promise<ClusterPlace> {
  const folder = join(data, 'postgres')
  const binaries = await findBinaries(null)
  try {
    const made = await makeFolder(data)
    // Root's database runs as somebody else, who has to walk through; a folder that is not ours alone stays as it is.
    const own = made !== undefined || basename(data) === DATA_FOLDER
    if (own && process.getuid?.() === 0 && statSync(data).uid === 0) chmodSync(data, 0o711)
    if (!existsSync(join(data, '.gitignore'))) await writeFile(join(data, '.gitignore'), '*\n')
  } catch (error) {
    throw sentence(error, data)
  }
  const account = accountFor(folder)
  requireReach(folder, account, 'set INGOT_DATA to a folder that everybody may enter, or run Ingot as an ordinary user')
  const mend =
    'move the project to a folder that everybody may enter, run Ingot as an ordinary user, or set DATABASE_URL'
  requireReach(binaries.postgres, account, mend)
  return { folder, binaries, account, settings: serverSettings(), durable: true }
}

interface Presence {
  readonly url: string
  readonly sql: Sql
  /** Resolves when the connection is lost. */
  readonly gone: Promise<void>
}

async function enter(place: ClusterPlace): Promise<Presence> {
  const begun = performance.now()
  for (;;) {
    const url = await startCluster(place)
    let leave: () => void = () => undefined
    const gone = new Promise<void>((done) => {
      leave = done
    })
    const sql = createSession(readDatabaseUrl(url, 'INGOT_DATA'), PRESENCE, () => leave())
    try {
      await sql`select 1`
      return { url, sql, gone }
    } catch (error) {
      await sql.end({ timeout: 0 })
      // Another command is stopping it at this moment.
      if (performance.now() - begun > MEETING) throw error
      await sleep(100)
    }
  }
}

/**
 * Whether nobody else uses the server. Of several that leave at once, one is told so: whoever leaves says it before it looks, since the
 * list still shows a connection for a moment after its lock was released.
 */
async function isLast(sql: Sql): Promise<boolean> {
  try {
    await sql`select set_config('application_name', ${LEAVING}, false)`
    await sql`select pg_advisory_lock(${LOCKS.leave})`
    const others = await sql`
      select from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()
        and (application_name = ${PRESENCE} or application_name not like 'ingot%')`
    return others.length === 0
  } catch {
    // It does not answer: whether it is to be stopped is for those to decide who find it running.
    return false
  }
}

function sentence(error: unknown, folder: string): StartError {
  if (error instanceof StartError) return error
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
      return new StartError(
        `The database's folder '${folder}' cannot be written by this user: set INGOT_DATA to one that can, or DATABASE_URL to use another database.`,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartError(`The database could not be made in '${folder}': the disk is full: make room there.`)
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartError(`INGOT_DATA leads through a file where it needs a folder: '${folder}'.`)
    default:
      return new StartError(
        `The database in '${folder}' does not start: ${error instanceof Error ? error.message : String(error)}`,
      )
  }
}
