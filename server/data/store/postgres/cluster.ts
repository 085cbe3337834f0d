/** Creates, starts, finds and stops a PostgreSQL cluster in its own folder. Creation is atomic. */
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodeOf } from '../../../core/error-code.ts'
import { ownMark, removeLeftovers } from '../../../core/leftovers.ts'
import { StartError } from '../../../core/start-error.ts'
import { writeAdmission } from './admission.ts'
import type { Binaries } from './binaries.ts'
import { type Account, run } from './program.ts'
import { socketFolder } from './socket-folder.ts'
import { syncFolder } from './sync-folder.ts'
import { type WindowsAccess, windowsAccessSettings, readWindowsAccess, writeWindowsAccess } from './windows-access.ts'

const USER = 'app'

export interface ClusterLocation {
  /** Absolute path, used by nothing else. Its parent exists. */
  readonly folder: string
  readonly binaries: Binaries
  /** The account that runs the programs; null for the current user. */
  readonly account: Account | null
  /** Server settings by name. */
  readonly settings: Readonly<Record<string, string>>
  /** False turns off `fsync`, for clusters whose loss does not matter. */
  readonly durable: boolean
}

/** Milliseconds for which a start is retried. For some tenths of a second after a crash, the system rejects a start. */
const START_RETRY_TIME = 10_000
/** Milliseconds for a server to recover after a crash. */
const RECOVERY_TIMEOUT = 600_000
/** Milliseconds for a server to shut down. */
const STOP_TIMEOUT = 60_000
/** Milliseconds between two reads of the server's status file, and the maximum before `pg_ctl` is called again. */
const POLL_INTERVAL = 20
const MAX_POLL = 1_000
const LOG_FILE = 'server.log'
/** Size in bytes from which the server log is rotated. */
const MAX_LOG_SIZE = 8 * 1024 * 1024

/**
 * Creates the cluster unless it exists. Several processes may do so concurrently; the first one wins.
 * @throws StartError
 */
