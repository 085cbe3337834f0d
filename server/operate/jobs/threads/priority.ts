/** Lowers the priority of job threads, so that pages come first when processors are scarce. */
import { setPriority } from 'node:os'

/** Lowest scheduling priority. */
const LOWEST_PRIORITY = 19

/**
 * Lowers the priority of the calling thread where the system supports it. The process, which sends heartbeats, keeps
 * its priority.
 */
export function lowerThreadPriority(): void {
  try {
    setPriority(LOWEST_PRIORITY)
  } catch {
    // Without the permission, jobs run at normal priority.
  }
}
