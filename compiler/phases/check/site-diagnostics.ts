/** Collects the diagnostics about a site as a whole, which include errors. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { parameterSteps } from './names/names.ts'
import { concatSteps, type Steps } from '../../core/model/steps.ts'
import type { CheckInput, Fixpoint } from './fixpoint.ts'
import { checkRecursion, checkRollbacks, type Reach } from './rules/reach.ts'
import { siteSteps } from './rules/site-rules.ts'
import { nameRules, siteRules } from './site-input.ts'

export function* siteDiagnosticSteps(input: CheckInput, rounds: Fixpoint, reach: Reach): Steps<readonly Diagnostic[]> {
  const { site, roots } = input
  yield { doing: 'Checking the site as a whole' }
  const ofCalls = yield* concatSteps([
    () => checkRecursion(site, (file) => rounds.factsOf(file)),
    () => checkRollbacks(site, roots, (key) => rounds.ownFacts(key), rounds.allFacts()),
  ])
  const ofSite = yield* siteSteps(siteRules(input, rounds, reach))
  return [...ofCalls, ...ofSite, ...(yield* parameterSteps(nameRules(input, rounds, reach)))]
}
