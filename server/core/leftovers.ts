/**
 * Names temporary files and folders by their process, and removes those of processes that were killed. Processes of
 * several containers or machines may share a folder.
 */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { errorCodeOf } from './error-code.ts'

const MARK_PATTERN = /^([\da-f]{12})_(\d+)_(\d+)(?![\da-z])/
/**
 * Milliseconds between two heartbeats of a folder's process, and after which a process on another machine is considered
 * ended.
 */
const HEARTBEAT_INTERVAL = 60_000
const MAX_SILENCE = 600_000
/** Milliseconds after which a file is removed whose name does not contain a process. */
const MAX_UNMARKED_AGE = 86_400_000
/** The states of ended processes in `/proc`. */
const ZOMBIE_STATES = /^[ZX]/

let cachedMark: string | null = null

/** Returns the mark of this process for the beginning of names: its machine, its process id and its start time. */
export function ownMark(): string {
  cachedMark ??= `${processNamespace()}_${process.pid}_${processStartTime(process.pid)}`
  return cachedMark
}

/** Returns the process namespace. Containers of one machine have different namespaces. */
function processNamespace(): string {
  const parts = [hostname()]
  try {
    parts.push(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), readlinkSync('/proc/self/ns/pid'))
  } catch {
    // Only Linux has namespaces.
  }
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12)
}

/** The state and the start time of a process, as Linux lists them. */
interface ProcessFacts {
  readonly isZombie: boolean
  /** In ticks since the start of the machine. */
  readonly start: string
}

/** Returns the facts about a process; null when it does not exist, or the system has no such file. */
function processFacts(pid: number): ProcessFacts | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The program's name comes first, in parentheses, and may contain any character.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { isZombie: ZOMBIE_STATES.test(fields[0] ?? ''), start: fields[19] ?? '0' }
  } catch {
    return null
  }
}

/** Returns the start time of a process; 0 when it is unknown. Process ids are reused, so the id alone does not identify a process. */
function processStartTime(pid: number): string {
  return processFacts(pid)?.start ?? '0'
}

/**
 * Returns whether a process of this machine is running. The id of a process that was killed exists until its parent has
 * read the exit code, which some containers never do.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCodeOf(error) !== 'EPERM') return false
  }
  return processFacts(pid)?.isZombie !== true
}

/**
 * Returns whether the process of a mark has ended.
 * @param lastHeartbeat time of its last heartbeat, in milliseconds since 1970
 */
function hasEnded([, place, pid, start]: RegExpExecArray, lastHeartbeat: number): boolean {
  if (place !== processNamespace()) return Date.now() - lastHeartbeat > MAX_SILENCE
  return !isRunning(Number(pid)) || processStartTime(Number(pid)) !== start
}

const heartbeatFolders = new Set<string>()

/**
 * Returns the path of this process's folder in a shared folder, without creating it. The process updates the folder's
 * time as a heartbeat.
 */
export function ownFolder(parent: string): string {
  const folder = join(parent, ownMark())
  if (heartbeatFolders.has(folder)) return folder
  heartbeatFolders.add(folder)
  const heartbeatTimer = setInterval(() => {
    const now = new Date()
    // The folder is created when something is put into it.
    void utimes(folder, now, now).catch(() => undefined)
  }, HEARTBEAT_INTERVAL)
  heartbeatTimer.unref()
  return folder
}

/**
 * Removes files and folders of ended processes.
 * @param prefix beginning of the names to remove; names without a mark are kept. Without a prefix, names without a mark
 * are removed after a day.
 * @returns the number of removed files and folders
 */
export async function removeLeftovers(folder: string, prefix: string | null = null): Promise<number> {
  // The folder may not exist yet.
  const names = await readdir(folder).catch((): string[] => [])
  let removedCount = 0
  for (const name of names) {
    if (!name.startsWith(prefix ?? '')) continue
    const mark = MARK_PATTERN.exec(name.slice(prefix?.length ?? 0))
    if (mark === null && prefix !== null) continue
    const path = join(folder, name)
    // The process that created the file may have removed it meanwhile.
    const stats = await stat(path).catch(() => null)
    if (stats === null) continue
    if (mark === null ? Date.now() - stats.mtimeMs < MAX_UNMARKED_AGE : !hasEnded(mark, stats.mtimeMs)) continue
    await rm(path, { recursive: true, force: true })
    removedCount++
  }
  return removedCount
}
