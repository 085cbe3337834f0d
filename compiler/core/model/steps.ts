/** Long work that may be paused: whoever asks for it decides when it goes on, and whether. */

/** How far one part of some work is. */
export interface Milestone {
  /** As it is said: 'Reading'. */
  readonly doing: string
  /** Left out where nobody knows how much there is to do. */
  readonly share?: Share
}

/** How much of something is done; it only grows while the same is said of it. */
export interface Share {
  readonly done: number
  readonly of: number
  readonly things: 'file' | 'template'
}

/** Work that can be left off wherever it yields, where it may say how far it is. */
export type Steps<Result> = Generator<Milestone | undefined, Result, undefined>

/** How the steps of some work are done: at once, or so that somebody sees how far it is. */
export type Walk = <Result>(steps: Steps<Result>) => Result

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
