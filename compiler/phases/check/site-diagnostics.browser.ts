/**
 * In a browser templates are parts of pages: of the rules about references between files, only those about content blocks, recursion and
 * rollbacks apply.
 */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Steps } from '../../core/model/steps.ts'
import type { CheckInput, Fixpoint } from './fixpoint.ts'
import { checkBlocks } from './rules/content-blocks.ts'
import { checkRecursion, checkRollbacks } from './rules/reach.ts'

export function* siteDiagnosticSteps(input: CheckInput, rounds: Fixpoint): Steps<readonly Diagnostic[]> {
  const { site, roots } = input
  return [
    ...(yield* checkRecursion(site, (file) => rounds.factsOf(file))),
    ...(yield* checkRollbacks(site, roots, (key) => rounds.ownFacts(key), rounds.allFacts())),
    ...(rounds.lacksModule
      ? []
      : checkBlocks({
          site: input.site,
          siteTemplates: input.siteTemplates,
          factsOf: ({ key }) => rounds.factsOf(key) ?? null,
        })),
  ]
}
