/** What the templates of a site say by their names alone, before any of them is checked. */
import type { Memo } from '../model/memo.ts'
import type { Site } from '../model/site.ts'
import { type Steps, withEach } from '../model/steps.ts'
import { isBlock } from '../model/unit.ts'
import { type AnyPartial, anyPartial } from './infer/any-partial.ts'
import { calledByName, callsAbsentModule, staticallyIncluded } from './infer/call-names.ts'
import type { CallGraph } from './infer/call-graph.ts'
import { namesAtIncludes, namesForForms } from './infer/misspelt-locals.ts'
import type { Piece } from './piece.ts'
import type { OldNames } from './rules/facts.ts'
import { oldNames } from './rules/old-names.ts'

export interface SiteNames {
  /** By file; a block of `background` by its own key, too. */
  readonly byFile: ReadonlyMap<string, readonly Piece[]>
  readonly oldNamesOf: (piece: Piece) => OldNames
  readonly calledByName: ReadonlySet<string>
  /** Files that some include names; null where one can name any. */
  readonly included: ReadonlySet<string> | null
  readonly lacksModule: boolean
  readonly anyPartial: AnyPartial | null
  /** All names that some template reads. */
  readonly read: ReadonlySet<string>
  /** All names that some template sets, where the data of the host is all that there is besides. */
  readonly set: ReadonlySet<string>
  /** All names that some template sets or passes. */
  readonly given: ReadonlySet<string>
  readonly forForms: ReadonlySet<string>
  /** Names that some call of a file passes, and those that includes share with it. */
  readonly atCalls: (file: string) => readonly string[]
}

export function* siteNames(
  site: Site,
  pieces: readonly Piece[],
  { passedNames }: Pick<CallGraph, 'passedNames'>,
  memo: Memo,
): Steps<SiteNames> {
  const lacksModule = callsAbsentModule(site, pieces)
  yield
  const byFile = piecesByFile(pieces)
  yield
  const oldNamesOf = oldNames(site, pieces)
  yield
  const called = calledByName(site, pieces)
  yield
  const included = staticallyIncluded(site, pieces)
  yield
  const some = yield* anyPartial(site, pieces, lacksModule, memo)
  const read = new Set<string>()
  yield* withEach(pieces, ({ bound }) => {
    for (const name of bound.reads.keys()) read.add(name)
  })
  const given = yield* namesGivenIn(pieces)
  const atIncludes = namesAtIncludes(site, pieces)
  yield
  return {
    ...{ byFile, oldNamesOf, calledByName: called, included, lacksModule },
    anyPartial: some,
    read,
    set: site.globalsAreAll ? namesSetIn(pieces) : new Set(),
    given,
    forForms: namesForForms(pieces),
    atCalls: (file) => [...(passedNames.get(file) ?? []), ...(atIncludes.get(file) ?? [])],
  }
}

/** What templates give to others: what they set, which an include shares, and what they pass. */
function* namesGivenIn(pieces: readonly Piece[]): Steps<ReadonlySet<string>> {
  const given = new Set<string>()
  yield* withEach(pieces, ({ bound, template }) => {
    for (const name of [...bound.writes.keys(), ...bound.counters, ...(template.passed ?? [])]) given.add(name)
    for (const { passed, hidden } of bound.calls) for (const name of [...passed, ...hidden]) given.add(name)
  })
  return given
}

function namesSetIn(pieces: readonly Piece[]): ReadonlySet<string> {
  return new Set(
    pieces.flatMap(({ bound }) => [
      ...bound.writes.keys(),
      ...bound.counters,
      ...bound.calls.flatMap(({ hidden }) => [...hidden]),
    ]),
  )
}

export function piecesByFile(pieces: readonly Piece[]): ReadonlyMap<string, readonly Piece[]> {
  const byFile = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const { path } = piece.unit.file
    byFile.set(path, [...(byFile.get(path) ?? []), piece])
    // A block of `background` is called by its own key.
    if (isBlock(piece.inner)) byFile.set(piece.key, [piece])
  }
  return byFile
}
