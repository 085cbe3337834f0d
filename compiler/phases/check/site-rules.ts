/** The rules about a site as a whole, in the order in which they run. */
import { checkRequestReads } from './rules/calls/absent-in-jobs.ts'
import { checkRecursion } from './rules/calls/recursive-partial.ts'
import { checkRollbacks } from './rules/calls/rollback-outside-transaction.ts'
import { checkUnconverted } from './rules/calls/unconverted-partial.ts'
import { checkUnusedPartials } from './rules/calls/unused-partial.ts'
import { checkFormElements } from './rules/forms/form-outside.ts'
import { checkFormTemplates } from './rules/forms/form-without-template.ts'
import { checkIncludedForms, checkQueriedForms } from './rules/forms/missing-form.ts'
import { checkMissingArguments } from './rules/forms/missing-form-argument.ts'
import { checkFormNotifications, checkQueriedNotifications } from './rules/forms/missing-notification.ts'
import { checkOpenRecordForms } from './rules/forms/open-record-form.ts'
import { checkOpenUserForms } from './rules/forms/open-user-form.ts'
import { checkUnknownArguments } from './rules/forms/unknown-form-argument.ts'
import { checkImages } from './rules/html/image-without-size.ts'
import { checkScripts } from './rules/html/parser-blocking-script.ts'
import { checkEndTags } from './rules/html/spaced-end-tag.ts'
import { checkAttributes } from './rules/html/unclosed-attribute.ts'
import { checkBalance } from './rules/html/unclosed-html.ts'
import { checkStartTags } from './rules/html/unclosed-start-tag.ts'
import { checkRedirectEffects } from './rules/misleading/effect-after-redirect.ts'
import { checkSecondAnswers } from './rules/misleading/second-answer.ts'
import { checkQueriedChannels } from './rules/queries/missing-channel.ts'
import { checkNesting } from './rules/queries/nested-query.ts'
import { checkTransactions } from './rules/queries/network-in-transaction.ts'
import { checkInputs } from './rules/queries/unknown-field.ts'
import { checkUnreadFields } from './rules/queries/unread-fields.ts'
import { checkUnusedQueries } from './rules/queries/unused-query.ts'
import { checkGetPages } from './rules/security/change-on-get.ts'
import { checkFormTokens } from './rules/security/form-without-token.ts'
import { checkShownSecret } from './rules/security/shown-secret.ts'
import { checkUnescapedInput } from './rules/security/unescaped-input.ts'
import { checkUnguardedPages } from './rules/security/unguarded-change.ts'
import { checkUnsafePlace } from './rules/security/unsafe-place.ts'
import { checkChannels } from './rules/site/closed-channel.ts'
import { checkUnprintedBlocks } from './rules/site/content-without-yield.ts'
import { checkRoutes } from './rules/site/duplicate-route.ts'
import { checkTranslationHtml } from './rules/site/html-translation.ts'
import { checkStylesheets } from './rules/site/missing-asset.ts'
import { checkLayouts } from './rules/site/missing-content-for-layout.ts'
import { checkLayoutNames } from './rules/site/missing-layout.ts'
import { checkLinks, checkRedirects } from './rules/site/missing-page.ts'
import { checkPolicyNames } from './rules/site/missing-policy.ts'
import { checkParameters } from './rules/site/unknown-parameter.ts'
import { checkTranslationKeys } from './rules/site/unmatched-translation.ts'
import { checkUnreadValues } from './rules/site/unread-value.ts'
import { checkUnusedAssets } from './rules/site/unused-asset.ts'
import { checkUnusedFiles } from './rules/site/unused-file.ts'
import { checkUnusedTranslations } from './rules/site/unused-translation.ts'
import { checkUnwrittenValues } from './rules/site/unwritten-value.ts'
import { checkUnfilledBlocks } from './rules/site/yield-without-content.ts'
import { checkAnonymous } from './rules/values/anonymous-user.ts'
import { checkFieldSlips } from './rules/values/misspelt-field.ts'
import { checkNilResults } from './rules/values/nil-result.ts'
import { checkRemovedValues } from './rules/values/removed-value.ts'
import { checkHeaders, checkStudioPath, checkTableNames } from './site/codes-of-other-phases.ts'
import { markupRule } from './site/markup.ts'
import { hasOwnPages } from './site/reach.ts'
import { checkPluralsOfLanguages } from './rules/site/missing-plural.ts'
import { checkUnclosedPlaceholders } from './rules/site/unclosed-placeholder.ts'
import { checkPlaceholders } from './rules/site/unmatched-placeholder.ts'
import { checkForeignPlacesOfLanguages } from './rules/site/unused-translation-argument.ts'
import { checkSharedCaches } from './rules/values/cached-visitor.ts'
import { checkJsonBodies } from './rules/values/invalid-json.ts'
import { type SiteRule, withAllModules } from './site/site-rule.ts'
import { taintRule } from './site/taint.ts'

/** The rules that can refuse a site. */
export const SITE_RULES: readonly SiteRule[] = [
  checkRecursion,
  checkRollbacks,
  checkLayoutNames,
  checkPolicyNames,
  checkTableNames,
  checkStudioPath,
  checkStylesheets,
  checkUnconverted,
  checkFormNotifications,
  checkOpenUserForms,
  checkOpenRecordForms,
  checkFormElements,
  checkIncludedForms,
  checkFormTemplates,
  checkUnknownArguments,
  checkMissingArguments,
  checkRoutes,
  checkLayouts,
  withAllModules(checkUnprintedBlocks),
  withAllModules(checkUnfilledBlocks),
  checkRequestReads,
  checkSharedCaches,
  checkQueriedForms,
  checkQueriedNotifications,
  withAllModules(checkUnusedPartials),
  withAllModules(checkUnusedQueries),
  checkNesting,
  checkJsonBodies,
  checkHeaders,
  withAllModules(checkRedirects),
  ofWholeSite(checkParameters),
]

/** The rules whose diagnostics are warnings or less. */
export const SITE_WARNINGS: readonly SiteRule[] = [
  markupRule({
    ofFile: [checkAttributes, checkEndTags, checkStartTags, checkImages, checkScripts],
    ofForm: checkInputs,
    ofBalances: checkBalance,
    ofLinks: checkLinks,
  }),
  checkGetPages,
  checkChannels,
  checkQueriedChannels,
  checkUnguardedPages,
  checkTransactions,
  checkRedirectEffects,
  checkSecondAnswers,
  checkFormTokens,
  checkRemovedValues,
  ofWholeSite(checkUnwrittenValues),
  ofWholeSite(checkUnreadValues),
  ofWholeSite(checkNilResults),
  ofWholeSite(checkAnonymous),
  ofWholeSite(checkFieldSlips),
  ofWholeSite(checkUnreadFields),
  ofWholeSite(checkUnusedFiles),
  ofWholeSite(checkUnusedAssets),
  ofWholeSite(checkUnusedTranslations),
  checkUnclosedPlaceholders,
  checkTranslationHtml,
  checkTranslationKeys,
  checkPluralsOfLanguages,
  checkForeignPlacesOfLanguages,
  checkPlaceholders,
  taintRule([checkShownSecret, checkUnsafePlace, checkUnescapedInput]),
]

/** Returns a rule that skips modules and templates of a library, because their names may also be written, read and sent elsewhere. */
function ofWholeSite(rule: SiteRule): SiteRule {
  return withAllModules((checked) => (checked.site.openEntries || !hasOwnPages(checked.site) ? [] : rule(checked)))
}
