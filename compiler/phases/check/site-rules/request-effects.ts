/** Checks which data templates change, how they respond, and whether their forms contain CSRF tokens. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { CheckedSite } from '../site/site-rule.ts'
import { derived } from '../../../core/model/derived.ts'
import { concatSteps, type Steps } from '../../../core/model/steps.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { checkActions, checkTransactions, createEffectFinder } from './actions.ts'
import { checkAnswers } from './answers.ts'
import { checkFormTokens } from './form-tokens.ts'
import { checkRemovedValues } from './removed-values.ts'

/** The number of templates that are checked in one step. */
const TEMPLATES_PER_STEP = 100

const hasAnswer = derived(({ text }: SourceFile) => /redirect_to|response_status/.test(text))
const hasForms = derived(({ text }: SourceFile) => /<form\b/.test(text))
const removesKeys = derived(({ text }: SourceFile) => /hash_delete_key|(?:delete|remove)_hash_key/.test(text))

/** Checks all templates in steps. */
export function* checkRequestEffects({
  site,
  operations,
  siteTemplates,
  factsOf,
}: CheckedSite): Steps<readonly Diagnostic[]> {
  // Uses only the facts of the file's body. Its settings run before or after the body, and its `background` blocks run in jobs.
  const facts = (file: string) => {
    const known = factsOf(file)
    return known === undefined ? [] : [known]
  }
  const actions = { site, operations, facts }
  const found = yield* concatSteps([() => checkActions(actions), () => checkTransactions(actions)])
  const diagnostics = [...found]
  const findEffect = createEffectFinder(actions)
  for (const [at, siteTemplate] of siteTemplates.entries()) {
    if (at % TEMPLATES_PER_STEP === 0) yield
    if (siteTemplate.inner !== null) continue
    if (hasAnswer(siteTemplate.unit.file))
      diagnostics.push(...checkAnswers(siteTemplate, ({ span }) => findEffect(siteTemplate.key, span)))
    if (hasForms(siteTemplate.unit.file)) diagnostics.push(...checkFormTokens(site, siteTemplate))
    if (removesKeys(siteTemplate.unit.file)) diagnostics.push(...checkRemovedValues(siteTemplate))
  }
  return diagnostics
}
