/** Long work that may be paused: whoever asks for it decides when it goes on, and whether. */

/** Work that can be left off wherever it yields. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Items of a long list that are done in one go. */
const IN_A_ROW = 200

/** All that these give, one after the other: each in one go, or in steps of its own. */
export function* inTurn<Item>(
  parts: readonly (() => readonly Item[] | Steps<readonly Item[]>)[],
): Steps<readonly Item[]> {
  const found: (readonly Item[])[] = []
  for (const part of parts) {
    const given = part()
    found.push('next' in given ? yield* given : given)
    yield
  }
  return found.flat()
}

/** Does it with each of them, a part of the list at a time. What is added to a set or a map meanwhile is done as well. */
export function* withEach<Item>(items: Iterable<Item>, act: (item: Item) => void): Steps<void> {
  let done = 0
  for (const item of items) {
    act(item)
    if (++done % IN_A_ROW === 0) yield
  }
}

/** Does all of it now. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
