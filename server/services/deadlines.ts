/** Ends what takes too long. One timer looks after all that is under way: a timer for each costs as much as a short query. */

export interface Deadline {
  /** It is done in time. */
  met(): void
}

export interface Deadlines {
  /** Calls `missed` once, up to `EVERY` late, unless the deadline is met before. @param milliseconds from now */
  set(milliseconds: number, missed: () => void): Deadline
}

/** Milliseconds between two looks. */
const EVERY = 25

interface PendingDeadline {
  /** `performance.now()` at the end. */
  readonly end: number
  readonly missed: () => void
}

/**
 * One for the process. The timer runs only while there is something to look after, and keeps no process alive.
 *
 * The open ones stand in the slots of a list: a `Set` into which and out of which something goes all the time is copied again
 * and again, and what the old copies hold outlives its request until the next full garbage collection.
 */
export function createDeadlines(): Deadlines {
  const slots: (PendingDeadline | null)[] = []
  const free: number[] = []
  let count = 0
  let timer: NodeJS.Timeout | null = null

  function look(): void {
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
    // Its slot may be another's by now.
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
      timer ??= setInterval(look, EVERY).unref()
      return { met: () => remove(slot, one) }
    },
  }
}
