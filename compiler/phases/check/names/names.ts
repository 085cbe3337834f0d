/** Rules about untyped names that cross files: names that one template writes, sends or has, and another template reads. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Memo } from '../../../core/model/memo.ts'
import type { Operations } from '../../../core/model/operation.ts'
import { concatSteps, type Steps } from '../../../core/model/steps.ts'
import type { Site } from '../../../core/model/site.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import type { UnitFacts } from '../rules/facts.ts'
import { hasOwnPages } from '../rules/reach.ts'
import { checkAnonymous, checkNilResults } from './nil-results.ts'
import { checkFieldSlips } from './field-slips.ts'
import { checkParameters } from './parameters.ts'
import { checkRequestNames } from './request-names.ts'
import { checkUnreadFields } from './unread-fields.ts'
import { unusedNames } from './unused.ts'

export interface NameRules {
  readonly site: Site
  readonly operations: Operations
  readonly siteTemplates: readonly SiteTemplate[]
  readonly memo: Memo
  /** Whether templates call a module that the site does not have: the names that the module writes, reads and sends are unknown. */
  readonly lacksModule: boolean
  readonly reachedFiles: ReadonlySet<string>
  readonly factsOf: (key: string) => UnitFacts | undefined
}

type WholeSite = Pick<NameRules, 'site' | 'siteTemplates' | 'lacksModule'>

/**
 * Collects the diagnostics of parameters that a page reads although no address supplies them. Among the rules about names, only this one
 * reports errors.
 */
export function* parameterSteps(rules: WholeSite): Steps<readonly Diagnostic[]> {
  const { site, siteTemplates } = rules
  return isWholeSite(rules) ? yield* checkParameters(site, siteTemplates) : []
}

export function* nameSteps(rules: NameRules): Steps<readonly Diagnostic[]> {
  const { site, operations, siteTemplates, memo, factsOf, reachedFiles } = rules
  if (!isWholeSite(rules)) return []
  return yield* concatSteps([
    () => checkRequestNames(siteTemplates, factsOf),
    () => checkNilResults(site, siteTemplates, factsOf),
    () => checkAnonymous(siteTemplates, factsOf),
    () => checkFieldSlips(site, siteTemplates),
    () => checkUnreadFields({ site, operations, siteTemplates, memo, factsOf }),
    ...unusedNames({ site, siteTemplates, factsOf, reachedFiles }),
  ])
}

/** Returns false for a module on its own, because the sites that install it may also write, read and send its names. */
function isWholeSite({ site, lacksModule }: WholeSite): boolean {
  return !site.openEntries && !lacksModule && hasOwnPages(site)
}