export async function createCluster(location: ClusterLocation): Promise<void> {
  const { folder, binaries, account, durable } = location
  const parent = dirname(folder)
  const prefix = `${basename(folder)}.new-`
  await removeLeftovers(parent, prefix)
  if (existsSync(join(folder, 'PG_VERSION'))) return requireVersion(location)
  const draft = await mkdtemp(join(parent, `${prefix}${ownMark()}-`))
  try {
    if (account !== null) chownSync(draft, account.uid, account.gid)
    const windowsAccess = process.platform === 'win32' ? await writeWindowsAccess(draft) : null
    // The built-in locale sorts the same on every machine and folds the case of all letters. Older versions use a
    // locale of the system.
    const locale =
      binaries.major >= 17
        ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
        : ['--locale=C.UTF-8']
    const flags = ['-U', USER, '--encoding=UTF8', ...locale, '--no-instructions']
    // The allowed users are written before each start.
    const entry =
      windowsAccess === null ? ['--auth=reject'] : ['--auth=scram-sha-256', `--pwfile=${windowsAccess.passwordFile}`]
    const target = join(draft, 'cluster')
    await mkdir(target, { mode: 0o700 })
    if (account !== null) chownSync(target, account.uid, account.gid)
    const args = ['-D', target, ...flags, ...entry, ...(durable ? [] : ['--no-sync'])]
    const { code, output } = await run(binaries.initdb, args, account, draft)
    if (code !== 0) throw new StartError(`The database could not be created in '${folder}': ${failureReason(output)}.`)
    if (windowsAccess !== null) await rename(windowsAccess.file, join(target, basename(windowsAccess.file)))
    await writeFile(join(target, 'postgresql.conf'), "\ninclude_if_exists = 'ingot.conf'\n", { flag: 'a' })
    await rename(target, folder)
    if (durable) await syncFolder(parent)
  } catch (error) {
    if (existsSync(join(folder, 'PG_VERSION'))) return
    throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

function requireVersion({ folder, binaries, account }: ClusterLocation): void {
  const { uid } = statSync(folder)
  const own = account?.uid ?? process.getuid?.()
  if (own !== undefined && uid !== own) {
    throw new StartError(
      `The database in '${folder}' belongs to another user (number ${uid}): run Ingot as that user or as root, or set INGOT_DATA to a folder of this user.`,
    )
  }
  const version = Number(readFileSync(join(folder, 'PG_VERSION'), 'utf8'))
  if (version === binaries.major) return
  throw new StartError(
    `The database in '${folder}' was created by PostgreSQL ${version}, but this is PostgreSQL ${binaries.major}: move its data with pg_dump of version ${version}, or set INGOT_DATA to a new folder.`,
  )
}

/** The contents of `postmaster.pid`. */
interface Status {
  readonly pid: number
  readonly socket: string
  readonly state: string
}

/**
 * Starts the cluster unless it is running. Several processes may do so concurrently.
 * @returns its URL, for `connect`
 * @throws StartError
 */
export async function startCluster(location: ClusterLocation): Promise<string> {
  const { folder, binaries, account } = location
  const startedAt = performance.now()
  let refused = ''
  /** Offset in the log at which the last start begins. */
  let logOffset: number | null = null
  for (;;) {
    const status = await readStatus(location)
    if (status?.state === 'ready') {
      // An earlier version of Ingot may have started the server.
      if (windowsAccessOf(folder) === null && writeAdmission(folder, account, USER))
        await run(binaries.pgCtl, ['reload', '-D', '.'], account, folder)
      return urlOf(location, status)
    }
    // `pg_ctl` reports a recovering server as started, but it may still fail.
    if (status === null && logOffset !== null && refused === '') refused = logFrom(folder, logOffset)
    if (isFinal(refused) || performance.now() - startedAt > (status === null ? START_RETRY_TIME : RECOVERY_TIMEOUT)) {
      throw new StartError(`The database in '${folder}' does not start: ${failureReason(refused)}.`)
    }
    if (status !== null) {
      await waitForChange(location, ({ state }) => state !== status.state)
      continue
    }
    if (!existsSync(join(folder, 'PG_VERSION'))) {
      throw new StartError(`The database in '${folder}' was removed: start again.`)
    }
    await configure(location)
    if (windowsAccessOf(folder) === null) writeAdmission(folder, account, USER)
    logOffset = await rotateLog(folder)
    // Runs in the folder and passes relative paths, because `pg_ctl` passes paths through a shell.
    const args = ['start', '-w', '-t', String(RECOVERY_TIMEOUT / 1000), '-D', '.', '-l', LOG_FILE]
    const { code, output } = await run(binaries.pgCtl, args, account, folder)
    refused = ''
    if (code === 0) continue
    refused = `${output}\n${logFrom(folder, logOffset)}`
    if (!isFinal(refused)) await sleep(250)
  }
}

/** The status of the server that runs in this folder; null when none does. */
async function readStatus({ folder, binaries, account }: ClusterLocation): Promise<Status | null> {
  const lines = readPidFile(folder)
  if (lines === null) return null
  const { code } = await run(binaries.pgCtl, ['status', '-D', '.'], account, folder)
  if (code !== 0) return null
  return parseStatus(readPidFile(folder) ?? lines)
}

function parseStatus(lines: readonly string[]): Status {
  return { pid: Number(lines[0]), socket: lines[4] ?? '', state: (lines[7] ?? 'starting').trim() }
}

/** Waits until the server's status file changes, but no longer than `MAX_POLL`. Reading the file is cheaper than starting `pg_ctl`. */
async function waitForChange({ folder }: ClusterLocation, isChanged: (status: Status) => boolean): Promise<void> {
  for (let waited = 0; waited < MAX_POLL; waited += POLL_INTERVAL) {
    await sleep(POLL_INTERVAL)
    const lines = readPidFile(folder)
    if (lines === null || isChanged(parseStatus(lines))) return
  }
}

/** Null when no server runs in the folder. */
function readPidFile(folder: string): readonly string[] | null {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return null
  }
}

/** Whether a server runs in the folder and accepts connections. @internal Exported for tests. */
export async function isRunning(location: ClusterLocation): Promise<boolean> {
  return (await readStatus(location)) !== null
}

/** The process id of the server that runs in the folder; null when none does. @internal Exported for tests. */
export async function serverPid(location: ClusterLocation): Promise<number | null> {
  return (await readStatus(location))?.pid ?? null
}

/**
 * Stops the server if it is running. Committed data is kept.
 * @param mode `immediate` leaves recovery to the next start
 */
export async function stopCluster(location: ClusterLocation, mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
  const { folder, binaries, account } = location
  const socket = socketFolder(folder, account)
  const pid = await serverPid(location)
  if (pid === null) return
  await run(binaries.pgCtl, ['stop', '-D', '.', '-m', mode, '-W'], account, folder)
  // `-W`, because `pg_ctl` would also wait for a server that another command has started in the meantime.
  const startedAt = performance.now()
  while ((await serverPid(location)) === pid && performance.now() - startedAt < STOP_TIMEOUT)
    await waitForChange(location, (status) => status.pid !== pid)
  if ((await serverPid(location)) !== null) return
  if (socket !== folder) await rm(socket, { recursive: true, force: true })
}

/** Returns how a cluster is reached on Windows; null on other systems, where it has a socket. */
function windowsAccessOf(folder: string): WindowsAccess | null {
  return process.platform === 'win32' ? readWindowsAccess(folder) : null
}

function urlOf({ folder }: ClusterLocation, { socket }: Status): string {
  const own = windowsAccessOf(folder)
  if (own !== null) return `postgres://${USER}:${own.password}@127.0.0.1:${own.port}/postgres`
  return `postgres://${USER}@/postgres?host=${encodeURIComponent(socket)}`
}

async function configure({ folder, account, settings, durable }: ClusterLocation): Promise<void> {
  const windowsAccess = windowsAccessOf(folder)
  const entry =
    windowsAccess === null
      ? // The setting is a list, whose items may be quoted.
        {
          listen_addresses: '',
          unix_socket_directories: `"${socketFolder(folder, account).replaceAll('"', '""')}"`,
          unix_socket_permissions: '0700',
          port: '5432',
        }
      : windowsAccessSettings(windowsAccess)
  const unsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const all = { ...settings, ...(durable ? {} : unsafeSettings), ...entry }
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`)
  const file = join(folder, 'ingot.conf')
  // Another process may be starting the server. Each writes the same content, so it does not matter which one is last.
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `# Written at every start: changes to this file are lost.\n${lines.join('\n')}\n`, {
    mode: 0o600,
  })
  if (account !== null) chownSync(draft, account.uid, account.gid)
  await rename(draft, file)
}

