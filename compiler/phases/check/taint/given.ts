/**
 * What a template is given by name, and what it prints. Summaries are kept as long as the site is: what they hold on to is made here, outside of
 * the walk, so that it is not the walk.
 */
import { type Flow, joinTaints, NOTHING, partAt, substitutedTaints, type Taint } from './flow.ts'
import type { State } from './state.ts'
import type { SummaryFace } from './summary.ts'

/** What a template is given by a name. `seen`: the variables of a caller that shares them; null for one that does not. */
export function givenBy(
  passed: ReadonlyMap<string, Flow>,
  seen: ReadonlyMap<string, Flow> | null,
  state: State,
): (name: string) => Flow {
  return seen === null ? givenAlone(passed) : (name) => passed.get(name) ?? seen.get(name) ?? state.givenAs(name)
}

export function givenAlone(passed: ReadonlyMap<string, Flow>): (name: string) => Flow {
  return (name) => passed.get(name) ?? NOTHING
}

export function printedBy(
  { printed }: SummaryFace,
  passed: ReadonlyMap<string, Flow>,
  seen: ReadonlyMap<string, Flow> | null,
  state: State,
): () => readonly Taint[] {
  const givenAs = givenBy(passed, seen, state)
  return () =>
    substitutedTaints(printed(), (origin) =>
      origin.kind === 'store' ? null : partAt(givenAs(origin.name), origin.path),
    )
}

/** What a template prints by itself, and what those print that it calls: found out when it is asked for first. */
export function printedWith(own: readonly Taint[], there: readonly (() => readonly Taint[])[]): () => readonly Taint[] {
  let all: readonly Taint[] | null = null
  return () => (all ??= there.reduce((taints, printed) => joinTaints(taints, printed()), own))
}
