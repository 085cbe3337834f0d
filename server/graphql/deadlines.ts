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

interface Open {
  /** `performance.now()` at the end. */
  readonly end: number
  readonly missed: () => void
}

/** One for the process. The timer runs only while there is something to look after, and keeps no process alive. */
export function createDeadlines(): Deadlines {
  const open = new Set<Open>()
  let timer: NodeJS.Timeout | null = null

  function look(): void {
    if (open.size === 0) {
      if (timer !== null) clearInterval(timer)
      timer = null
      return
    }
    const now = performance.now()
    for (const one of [...open]) {
      if (one.end > now) continue
      open.delete(one)
      one.missed()
    }
  }

  return {
    set(milliseconds, missed) {
      const one = { end: performance.now() + milliseconds, missed }
      open.add(one)
      timer ??= setInterval(look, EVERY).unref()
      return { met: () => void open.delete(one) }
    },
  }
}
