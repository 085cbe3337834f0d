/** Which templates of a site call which others by literal names. */
import type { Linked } from '../../../core/model/effects.ts'
import type { Memo } from '../../../core/model/memo.ts'
import type { Site } from '../../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import type { Piece } from '../piece.ts'

export interface CallGraph {
  /** Keys of the templates, each behind all that it calls; those of a cycle in any order. */
  readonly order: readonly string[]
  /** Where each of them stands in it. */
  readonly places: ReadonlyMap<string, number>
  /** The same, each before all that it calls. */
  readonly callersFirst: readonly string[]
  /** Keys of the templates that call each file. */
  readonly callers: ReadonlyMap<string, readonly string[]>
  /** Names that some call passes, by the files that are called. */
  readonly passedNames: ReadonlyMap<string, ReadonlySet<string>>
  /** Files that some job runs, whose arguments are what a queue has kept. */
  readonly jobs: ReadonlySet<string>
}

/** @param linked what the templates do: the same value for as long as none of them calls anything else, nor a name means another file */
export function* callGraph(site: Site, pieces: readonly Piece[], linked: Linked, memo: Memo): Steps<CallGraph> {
  // Who leaves off in between has found nothing.
  const found = memo.once('call graph', '', [linked], (): { graph: CallGraph | null } => ({ graph: null }))
  found.graph ??= yield* graphSteps(site, pieces)
  return found.graph
}

function* graphSteps(site: Site, pieces: readonly Piece[]): Steps<CallGraph> {
  const fileOf = (literal: string | null) => (literal === null ? undefined : site.partials.get(literal)?.file.path)
  const callers = new Map<string, string[]>()
  const passedNames = new Map<string, Set<string>>()
  const jobs = new Set<string>()
  yield* forEachInSteps(pieces, ({ key, bound }) => {
    for (const { kind, literal, passed } of bound.calls) {
      const file = fileOf(literal)
      if (file === undefined) continue
      if (kind === 'background') jobs.add(file)
      const known = callers.get(file)
      if (known === undefined) callers.set(file, [key])
      else if (known.at(-1) !== key) known.push(key)
      let names = passedNames.get(file)
      if (names === undefined) passedNames.set(file, (names = new Set()))
      for (const name of passed) names.add(name)
    }
  })
  const order = yield* calleesFirst(pieces, fileOf)
  const places = new Map(order.map((key, at) => [key, at]))
  return { order, places, callersFirst: order.toReversed(), callers, passedNames, jobs }
}

function* calleesFirst(
  pieces: readonly Piece[],
  fileOf: (literal: string | null) => string | undefined,
): Steps<readonly string[]> {
  const order: string[] = []
  const byKey = new Map(pieces.map((piece) => [piece.key, piece]))
  const seen = new Set<Piece>()
  yield* forEachInSteps(pieces, (root) => {
    if (seen.has(root)) return
    seen.add(root)
    const path: { readonly piece: Piece; at: number }[] = [{ piece: root, at: 0 }]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const call = top.piece.bound.calls[top.at++]
      if (call === undefined) {
        order.push(top.piece.key)
        path.pop()
        continue
      }
      const next = byKey.get(fileOf(call.literal) ?? '')
      if (next === undefined || seen.has(next)) continue
      seen.add(next)
      path.push({ piece: next, at: 0 })
    }
  })
  return order
}
