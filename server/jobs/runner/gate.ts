/**
 * When a lane of the queue may fetch its next job. As a rule, when one of its slots is free; while jobs take next to no time, one ahead
 * for each slot, so that threads need not wait for the database between them. What was fetched ahead and cannot begin goes back.
 */

export interface Gate {
  /** Resolves when a job may be fetched. */
  fetch(): Promise<void>
  /** Nothing was there to be fetched. */
  empty(): void
  /** Does what was fetched, in a free slot. Null where none became free in time: it has not begun. */
  run<T>(work: () => Promise<T>): Promise<T | null>
}

/** Milliseconds that jobs take which are next to nothing. */
const SHORT = 20
/** Milliseconds that a job which was fetched ahead may wait. */
const PATIENCE = 50
/** How much the last job counts in what is typical. */
const WEIGHT = 0.2

/** @param slots jobs that the lane runs at once */
export function createGate(slots: number): Gate {
  /** Fetched, or being fetched. */
  let held = 0
  let running = 0
  /** Milliseconds; null before the first one. */
  let typical: number | null = null
  /** When those that run have begun. */
  const begun: { readonly at: number }[] = []
  const fetching: (() => void)[] = []
  const waiting: (() => void)[] = []

  function mayFetch(): boolean {
    if (held < slots) return true
    if (held >= 2 * slots || typical === null || typical > SHORT) return false
    const now = performance.now()
    for (const { at } of begun) if (now - at > 2 * SHORT) return false
    return true
  }

  function wake(): void {
    while (fetching.length > 0 && mayFetch()) {
      held++
      fetching.shift()?.()
    }
  }

  function left(): void {
    held--
    wake()
  }

  /** False where none became free. */
  function slot(): Promise<boolean> {
    return new Promise((done) => {
      const taken = (): void => {
        clearTimeout(timer)
        done(true)
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(taken), 1)
        done(false)
      }, PATIENCE)
      waiting.push(taken)
    })
  }

  return {
    fetch() {
      if (fetching.length > 0 || !mayFetch()) return new Promise((done) => fetching.push(done))
      held++
      return Promise.resolve()
    },
    empty: left,
    async run(work) {
      if (running < slots) running++
      else if (!(await slot())) {
        left()
        return null
      }
      const mark = { at: performance.now() }
      begun.push(mark)
      wake()
      try {
        return await work()
      } finally {
        begun.splice(begun.indexOf(mark), 1)
        const took = performance.now() - mark.at
        typical = typical === null ? took : typical + (took - typical) * WEIGHT
        // The slot goes from hand to hand, so that nobody comes in between.
        const next = waiting.shift()
        if (next === undefined) running--
        else next()
        left()
      }
    },
  }
}
