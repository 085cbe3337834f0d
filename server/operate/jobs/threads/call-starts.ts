/**
 * Records in shared memory when threads started their calls. A thread that hangs cannot report it, and a new thread has to load the site
 * first.
 */
import type { OwnThread } from './cpu-wait.ts'

/** Shared memory with `FIELDS` numbers for each slot: the number of the call, then the fields of `CallStart`. */
export type SharedCallSlots = Float64Array

const FIELD_COUNT = 4

/** The place where the start of a call is recorded. */
export interface CallSlot {
  readonly index: number
  /** Number of the call, so that a late write of an earlier call is ignored. */
  readonly call: number
}

export interface CallStart {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Id of the thread. */
  readonly thread: number
  /** Milliseconds that the thread had waited for a processor before the call. */
  readonly cpuWait: number
}

/**
 * Records that a call has started.
 * @returns its `CallStart.cpuWait`, because asking the system again would take a twentieth of the time of an empty job
 */
export function recordStart(slots: SharedCallSlots, { index, call }: CallSlot, thread: OwnThread): number {
  const first = FIELD_COUNT * index
  const cpuWait = thread.cpuWait()
  // The call's number is written last, so that a reader finds the other fields complete.
  slots[first + 1] = Date.now()
  slots[first + 2] = thread.id
  slots[first + 3] = cpuWait
  slots[first] = call
  return cpuWait
}

export interface CallStarts {
  readonly slots: SharedCallSlots
  /** Reserves a slot for a call, in the order of the requests. */
  reserve(): Promise<CallSlot> | CallSlot
  /** Returns the start of a call; null before it has started. */
  startOf(slot: CallSlot): CallStart | null
  release(slot: CallSlot): void
}

/** Creates the slots. @param count number of calls that may run at once */
export function createCallStarts(count: number): CallStarts {
  const slots = new Float64Array(new SharedArrayBuffer(FIELD_COUNT * count * Float64Array.BYTES_PER_ELEMENT))
  const free = Array.from({ length: count }, (_, index) => index)
  const waiting: ((index: number) => void)[] = []
  let calls = 0
  return {
    slots,
    reserve() {
      const index = free.pop()
      if (index !== undefined) return { index, call: ++calls }
      return new Promise((resolve) => waiting.push((freed) => resolve({ index: freed, call: ++calls })))
    },
    startOf({ index, call }) {
      const [written, at = 0, thread = 0, cpuWait = 0] = slots.subarray(FIELD_COUNT * index, FIELD_COUNT * (index + 1))
      return written === call ? { at, thread, cpuWait } : null
    },
    release({ index }) {
      const next = waiting.shift()
      if (next === undefined) free.push(index)
      else next(index)
    },
  }
}
