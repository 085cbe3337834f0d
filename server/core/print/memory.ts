/** Measures the memory of processes. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const MB = 1024 * 1024
/** Lines of `/proc/PID/status` about memory that the process does not share with its program file, in kilobytes. */
const OWN_MEMORY = /^(?:RssAnon|RssShmem):\s+(\d+) kB$/gm

/**
 * Returns the memory of processes in megabytes. Processes that have ended count as 0, and all of them do on systems that do not tell.
 * @param pids ids of the processes
 */
export async function usedMemory(pids: readonly number[]): Promise<number> {
  if (process.platform === 'linux') {
    const sizes = await Promise.all(pids.map(linuxMemory))
    return sizes.reduce((sum, size) => sum + size, 0) / MB
  }
  if (process.platform === 'win32' || pids.length === 0) return 0
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', pids.join(',')])
    return stdout.split('\n').reduce((sum, line) => sum + Number(line.trim()), 0) / 1024
  } catch {
    // All of them have ended.
    return 0
  }
}

async function linuxMemory(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'latin1')
    let bytes = 0
    for (const [, kilobytes] of status.matchAll(OWN_MEMORY)) bytes += Number(kilobytes) * 1024
    return bytes
  } catch {
    return 0
  }
}
