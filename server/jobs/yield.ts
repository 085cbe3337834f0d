/**
 * Whoever waits for a page comes first: where processors are scarce, jobs take what is left.
 *
 * Linux weighs sessions against each other before it weighs the threads of one (sched(7), "The autogroup feature"), and each process of
 * PostgreSQL is a session of its own. Threads that are nice to the process that answers would still take turns with the queries of
 * its pages; so the session of the process of jobs is nice as well, which it must have for itself.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** The nicest that there is. */
const NICE = 19
/** The niceness of a session is set for one process after the other, ten times a second on the whole machine. */
const ATTEMPTS = 20
const BETWEEN = 130

/** Makes the thread that calls nice, where the system knows such threads. */
export function yieldThread(): void {
  try {
    setPriority(NICE)
  } catch {
    // Where the system does not let us, jobs compete like anybody.
  }
}

/** Makes the session of this process nice, where it has one for itself and the system knows such sessions. Never rejects. */
export async function yieldSession(): Promise<void> {
  if (!leadsSession()) return
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      writeFileSync('/proc/self/autogroup', String(NICE))
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
      await sleep(BETWEEN, null, { ref: false })
    }
  }
}

/** A session that others are in, as that of a terminal, is not ours to slow down. */
function leadsSession(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The name in parentheses may hold anything; behind it: state, parent, group, session.
    const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]
    return session === String(process.pid)
  } catch {
    return false
  }
}
