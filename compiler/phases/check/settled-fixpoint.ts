/**
 * Runs rounds over a site until a round finds nothing new. Earlier rounds are continued after an edit that changes nothing for other
 * templates.
 */
import { layered } from '../../core/model/layered.ts'
import { NO_MEMO } from '../../core/model/memo.ts'
import type { Steps } from '../../core/model/steps.ts'
import { type Edit, editsBetween, sharedFactsOf } from './edits.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import { type CheckInput, Fixpoint, startFixpoint } from './fixpoint.ts'
import type { FixpointState } from './fixpoint-state.ts'
import { siteInputs } from './rules/dependencies.ts'
import type { Reach } from './rules/reach.ts'
import type { SiteNames } from './site-names.ts'

export interface SettledFixpoint {
  readonly input: CheckInput
  readonly rounds: Fixpoint
  readonly siteKey: unknown
  /** What is reachable through the calls that were found. */
  readonly reach: Reach
}

/** Identifies everything in the site that all checks depend on. */
interface SiteKey {
  /** The last rounds over the site with this key. */
  settled: SettledFixpoint | null
}

export function* settledFixpoint(input: CheckInput): Steps<SettledFixpoint> {
  const { site, memo } = input
  if (memo === NO_MEMO) return yield* runRounds(input, {})
  const key = memo.once('check site', '', siteInputs(site), (): SiteKey => ({ settled: null }))
  yield
  const settled = continueRounds(key, input) ?? (yield* runRounds(input, key))
  key.settled = settled
  return settled
}

function* runRounds(input: CheckInput, siteKey: unknown): Steps<SettledFixpoint> {
  const rounds = yield* startFixpoint(input, siteKey)
  yield
  return { input, rounds, siteKey, reach: yield* rounds.steps() }
}

/**
 * Returns the earlier rounds, continued over a site in which only some templates have other texts. Returns null if the new findings in one
 * of them affect other templates.
 */
function continueRounds({ settled }: SiteKey, input: CheckInput): SettledFixpoint | null {
  const edits = settled === null ? null : editsBetween(settled.input, input, input.memo)
  if (settled === null || edits === null) return null
  const { names, knowledge } = settled.rounds
  const byFile = byFileAfter(names.byFile, edits)
  const rounds = new Fixpoint(input, { ...names, byFile }, settled.siteKey, copyKnowledge(knowledge))
  const isSettled =
    edits.every(({ newTemplate }) => isSeenAsBefore(rounds, newTemplate)) && isCountedAsBefore(rounds, input)
  return isSettled ? { ...settled, input, rounds } : null
}

function copyKnowledge(knowledge: FixpointState): FixpointState {
  return {
    checkedUnits: layered(knowledge.checkedUnits),
    callLists: layered(knowledge.callLists),
    passedTypes: layered(knowledge.passedTypes),
    likelyTypes: layered(knowledge.likelyTypes),
    factsForCallers: layered(knowledge.factsForCallers),
    lastChecks: layered(knowledge.lastChecks),
    countDependent: new Set(knowledge.countDependent),
    requests: knowledge.requests,
    reach: knowledge.reach,
  }
}

/** Returns the templates by file, as `templatesByFile` does, with the edited ones replaced. */
function byFileAfter(before: SiteNames['byFile'], edits: readonly Edit[]): SiteNames['byFile'] {
  const byFile = layered(before)
  for (const { newTemplate } of edits)
    for (const key of new Set([newTemplate.unit.file.path, newTemplate.key])) {
      const siteTemplates = byFile.get(key)
      if (siteTemplates !== undefined)
        byFile.set(
          key,
          siteTemplates.map((siteTemplate) => (siteTemplate.key === newTemplate.key ? newTemplate : siteTemplate)),
        )
    }
  return byFile
}

/** Checks an edited template with the known facts about the others. Returns false if the result affects others. */
function isSeenAsBefore(rounds: Fixpoint, siteTemplate: SiteTemplate): boolean {
  const { key, unit } = siteTemplate
  const last = rounds.knowledge.lastChecks.get(key)
  const oldFacts = rounds.factsOf(key)
  if (last === undefined || oldFacts === undefined) return false
  const known = last.environment
  const misspelt = rounds.misspeltIn(siteTemplate, known.params)
  const { facts } = rounds.checkedWith(siteTemplate, { ...last, environment: { ...known, misspelt } })
  const callers = !known.isPartial
    ? null
    : isReportedElsewhere(rounds.knowledge, unit.file.path)
      ? 'placed'
      : 'unplaced'
  return sharedFactsOf(oldFacts, callers) === sharedFactsOf(facts, callers)
}

/** Returns whether a diagnostic in another file refers to a place in this one. */
function isReportedElsewhere({ checkedUnits }: FixpointState, path: string): boolean {
  for (const [key, { diagnostics }] of checkedUnits) {
    if (key === path || key.startsWith(`${path}#`)) continue
    for (const { span, related, change } of diagnostics) {
      const others = [...related, ...(change?.edits ?? [])].map((each) => each.span)
      if ([span, ...others].some(({ file }) => file === path)) return true
    }
  }
  return false
}

/** Returns whether names are written as often as before. Only names in templates whose findings depend on these counts are compared. */
function isCountedAsBefore(rounds: Fixpoint, { siteTemplates }: CheckInput): boolean {
  return [...rounds.knowledge.countDependent].every((key) => {
    const siteTemplate = siteTemplates.find((each) => each.key === key)
    const known = rounds.knowledge.lastChecks.get(key)?.environment
    if (siteTemplate === undefined || known === undefined) return false
    return [...rounds.misspeltIn(siteTemplate, known.params)].join() === [...known.misspelt].join()
  })
}
