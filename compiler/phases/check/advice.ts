/** Collects the findings that do not prevent compilation: warnings and below, no errors. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { LinkedEffects } from '../../core/model/effects.ts'
import type { Steps } from '../../core/model/steps.ts'
import { nameSteps } from './names/names.ts'
import type { CheckInput, CheckRounds } from './rounds.ts'
import { deedSteps } from './rules/deeds.ts'
import { checkTranslations } from './rules/matching-translations.ts'
import type { Reach } from './rules/reach.ts'
import { markupSteps } from './rules/site-rules.ts'
import { nameRules, siteRules } from './site-input.ts'
import { taintSteps } from './rules/taint.ts'

export function* adviceSteps(
  input: CheckInput,
  rounds: CheckRounds,
  reach: Reach,
  linkedEffects: LinkedEffects,
): Steps<readonly Diagnostic[]> {
  const { site, operations, siteTemplates, memo } = input
  yield { doing: 'Looking for warnings' }
  const translations = site.units.filter((unit) => unit.file.kind === 'translation')
  return [
    ...(yield* markupSteps(siteRules(input, rounds, reach))),
    ...(yield* deedSteps(site, operations, siteTemplates, (key) => rounds.factsOf(key))),
    ...(yield* nameSteps(nameRules(input, rounds, reach))),
    ...memo.once('check translations', '', translations, () => checkTranslations(site)),
    ...(yield* taintSteps({ ...input, linkedEffects })),
  ]
}
