/** What the templates of a site say by their names alone, before any of them is checked. */
import { attached } from '../../core/model/attached.ts'
import type { Table } from '../../core/model/layered.ts'
import { type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import type { Steps } from '../../core/model/steps.ts'
import { type WordCounts, wordCounter } from '../../core/model/word-counter.ts'
import { isBlock } from '../../core/model/unit.ts'
import { type AnyPartial, anyPartial } from './infer/any-partial.ts'
import { calledByName, callsAbsentModule, staticallyIncluded } from './infer/call-names.ts'
import type { CallGraph } from './infer/call-graph.ts'
import { namesAtIncludes, namesForForm } from './infer/misspelt-locals.ts'
import type { Piece } from './piece.ts'
import type { OldNames } from './rules/facts.ts'
import { oldNames } from './rules/old-names.ts'

export interface SiteNames {
  /** By file; a block of `background` by its own key, too. */
  readonly byFile: Table<string, readonly Piece[]>
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
  /** Names that are given to forms by those that show them. */
  readonly forForms: ReadonlySet<string>
  /** Names that some call of a file passes, and those that includes share with it. */
  readonly atCalls: (file: string) => readonly string[]
  readonly graph: CallGraph
  /** Names that includes share, by the files that these name. */
  readonly atIncludes: ReadonlyMap<string, ReadonlySet<string>>
}

export function* siteNames(site: Site, pieces: readonly Piece[], graph: CallGraph, memo: Memo): Steps<SiteNames> {
  const byFile = piecesByFile(pieces)
  yield
  // What is kept with a site is of all of its templates, and these may be some of them.
  const frame = memo === NO_MEMO ? {} : site.frame
  const kept = memo === NO_MEMO ? undefined : known.get(graph)
  const inCalls = kept?.frame === frame ? kept.names : yield* namesInCalls(site, pieces, byFile)
  if (memo !== NO_MEMO) known.set(graph, { frame, names: inCalls })
  const some = yield* anyPartial(site, pieces, inCalls.lacksModule, memo)
  const read = wordsOf(namesRead(frame, pieces))
  yield
  const given = wordsOf(namesGiven(frame, pieces))
  yield
  const atIncludes = namesAtIncludes(site, pieces)
  yield
  const forForms = wordsOf(namesForForms(frame, pieces))
  return {
    ...inCalls,
    byFile,
    anyPartial: some,
    read,
    set: site.globalsAreAll ? namesSetIn(pieces) : new Set(),
    given,
    forForms,
    atCalls: (file) => [...(graph.passedNames.get(file) ?? []), ...(atIncludes.get(file) ?? [])],
    graph,
    atIncludes,
  }
}

/** What calls say by themselves: the same for as long as no template calls anything else. */
type NamesInCalls = Pick<SiteNames, 'oldNamesOf' | 'calledByName' | 'included' | 'lacksModule'>

const known = attached<CallGraph, { readonly frame: Site['frame']; readonly names: NamesInCalls }>()

function* namesInCalls(site: Site, pieces: readonly Piece[], byFile: SiteNames['byFile']): Steps<NamesInCalls> {
  const lacksModule = callsAbsentModule(site, pieces)
  yield
  const oldNamesOf = oldNames(site, pieces, byFile)
  yield
  const called = calledByName(site, pieces)
  yield
  return { lacksModule, oldNamesOf, calledByName: called, included: staticallyIncluded(site, pieces) }
}

const words = attached<WordCounts['version'], ReadonlySet<string>>()

/** The words that are counted, which no later count changes. */
function wordsOf({ version, counts }: WordCounts): ReadonlySet<string> {
  let set = words.get(version)
  if (set === undefined) words.set(version, (set = new Set(counts.keys())))
  return set
}

const namesRead = wordCounter(({ bound }: Piece) => bound.reads.keys())

/** What templates give to others: what they set, which an include shares, and what they pass. */
const namesGiven = wordCounter(function* ({ bound, template }: Piece) {
  yield* bound.writes.keys()
  yield* bound.counters
  yield* template.passed ?? []
  for (const { passed, hidden } of bound.calls) {
    yield* passed
    yield* hidden
  }
})

/** What forms are given by those that show them. */
const namesForForms = wordCounter(({ unit }: Piece) => namesForForm(unit.file.text))

function namesSetIn(pieces: readonly Piece[]): ReadonlySet<string> {
  return new Set(
    pieces.flatMap(({ bound }) => [
      ...bound.writes.keys(),
      ...bound.counters,
      ...bound.calls.flatMap(({ hidden }) => [...hidden]),
    ]),
  )
}

function piecesByFile(pieces: readonly Piece[]): SiteNames['byFile'] {
  const byFile = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const { path } = piece.unit.file
    const known = byFile.get(path)
    if (known === undefined) byFile.set(path, [piece])
    else known.push(piece)
    // A block of `background` is called by its own key.
    if (isBlock(piece.inner)) byFile.set(piece.key, [piece])
  }
  return byFile
}
