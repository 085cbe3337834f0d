/**
 * Measures how long a thread waited for a processor, as the kernel counts it (schedstat in proc_pid_schedstat(5)). Jobs
 * run at low priority (`yield.ts`); without this, their time limits would end jobs that hardly ran while pages used the
 * processors.
 */
import { openSync, readFileSync, readlinkSync, readSync } from 'node:fs'

/** A thread as the system knows it. */
export interface OwnThread {
  /** Id of the thread; 0 when the system does not tell. */
  readonly id: number
  /**
   * Milliseconds for which it has waited for a processor since its start; 0 when the system does not count. Takes a few
   * microseconds.
   */
  cpuWait(): number
}

/** The calling thread. */
export function ownThread(): OwnThread {
  try {
    const id = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    // Stays open as long as the thread lives, because opening costs ten times as much as reading.
    const file = openSync('/proc/thread-self/schedstat', 'r')
    const buffer = Buffer.alloc(128)
    return { id, cpuWait: () => waited(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0))) }
  } catch {
    // Only Linux counts this; elsewhere the thread is assumed never to wait.
    return { id: 0, cpuWait: () => 0 }
  }
}

/**
 * The waiting time of another thread of this process.
 * @param id see `OwnThread`
 */
export function cpuWaitOf(id: number): number {
  try {
    return waited(readFileSync(`/proc/self/task/${id}/schedstat`, 'latin1'))
  } catch {
    // The thread has ended, or the system does not count.
    return 0
  }
}

/** The file contains nanoseconds running, nanoseconds waiting, and the number of time slices. */
function waited(text: string): number {
  const value = Number(text.split(' ')[1])
  return Number.isNaN(value) ? 0 : value / 1e6
}
