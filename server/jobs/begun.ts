/**
 * When threads have begun with their calls, in memory that they share with who asks: a thread that hangs answers nothing, and one that
 * is new has to load the site first.
 */

/** What a thread writes into: the number of the call and milliseconds since 1970, for each place. */
export type Marks = Float64Array

/** Where the beginning of a call is written. */
export interface Mark {
  readonly place: number
  /** Numbers a call, so that what an ended one still writes counts for nobody else. */
  readonly call: number
}

/** Writes that a call has begun. */
export function markBegun(marks: Marks, { place, call }: Mark): void {
  // The time first: whoever finds the number finds the time.
  marks[2 * place + 1] = Date.now()
  marks[2 * place] = call
}

export interface Begun {
  readonly marks: Marks
  /** A mark of its own for a call, when there is one; in the order of asking. */
  take(): Promise<Mark> | Mark
  /** Milliseconds since 1970; null before. */
  at(mark: Mark): number | null
  give(mark: Mark): void
}

/** @param places calls that may be under way at once */
export function createBegun(places: number): Begun {
  const marks = new Float64Array(new SharedArrayBuffer(2 * places * Float64Array.BYTES_PER_ELEMENT))
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
    at: ({ place, call }) => (marks[2 * place] === call ? (marks[2 * place + 1] ?? null) : null),
    give({ place }) {
      const next = waiting.shift()
      if (next === undefined) free.push(place)
      else next(place)
    },
  }
}
