/** Collects the names in the templates of a site, before any template is checked. */
import { groupBy } from '../../core/source/groups.ts'
import type { Memo } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import type { Steps } from '../../core/model/steps.ts'
import { wordCounter } from '../../core/model/word-counter.ts'
import { isBlock } from '../../core/model/unit.ts'
import { type AnyPartial, anyPartial } from '../analyze/any-partial.ts'
import { calledByName, callsAbsentModule, staticallyIncluded } from '../analyze/call-names.ts'
import type { CallGraph } from '../analyze/call-graph.ts'
import { namesAtIncludes, namesForForm } from '../analyze/misspelt-locals.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import type { OldNames } from './walk/facts.ts'
import { cacheByVersion } from './site/written-texts.ts'
import { oldNames } from './walk/old-names.ts'

export interface SiteNames {
  /** The templates by file. A block of `background` is also listed under its own key. */
  readonly byFile: ReadonlyMap<string, readonly SiteTemplate[]>
  readonly oldNamesOf: (siteTemplate: SiteTemplate) => OldNames
  readonly filesCalledByName: ReadonlySet<string>
  /** Files that an include names; null if an include can name any file. */
  readonly includedFiles: ReadonlySet<string> | null
  /** Whether templates call a module that the site does not have. */
  readonly lacksModule: boolean
  readonly anyPartial: AnyPartial | null
  /** All names that a template reads. */
  readonly namesRead: ReadonlySet<string>
  /** All names that a template sets, for sites whose host declares all of its data; empty for other sites. */
  readonly namesSet: ReadonlySet<string>
  /** All names that a template sets or passes. */
  readonly namesGiven: ReadonlySet<string>
  /** Names that are passed to forms where they are included. */
  readonly namesForForms: ReadonlySet<string>
  /** Returns the names that calls pass to a file or that includes share with it. */
  readonly namesAtCalls: (file: string) => readonly string[]
}

export function* siteNames(
  site: Site,
  siteTemplates: readonly SiteTemplate[],
  graph: CallGraph,
  memo: Memo,
): Steps<SiteNames> {
  const byFile = templatesByFile(siteTemplates)
  yield
  const { structureVersion } = site
  const cached = memo.once('names in calls', '', [graph, structureVersion], (): { names: NamesInCalls | null } => ({
    names: null,
  }))
  cached.names ??= yield* namesInCalls(site, siteTemplates, byFile)
  const partialEffects = anyPartial(site, siteTemplates, cached.names.lacksModule, memo)
  const read = wordsOf(namesRead(structureVersion, siteTemplates))
  yield
  const givenNames = wordsOf(namesGiven(structureVersion, siteTemplates))
  yield
  const atIncludes = namesAtIncludes(site, siteTemplates)
  yield
  const forForms = wordsOf(namesForForms(structureVersion, siteTemplates))
  return {
    ...cached.names,
    byFile,
    anyPartial: partialEffects,
    namesRead: read,
    namesSet: site.globalsAreAll ? namesSetIn(siteTemplates) : new Set(),
    namesGiven: givenNames,
    namesForForms: forForms,
    namesAtCalls: (file) => [...(graph.passedNames.get(file) ?? []), ...(atIncludes.get(file) ?? [])],
  }
}

/** The names in calls, cached until a template changes its calls. */
type NamesInCalls = Pick<SiteNames, 'oldNamesOf' | 'filesCalledByName' | 'includedFiles' | 'lacksModule'>

function* namesInCalls(
  site: Site,
  siteTemplates: readonly SiteTemplate[],
  byFile: SiteNames['byFile'],
): Steps<NamesInCalls> {
  const lacksModule = callsAbsentModule(site, siteTemplates)
  yield
  const oldNamesOf = oldNames(site, siteTemplates, byFile)
  yield
  const called = calledByName(site, siteTemplates)
  yield
  return { lacksModule, oldNamesOf, filesCalledByName: called, includedFiles: staticallyIncluded(site, siteTemplates) }
}

/** Returns the counted words as a set. */
const wordsOf = cacheByVersion((counts): ReadonlySet<string> => new Set(counts.keys()))

const namesRead = wordCounter(({ outline }: SiteTemplate) => outline.reads.keys())

/** Counts the names that templates offer to others: the ones that they set, which an include shares, and the ones that they pass. */
const namesGiven = wordCounter(function* ({ outline, template }: SiteTemplate) {
  yield* outline.writes.keys()
  yield* outline.counters
  yield* template.block?.passed ?? []
  for (const { passedNames, hidden } of outline.calls) {
    yield* passedNames
    yield* hidden
  }
})

/** Counts the names that are passed to forms. */
const namesForForms = wordCounter(({ unit }: SiteTemplate) => namesForForm(unit.file.text))

function namesSetIn(siteTemplates: readonly SiteTemplate[]): ReadonlySet<string> {
  return new Set(
    siteTemplates.flatMap(({ outline }) => [
      ...outline.writes.keys(),
      ...outline.counters,
      ...outline.calls.flatMap(({ hidden }) => [...hidden]),
    ]),
  )
}

function templatesByFile(siteTemplates: readonly SiteTemplate[]): SiteNames['byFile'] {
  const byFile = groupBy(siteTemplates, ({ unit }) => unit.file.path)
  // A block of `background` is called under its own key.
  for (const each of siteTemplates) if (isBlock(each.inner)) byFile.set(each.key, [each])
  return byFile
}
