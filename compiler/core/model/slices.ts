/** Work in slices, so that whoever asks meanwhile is answered between two of them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from './steps.ts'

/** Milliseconds that one slice takes at most, but for a step that takes longer by itself. */
const SLICE = 3

/** Does the work slice by slice; null when it was called off. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result>
export async function inSlices<Result>(steps: Steps<Result>, signal: AbortSignal): Promise<Result | null>
export async function inSlices<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result | null> {
  for (;;) {
    const until = performance.now() + SLICE
    do {
      if (signal?.aborted === true) {
        // The result of canceled steps is never read.
        steps.return(undefined as never)
        return null
      }
      const step = steps.next()
      if (step.done === true) return step.value
    } while (performance.now() < until)
    await nextTurn()
  }
}
