/**
 * Calls back when something takes too long. One timer checks all deadlines, because a timer for each costs as much as a
 * short query.
 */

export interface Deadline {
  /** Cancels the deadline. */
  met(): void
}

export interface Deadlines {
  /**
   * Calls `missed` once, at most `CHECK_INTERVAL` milliseconds late, unless the deadline is met before.
   * @param milliseconds from now
   */
  set(milliseconds: number, missed: () => void): Deadline
}

/** Milliseconds between two checks. */
const CHECK_INTERVAL = 25

interface PendingDeadline {
  /** A value of `performance.now()`. */
  readonly end: number
  readonly missed: () => void
}

/**
 * One for the process. The timer runs only while there are deadlines, and does not keep the process alive.
 *
 * Deadlines are kept in the slots of an array: a `Set` with frequent insertions and deletions is copied repeatedly, and
 * old copies hold their entries until the next full garbage collection.
 */
export function createDeadlines(): Deadlines {
  const slots: (PendingDeadline | null)[] = []
  const free: number[] = []
  let count = 0
  let timer: NodeJS.Timeout | null = null

  function check(): void {
    if (count === 0) {
      if (timer !== null) clearInterval(timer)
      timer = null
      return
    }
    const now = performance.now()
    for (const [slot, one] of slots.entries()) {
      if (one === null || one.end > now) continue
      remove(slot, one)
      one.missed()
    }
  }

  function remove(slot: number, one: PendingDeadline): void {
    // The slot may have been reused.
    if (slots[slot] !== one) return
    slots[slot] = null
    free.push(slot)
    count--
  }

  return {
    set(milliseconds, missed) {
      const one = { end: performance.now() + milliseconds, missed }
      const slot = free.pop() ?? slots.length
      slots[slot] = one
      count++
      timer ??= setInterval(check, CHECK_INTERVAL).unref()
      return { met: () => remove(slot, one) }
    },
  }
}