/**
 * Rotates the log when it is too large.
 * @returns the offset at which the log of the next start begins
 */
async function rotateLog(folder: string): Promise<number> {
  const log = join(folder, LOG_FILE)
  // There is no log before the first start.
  const { size } = await stat(log).catch(() => ({ size: 0 }))
  if (size < MAX_LOG_SIZE) return size
  try {
    await rename(log, `${log}.old`)
  } catch (error) {
    // Another process that starts the server has rotated the log in the meantime.
    if (errorCodeOf(error) !== 'ENOENT') throw error
  }
  return 0
}

/** The log from an offset; empty when the server ended before it wrote a log. */
function logFrom(folder: string, from: number): string {
  try {
    return readFileSync(join(folder, LOG_FILE)).subarray(from).toString('utf8')
  } catch {
    return ''
  }
}

/** Whether a retry is pointless. */
function isFinal(output: string): boolean {
  return /No space left|Permission denied|wrong ownership|invalid permissions|incompatible|configuration file .* contains errors|recovery target/.test(
    output,
  )
}

/** The cause in a program's output, as the end of a sentence. */
function failureReason(output: string): string {
  if (/No space left on device|Disk quota exceeded/.test(output)) return 'the disk is full: free some space'
  const match = /(?:FATAL|PANIC|error):\s+(.+)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1) ?? ''
  return match.replace(/\.$/, '') || 'it reported no reason'
}
