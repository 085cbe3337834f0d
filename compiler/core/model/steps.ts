/** Long work as a generator, so that the caller can pause or abort it. */

/** The progress of one part of some work. */
export interface Milestone {
  /** The activity for display: 'Reading'. */
  readonly doing: string
  /** The completed share of the work; absent if the total is unknown. */
  readonly share?: Share
}

/** The progress of an activity. It never decreases while the activity is the same. @internal Exported for tests. */
export interface Share {
  readonly doneCount: number
  readonly total: number
  readonly things: 'file' | 'template'
}

/** Work that can be aborted wherever it yields. It can yield its progress. */
export type Steps<Result> = Generator<Milestone | undefined, Result, undefined>

/** How steps are run: all at once, or with a display of the progress. */
export type RunSteps = <Result>(steps: Steps<Result>) => Result

/** The number of items of a long list to process before yielding. */
const ITEMS_PER_STEP = 200

/** Returns all items of several parts. Each part is computed at once or in steps. */
export function* concatSteps<Item>(
  parts: readonly (() => readonly Item[] | Steps<readonly Item[]>)[],
): Steps<readonly Item[]> {
  const results: (readonly Item[])[] = []
  for (const part of parts) {
    const result = part()
    results.push('next' in result ? yield* result : result)
    yield
  }
  return results.flat()
}

/** Calls `act` for each item, and yields from time to time. Items that are added to a set or map meanwhile are processed too. */
export function* forEachInSteps<Item>(items: Iterable<Item>, act: (item: Item) => void): Steps<void> {
  let processed = 0
  for (const item of items) {
    act(item)
    if (++processed % ITEMS_PER_STEP === 0) yield
  }
}

/** Runs all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
