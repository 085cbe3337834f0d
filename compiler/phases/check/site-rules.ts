/** The rules about a site as a whole, in the order in which they run. */
import { checkAnonymous, checkNilResults } from './site-rules/names/nil-results.ts'
import { checkFieldSlips } from './site-rules/names/field-slips.ts'
import { checkParameters } from './site-rules/names/parameters.ts'
import { checkRequestNames } from './site-rules/names/request-names.ts'
import { checkUnreadFields } from './site-rules/names/unread-fields.ts'
import { checkUnusedNames } from './site-rules/names/unused.ts'
import { checkBlocks } from './site-rules/content-blocks.ts'
import { checkForms } from './site-rules/form-rules.ts'
import { checkRequestReads } from './site-rules/job-rules.ts'
import { checkTranslations } from './site-rules/matching-translations.ts'
import { checkQueryNames } from './site-rules/query-names.ts'
import { checkRecursion, checkRollbacks } from './site-rules/call-chains.ts'
import { hasOwnPages } from './site/reach.ts'
import {
  checkAnswers,
  checkLayouts,
  checkRedirects,
  checkReferences,
  checkUnconverted,
  checkUses,
} from './site-rules/references.ts'
import { checkRequestEffects } from './site-rules/request-effects.ts'
import { checkRoutes } from './site-rules/routes.ts'
import { checkPluralsOfLanguages } from './rules/site/missing-plural.ts'
import { checkUnclosedPlaceholders } from './rules/site/unclosed-placeholder.ts'
import { checkPlaceholders } from './rules/site/unmatched-placeholder.ts'
import { checkForeignPlacesOfLanguages } from './rules/site/unused-translation-argument.ts'
import { checkSharedCaches } from './rules/values/cached-visitor.ts'
import { checkJsonBodies } from './rules/values/invalid-json.ts'
import { checkMarkup } from './site-rules/site-markup.ts'
import { checkStylesheets } from './site-rules/stylesheets.ts'
import { checkTaint } from './site-rules/taint.ts'
import { type SiteRule, withAllModules } from './site/site-rule.ts'

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
  checkJsonBodies,
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
  checkUnclosedPlaceholders,
  checkTranslations,
  checkPluralsOfLanguages,
  checkForeignPlacesOfLanguages,
  checkPlaceholders,
  checkTaint,
]

/** Returns a rule that skips modules and templates of a library, because their names may also be written, read and sent elsewhere. */
function ofWholeSite(rule: SiteRule): SiteRule {
  return withAllModules((checked) => (checked.site.openEntries || !hasOwnPages(checked.site) ? [] : rule(checked)))
}
