/** Runs work in short slices, so that other requests can be handled in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from './steps.ts'

/**
 * Maximum duration of a slice in milliseconds. A single step may take longer. A message passes several turns until it is answered, and waits
 * for a slice in each of them.
 */
const SLICE_MS = 1

/** Runs the work slice by slice. Returns null if it was aborted. */
export async function runInSlices<Result>(steps: Steps<Result>): Promise<Result>
export async function runInSlices<Result>(steps: Steps<Result>, signal: AbortSignal): Promise<Result | null>
export async function runInSlices<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result | null> {
  for (;;) {
    const deadline = performance.now() + SLICE_MS
    do {
      if (signal?.aborted === true) {
        // The result of canceled steps is never read.
        steps.return(undefined as never)
        return null
      }
      const step = steps.next()
      if (step.done === true) return step.value
    } while (performance.now() < deadline)
    await nextTurn()
  }
}
