/** Collects the findings that do not prevent compilation: warnings and below, no errors. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { LinkedEffects } from '../../core/model/effects.ts'
import type { Steps } from '../../core/model/steps.ts'
import { nameSteps } from './names/names.ts'
import type { CheckInput, Fixpoint } from './fixpoint.ts'
import { requestEffectSteps } from './rules/request-effects.ts'
import { checkTranslations } from './rules/matching-translations.ts'
import type { Reach } from './rules/reach.ts'
import { markupSteps } from './rules/site-rules.ts'
import { nameRules, siteRules } from './site-input.ts'
import { taintSteps } from './rules/taint.ts'

export function* warningSteps(
  input: CheckInput,
  rounds: Fixpoint,
  reach: Reach,
  linkedEffects: LinkedEffects,
): Steps<readonly Diagnostic[]> {
  const { site, operations, siteTemplates, memo } = input
  yield { doing: 'Looking for warnings' }
  const translations = site.units.filter((unit) => unit.file.kind === 'translation')
  return [
    ...(yield* markupSteps(siteRules(input, rounds, reach))),
    ...(yield* requestEffectSteps(site, operations, siteTemplates, (key) => rounds.factsOf(key))),
    ...(yield* nameSteps(nameRules(input, rounds, reach))),
    ...memo.once('check translations', '', translations, () => checkTranslations(site)),
    ...(yield* taintSteps({ ...input, linkedEffects })),
  ]
}
