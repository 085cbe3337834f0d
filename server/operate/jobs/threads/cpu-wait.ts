/**
 * Measures how long a thread waited for a processor, as the kernel counts it (schedstat in proc_pid_schedstat(5)). Jobs run at low
 * priority (`priority.ts`). Without this, their time limits would end jobs that hardly ran while pages used the processors.
 */
import { openSync, readFileSync, readlinkSync, readSync } from 'node:fs'

/** The calling thread, as the system sees it. */
export interface OwnThread {
  /** Id of the thread; 0 when the system does not provide it. */
  readonly id: number
  /**
   * Returns the milliseconds that the thread has waited for a processor since its start; 0 when the system does not count them. Takes
   * a few microseconds.
   */
  cpuWait(): number
}

/** Returns the calling thread. */
export function ownThread(): OwnThread {
  try {
    const id = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    // The file stays open, because opening it takes ten times as long as reading it.
    const file = openSync('/proc/thread-self/schedstat', 'r')
    const buffer = Buffer.alloc(128)
    return {
      id,
      cpuWait: () => parseWaitTime(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0))),
    }
  } catch {
    // Only Linux counts this. Elsewhere, threads are assumed never to wait.
    return { id: 0, cpuWait: () => 0 }
  }
}

/**
 * Returns the waiting time of another thread of this process.
 * @param id see `OwnThread`
 */
export function cpuWaitOf(id: number): number {
  try {
    return parseWaitTime(readFileSync(`/proc/self/task/${id}/schedstat`, 'latin1'))
  } catch {
    // The thread has ended, or the system does not count the time.
    return 0
  }
}

/** Parses the file: nanoseconds running, nanoseconds waiting, and the number of time slices. */
function parseWaitTime(text: string): number {
  const value = Number(text.split(' ')[1])
  return Number.isNaN(value) ? 0 : value / 1e6
}
