/** Whoever waits for a page comes first: where processors are scarce, jobs take what is left. */
import { setPriority } from 'node:os'

/** The nicest that there is. */
const NICE = 19

/** Makes the thread that calls nice, where the system knows such threads; their process, which gives signs of life, stays as it is. */
export function yieldThread(): void {
  try {
    setPriority(NICE)
  } catch {
    // Where the system does not let us, jobs compete like anybody.
  }
}
