/** What is wrong with a site as a whole, of which some may be errors. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { checkParameterNames } from './names/names.ts'
import type { CheckInput, CheckRounds } from './rounds.ts'
import { checkRecursion, checkRollbacks, type Reach } from './rules/reach.ts'
import { checkSite } from './rules/site-rules.ts'
import { nameRules, siteRules } from './site-input.ts'

export function siteDiagnostics(input: CheckInput, rounds: CheckRounds, reach: Reach): readonly Diagnostic[] {
  const { site, roots } = input
  return [
    ...checkRecursion(site, (file) => rounds.factsOf(file)),
    ...checkRollbacks(site, roots, (key) => rounds.ownFacts(key)),
    ...checkSite(siteRules(input, rounds, reach)),
    ...checkParameterNames(nameRules(input, rounds, reach)),
  ]
}
