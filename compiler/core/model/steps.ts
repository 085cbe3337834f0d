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

/**
 * Work that can be aborted wherever it yields. It can yield its progress. Only the drivers of the phases yield, between two templates or two
 * rules: what they call computes its result at once.
 */
export type Steps<Result> = Generator<Milestone | undefined, Result, undefined>

/** How steps are run: all at once, or with a display of the progress. */
export type RunSteps = <Result>(steps: Steps<Result>) => Result

/** Runs all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
