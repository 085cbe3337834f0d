/**
 * Time in which a thread wanted to run and the system had no processor for it: the kernel counts it for each thread (schedstat, in
 * proc_pid_schedstat(5)). Jobs come last (`yield.ts`), so while pages take all there is their limits would end what has hardly begun.
 */
import { openSync, readFileSync, readlinkSync, readSync } from 'node:fs'

/** A thread, as the system knows it. */
export interface OwnThread {
  /** Its number; 0 where the system does not tell. */
  readonly id: number
  /** Milliseconds for which it has waited for a processor since it began; a few microseconds of work. 0 where nobody counts. */
  denied(): number
}

/** The thread that calls. */
export function ownThread(): OwnThread {
  try {
    const id = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    // Kept open for the life of the thread: a read is a tenth of opening it again.
    const file = openSync('/proc/thread-self/schedstat', 'r')
    const buffer = Buffer.alloc(128)
    return { id, denied: () => waited(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0))) }
  } catch {
    // Only Linux counts it: elsewhere all time is taken as given.
    return { id: 0, denied: () => 0 }
  }
}

/** The same of another thread of this process. @param id see `OwnThread` */
export function deniedOf(id: number): number {
  try {
    return waited(readFileSync(`/proc/self/task/${id}/schedstat`, 'latin1'))
  } catch {
    // The thread has ended, or the system does not count it.
    return 0
  }
}

/** Nanoseconds that it ran, that it waited, and how often. */
function waited(text: string): number {
  const value = Number(text.split(' ')[1])
  return Number.isNaN(value) ? 0 : value / 1e6
}
