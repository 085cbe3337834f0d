/** The graph of the calls with literal names between a site's templates. */
import type { Linked } from '../../../core/model/effects.ts'
import type { Memo } from '../../../core/model/memo.ts'
import type { Site } from '../../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import type { Piece } from '../piece.ts'

export interface CallGraph {
  /** Keys of the templates. Each comes after all templates that it calls; templates in a cycle are in any order. */
  readonly order: readonly string[]
  /** Index of each template in `order`. */
  readonly places: ReadonlyMap<string, number>
  /** The reverse of `order`: callers come before the templates that they call. */
  readonly callersFirst: readonly string[]
  /** Keys of the templates that call each file. */
  readonly callers: ReadonlyMap<string, readonly string[]>
  /** Names that some call passes, by the called file. */
  readonly passedNames: ReadonlyMap<string, ReadonlySet<string>>
  /** Files that run as jobs. Their arguments come from a queue. */
  readonly jobs: ReadonlySet<string>
}

/**
 * @param linked the effects of the templates. The object must stay the same until a template's calls change or a name refers to another
 * file
 */
export function* callGraph(site: Site, pieces: readonly Piece[], linked: Linked, memo: Memo): Steps<CallGraph> {
  // The cached value stays null if the computation was aborted.
  const cache = memo.once('call graph', '', [linked], (): { graph: CallGraph | null } => ({ graph: null }))
  cache.graph ??= yield* graphSteps(site, pieces)
  return cache.graph
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
