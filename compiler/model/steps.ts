/** Long work that may be paused: whoever asks for it decides when it goes on, and whether. */

/** How far one part of some work is. */
export interface Milestone {
  /** As it is said: 'Reading'. */
  readonly doing: string
  readonly done: number
  readonly of: number
}

/** Work that can be left off wherever it yields, where it may say how far it is. */
export type Steps<Result> = Generator<Milestone | undefined, Result, undefined>

/** How the steps of some work are done: at once, or so that somebody sees how far it is. */
export type Walk = <Result>(steps: Steps<Result>) => Result

/** All that these give, one after the other. */
export function* inTurn<Item>(parts: readonly (() => readonly Item[])[]): Steps<readonly Item[]> {
  const found: (readonly Item[])[] = []
  for (const part of parts) {
    found.push(part())
    yield
  }
  return found.flat()
}

/** Does all of it now. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
