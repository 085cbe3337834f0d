/** The rules about a site as a whole, in the order in which they run. */
import { checkAnonymous, checkNilResults } from './names/nil-results.ts'
import { checkFieldSlips } from './names/field-slips.ts'
import { checkParameters } from './names/parameters.ts'
import { checkRequestNames } from './names/request-names.ts'
import { checkUnreadFields } from './names/unread-fields.ts'
import { checkUnusedNames } from './names/unused.ts'
import { checkBlocks } from './rules/content-blocks.ts'
import { checkForms } from './rules/form-rules.ts'
import { checkRequestReads } from './rules/job-rules.ts'
import { checkTranslations } from './rules/matching-translations.ts'
import { checkQueryNames } from './rules/query-names.ts'
import { checkRecursion, checkRollbacks } from './rules/call-chains.ts'
import { hasOwnPages } from './rules/reach.ts'
import {
  checkAnswers,
  checkLayouts,
  checkRedirects,
  checkReferences,
  checkUnconverted,
  checkUses,
} from './rules/references.ts'
import { checkRequestEffects } from './rules/request-effects.ts'
import { checkRoutes } from './rules/routes.ts'
import { checkSharedCaches } from './rules/shared-caches.ts'
import { checkMarkup } from './rules/site-markup.ts'
import { checkStylesheets } from './rules/stylesheets.ts'
import { checkTaint } from './rules/taint.ts'
import { type SiteRule, withAllModules } from './rules/site-rule.ts'

/** The rules that can refuse a site. */
export const SITE_RULES: readonly SiteRule[] = [
  checkRecursion,
  checkRollbacks,
  checkReferences,
  checkStylesheets,
  checkUnconverted,
  checkForms,
  checkRoutes,
  checkLayouts,
  withAllModules(checkBlocks),
  checkRequestReads,
  checkSharedCaches,
  checkQueryNames,
  checkUses,
  checkAnswers,
  withAllModules(checkRedirects),
  ofWholeSite(checkParameters),
]

/** The rules whose diagnostics are warnings or less. */
export const SITE_WARNINGS: readonly SiteRule[] = [
  checkMarkup,
  checkRequestEffects,
  ofWholeSite(checkRequestNames),
  ofWholeSite(checkNilResults),
  ofWholeSite(checkAnonymous),
  ofWholeSite(checkFieldSlips),
  ofWholeSite(checkUnreadFields),
  ofWholeSite(checkUnusedNames),
  checkTranslations,
  checkTaint,
]

/** Returns a rule that skips modules and templates of a library, because their names may also be written, read and sent elsewhere. */
function ofWholeSite(rule: SiteRule): SiteRule {
  return withAllModules((checked) => (checked.site.openEntries || !hasOwnPages(checked.site) ? [] : rule(checked)))
}
