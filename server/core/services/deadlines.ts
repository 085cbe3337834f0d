/**
 * Calls back when something takes too long. One timer checks all deadlines, because a timer for each costs as much as a
 * short query.
 */

interface Deadline {
  /** Cancels the deadline. */
  cancel(): void
}

interface Deadlines {
  /**
   * Calls `onMissed` once, at most `CHECK_INTERVAL` milliseconds late, unless the deadline is canceled before.
   * @param milliseconds from now
   */
  set(milliseconds: number, onMissed: () => void): Deadline
}

/** Milliseconds between two checks. */
const CHECK_INTERVAL = 25

/** A class, so that all deadlines share one hidden class. */
class PendingDeadline implements Deadline {
  /** A value of `performance.now()`. */
  readonly end: number
  readonly onMissed: () => void
  readonly slot: number
  readonly #remove: (deadline: PendingDeadline) => void

  constructor(end: number, onMissed: () => void, slot: number, remove: (deadline: PendingDeadline) => void) {
    this.end = end
    this.onMissed = onMissed
    this.slot = slot
    this.#remove = remove
  }

  cancel(): void {
    this.#remove(this)
  }
}

/**
 * The deadlines of the process. The timer runs only while there are deadlines, and does not keep the process alive.
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
    for (const deadline of slots) {
      if (deadline === null || deadline.end > now) continue
      remove(deadline)
      deadline.onMissed()
    }
  }

  function remove(deadline: PendingDeadline): void {
    const { slot } = deadline
    // The slot may have been reused.
    if (slots[slot] !== deadline) return
    slots[slot] = null
    free.push(slot)
    count--
  }

  return {
    set(milliseconds, onMissed) {
      const slot = free.pop() ?? slots.length
      const deadline = new PendingDeadline(performance.now() + milliseconds, onMissed, slot, remove)
      slots[slot] = deadline
      count++
      timer ??= setInterval(check, CHECK_INTERVAL).unref()
      return deadline
    },
  }
}
