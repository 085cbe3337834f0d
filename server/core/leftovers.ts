/**
 * What processes are writing, in names that tell which process that is. A process that is killed leaves such files and
 * folders behind, and the next one that starts removes them. Several processes may share a folder, also those of several
 * containers or machines.
 */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { codeOf } from './error-code.ts'

const MARK = /^([\da-f]{12})_(\d+)_(\d+)(?![\da-z])/
/** Milliseconds between two signs of life of a folder's process, and after which one elsewhere is taken to have ended. */
const SIGN_EVERY = 60_000
const SILENCE = 600_000
/** Milliseconds after which a file whose name does not tell its process is removed. */
const ABANDONED = 86_400_000

let known: string | null = null

/** The mark of this process, for the beginning of names: of its machine, its number, and when it was started. */
export function ownMark(): string {
  known ??= `${machine()}_${process.pid}_${startOf(process.pid)}`
  return known
}

/** Where processes see each other by number. Containers of one machine do not. */
function machine(): string {
  const parts = [hostname()]
  try {
    parts.push(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), readlinkSync('/proc/self/ns/pid'))
  } catch {
    // Other systems than Linux have no such containers.
  }
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12)
}

/** When a process was started, in ticks since the machine was; 0 where the system does not tell. A number is used again. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program comes before, in brackets, and may contain anything.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
  } catch {
    // It has ended, or the system has no such file.
    return '0'
  }
}

/** Whether a process of this machine lives. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Whether the process of a mark has ended. @param touched when it last gave a sign of life, in milliseconds since 1970 */
function hasEnded([, place, pid, start]: RegExpExecArray, touched: number): boolean {
  if (place !== machine()) return Date.now() - touched > SILENCE
  return !isRunning(Number(pid)) || startOf(Number(pid)) !== start
}

const signing = new Set<string>()

/**
 * The folder of this process in a folder that processes share, which is not made. As long as the process lives, it gives
 * signs of life there.
 */
export function ownFolder(parent: string): string {
  const own = join(parent, ownMark())
  if (signing.has(own)) return own
  signing.add(own)
  const sign = setInterval(() => {
    const now = new Date()
    // It is made when there is something to put into it.
    void utimes(own, now, now).catch(() => undefined)
  }, SIGN_EVERY)
  sign.unref()
  return own
}

/**
 * Removes what processes have left in a folder that have ended.
 * @param prefix what names begin with; others are left alone, and so are names without a mark. Without a prefix, what
 * has no mark is removed after a day.
 * @returns the number of removed files and folders
 */
export async function removeLeft(folder: string, prefix: string | null = null): Promise<number> {
  // The folder may not be there yet.
  const names = await readdir(folder).catch((): string[] => [])
  let gone = 0
  for (const name of names) {
    if (!name.startsWith(prefix ?? '')) continue
    const mark = MARK.exec(name.slice(prefix?.length ?? 0))
    if (mark === null && prefix !== null) continue
    const path = join(folder, name)
    // Its process may just have removed it.
    const facts = await stat(path).catch(() => null)
    if (facts === null) continue
    if (mark === null ? Date.now() - facts.mtimeMs < ABANDONED : !hasEnded(mark, facts.mtimeMs)) continue
    await rm(path, { recursive: true, force: true })
    gone++
  }
  return gone
}
