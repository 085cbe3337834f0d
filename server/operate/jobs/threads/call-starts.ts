/**
 * Records when threads started their calls, in shared memory: a thread that hangs cannot answer, and a new one has to
 * load the site first.
 */
import type { OwnThread } from './cpu-wait.ts'

/** Shared memory with `FIELDS` numbers for each slot: the number of the call, then the fields of `CallStart`. */
export type SharedCallSlots = Float64Array

const FIELDS = 4

/** Where the start of a call is recorded. */
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
  /** Milliseconds for which the thread had waited for a processor by then. */
  readonly cpuWait: number
}

/**
 * Records that a call has started.
 * @returns its `CallStart.cpuWait`: to ask the system for it once more is a twentieth of what a thread does for an empty job
 */
export function recordStart(slots: SharedCallSlots, { index, call }: CallSlot, thread: OwnThread): number {
  const first = FIELDS * index
  const cpuWait = thread.cpuWait()
  // The call's number is written last: whoever reads it finds the other fields complete.
  slots[first + 1] = Date.now()
  slots[first + 2] = thread.id
  slots[first + 3] = cpuWait
  slots[first] = call
  return cpuWait
}

export interface CallStarts {
  readonly slots: SharedCallSlots
  /** Reserves a slot for a call, in the order of asking. */
  take(): Promise<CallSlot> | CallSlot
  /** Null before the call has started. */
  of(mark: CallSlot): CallStart | null
  give(mark: CallSlot): void
}

/** @param count calls that may run at once */
export function createCallStarts(count: number): CallStarts {
  const slots = new Float64Array(new SharedArrayBuffer(FIELDS * count * Float64Array.BYTES_PER_ELEMENT))
  const free = Array.from({ length: count }, (_, index) => index)
  const waiting: ((place: number) => void)[] = []
  let calls = 0
  return {
    slots,
    take() {
      const index = free.pop()
      if (index !== undefined) return { index, call: ++calls }
      return new Promise((done) => waiting.push((given) => done({ index: given, call: ++calls })))
    },
    of({ index, call }) {
      const [written, at = 0, thread = 0, cpuWait = 0] = slots.subarray(FIELDS * index, FIELDS * (index + 1))
      return written === call ? { at, thread, cpuWait } : null
    },
    give({ index }) {
      const next = waiting.shift()
      if (next === undefined) free.push(index)
      else next(index)
    },
  }
}
