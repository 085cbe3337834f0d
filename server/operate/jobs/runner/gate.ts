/**
 * Decides when a task group may fetch its next job. Normally it fetches when a slot is free. While jobs are very short, it fetches one
 * job ahead for each slot, so that threads do not wait for the database. A job that was fetched ahead and cannot start is given
 * back. While jobs run long, some slots are added, so that other jobs do not wait for them.
 */

export interface Gate {
  /** Resolves when a job may be fetched. The value tells whether the job will run in an added slot. */
  fetch(): Promise<boolean>
  /** Called when the queue had no job. */
  empty(): void
  /**
   * Runs a fetched job in a free slot. Resolves to null, without running it, when no slot became free in time.
   * @param onLong called when the job has run so long that a slot may be added
   */
  run<T>(work: () => Promise<T>, onLong?: () => void): Promise<T | null>
}

/** Milliseconds after which a job counts as long. */
const LONG_JOB_TIME = 2_000

/** Milliseconds below which a job counts as very short. */
const SHORT_JOB_TIME = 20
/** Milliseconds that a job that was fetched ahead may wait. */
const MAX_WAIT = 50
/** Weight of the latest job in the moving average. */
const AVERAGE_WEIGHT = 0.2

/**
 * Creates the gate of a task group.
 * @param slots number of jobs that the group runs at once
 * @param extra maximum number of added slots, one for each long job
 */
export function createGate(slots: number, extra = 0): Gate {
  /** Number of jobs that are fetched or being fetched. */
  let fetchedCount = 0
  let running = 0
  /** Number of running jobs that count as long. */
  let longCount = 0
  /** Moving average of the job duration in milliseconds; null before the first job. */
  let averageTime: number | null = null
  /** Start times of the running jobs. */
  const startTimes: { readonly at: number }[] = []
  const fetching: ((isAdded: boolean) => void)[] = []
  const waiting: (() => void)[] = []

  function capacity(): number {
    return slots + Math.min(extra, longCount)
  }

  function mayFetch(): boolean {
    if (fetchedCount < capacity()) return true
    if (fetchedCount >= 2 * slots || averageTime === null || averageTime > SHORT_JOB_TIME) return false
    const now = performance.now()
    for (const { at } of startTimes) if (now - at > 2 * SHORT_JOB_TIME) return false
    return true
  }

  /** Counts a fetch; returns whether it takes an added slot. */
  function countFetch(): boolean {
    return fetchedCount++ >= slots && longCount > 0
  }

  function wake(): void {
    while (fetching.length > 0 && mayFetch()) fetching.shift()?.(countFetch())
  }

  function release(): void {
    fetchedCount--
    wake()
  }

  /** Waits for a free slot; resolves to false when none became free in time. */
  function waitForSlot(): Promise<boolean> {
    return new Promise((resolve) => {
      const onFree = (): void => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(onFree), 1)
        resolve(false)
      }, MAX_WAIT)
      waiting.push(onFree)
    })
  }

  return {
    fetch() {
      if (fetching.length > 0 || !mayFetch()) return new Promise((resolve) => fetching.push(resolve))
      return Promise.resolve(countFetch())
    },
    empty: release,
    async run(task, onLong) {
      if (running < capacity()) running++
      else if (!(await waitForSlot())) {
        release()
        return null
      }
      const start = { at: performance.now() }
      startTimes.push(start)
      let isLong = false
      const longTimer = setTimeout(() => {
        isLong = true
        longCount++
        onLong?.()
        wake()
      }, LONG_JOB_TIME)
      wake()
      try {
        return await task()
      } finally {
        clearTimeout(longTimer)
        if (isLong) longCount--
        startTimes.splice(startTimes.indexOf(start), 1)
        const duration = performance.now() - start.at
        averageTime = averageTime === null ? duration : averageTime + (duration - averageTime) * AVERAGE_WEIGHT
        // The slot is handed over directly, so that no other job takes it in between.
        const next = waiting.shift()
        if (next === undefined) running--
        else next()
        release()
      }
    },
  }
}
