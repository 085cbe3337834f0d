/** Long work that may be paused: whoever asks for it decides when it goes on, and whether. */

/** Work that can be left off wherever it yields. */
export type Steps<Result> = Generator<undefined, Result, undefined>

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
