/**
 * When threads have begun with their calls, in memory that they share with who asks: a thread that hangs answers nothing, and one that
 * is new has to load the site first.
 */
import type { OwnThread } from './denied.ts'

/** What a thread writes into, `FIELDS` numbers for each place: the number of the call, then what `CallStart` holds. */
export type SharedCallSlots = Float64Array

const FIELDS = 4

/** Where the beginning of a call is written. */
export interface CallSlot {
  readonly place: number
  /** Numbers a call, so that what an ended one still writes counts for nobody else. */
  readonly call: number
}

export interface CallStart {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Number of the thread. */
  readonly thread: number
  /** Milliseconds for which that thread had waited for a processor until then. */
  readonly denied: number
}

/** Writes that a call has begun. */
export function markBegun(marks: SharedCallSlots, { place, call }: CallSlot, thread: OwnThread): void {
  const first = FIELDS * place
  // The call last: whoever finds its number finds the rest.
  marks[first + 1] = Date.now()
  marks[first + 2] = thread.id
  marks[first + 3] = thread.denied()
  marks[first] = call
}

export interface CallStarts {
  readonly marks: SharedCallSlots
  /** A mark of its own for a call, when there is one; in the order of asking. */
  take(): Promise<CallSlot> | CallSlot
  /** Null before. */
  of(mark: CallSlot): CallStart | null
  give(mark: CallSlot): void
}

/** @param places calls that may be under way at once */
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
