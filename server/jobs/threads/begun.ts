/**
 * Records when threads started their calls, in shared memory: a thread that hangs cannot answer, and a new one has to
 * load the site first.
 */
import type { OwnThread } from './denied.ts'

/** Shared memory with `FIELDS` numbers for each slot: the number of the call, then the fields of `CallStart`. */
export type SharedCallSlots = Float64Array

const FIELDS = 4

/** Where the start of a call is recorded. */
export interface CallSlot {
  readonly place: number
  /** Number of the call, so that a late write of an earlier call is ignored. */
  readonly call: number
}

export interface CallStart {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Id of the thread. */
  readonly thread: number
  /** Milliseconds for which the thread had waited for a processor by then. */
  readonly denied: number
}

/** Records that a call has started. */
export function markBegun(marks: SharedCallSlots, { place, call }: CallSlot, thread: OwnThread): void {
  const first = FIELDS * place
  // The call's number is written last: whoever reads it finds the other fields complete.
  marks[first + 1] = Date.now()
  marks[first + 2] = thread.id
  marks[first + 3] = thread.denied()
  marks[first] = call
}

export interface CallStarts {
  readonly marks: SharedCallSlots
  /** Reserves a slot for a call, in the order of asking. */
  take(): Promise<CallSlot> | CallSlot
  /** Null before the call has started. */
  of(mark: CallSlot): CallStart | null
  give(mark: CallSlot): void
}

/** @param places calls that may run at once */
export function createBegun(places: number): CallStarts {
  const marks = new Float64Array(new SharedArrayBuffer(FIELDS * places * Float64Array.BYTES_PER_ELEMENT))
  const free = Array.from({ length: places }, (_, place) => place)
  const waiting: ((place: number) => void)[] = []
  let calls = 0
  return {
    marks,
    take() {
      const place = free.pop()
      if (place !== undefined) return { place, call: ++calls }
      return new Promise((done) => waiting.push((given) => done({ place: given, call: ++calls })))
    },
    of({ place, call }) {
      const [written, at = 0, thread = 0, denied = 0] = marks.subarray(FIELDS * place, FIELDS * (place + 1))
      return written === call ? { at, thread, denied } : null
    },
    give({ place }) {
      const next = waiting.shift()
      if (next === undefined) free.push(place)
      else next(place)
    },
  }
}
