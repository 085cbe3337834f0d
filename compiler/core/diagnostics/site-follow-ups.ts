/** Finds diagnostics that follow from an error in another file: about pages, tables, translations, calls and queries that depend on it. */
import type { Span } from '../source/span.ts'
import type { Diagnostic } from './diagnostic.ts'
import { isPartialFile, firstName } from './cause-checks.ts'
import { findTypo } from './suggest.ts'

/** Codes about translations. They are follow-ups if a translation file cannot be parsed. */
const ABOUT_TRANSLATIONS: ReadonlySet<string> = new Set([
  'missing-translation',
  'unmatched-key',
  'unmatched-translation',
  'missing-plural',
])

/** Codes that depend on the method of a page. */
const ABOUT_METHODS: ReadonlySet<string> = new Set(['change-on-get', 'duplicate-route', 'missing-page'])

/** Codes about content blocks, which another file fills or prints. */
const ABOUT_BLOCKS: ReadonlySet<string> = new Set(['yield-without-content', 'content-without-yield'])

/** Codes about the properties of a table. */
const ABOUT_PROPERTIES: ReadonlySet<string> = new Set(['unknown-table-property', 'unknown-form-field'])

/** Codes about unused values. They are follow-ups if a query is missing that value. */
const ABOUT_UNPASSED: ReadonlySet<string> = new Set(['unused-assign', 'unknown-inferred-argument', 'unused-doc-param'])

/** Codes about a call or field that does not match another file. The other file is among the related spans. */
const ABOUT_OTHER_FILES: ReadonlySet<string> = new Set([
  'unknown-variable',
  'missing-variable',
  'unknown-table-property',
  'unknown-form-field',
])

/** Codes about values that a partial gets from its callers. */
const ABOUT_PASSED_VALUES: ReadonlySet<string> = new Set(['unknown-field', 'undefined-variable', 'field-not-selected'])
/** Codes of errors, other than parse errors, that make a page unusable. */
const DISABLES_PAGE: ReadonlySet<string> = new Set(['response-headers', 'slug-syntax'])
const IN_PARTIAL = /\/(?:partials|lib)\//

/** The paths of files with errors. */
interface FilesWithErrors {
  readonly unreadable: ReadonlySet<string>
  readonly brokenFiles: ReadonlySet<string>
}

/** Returns a function that decides whether a diagnostic follows from another one. */
export function findSiteFollowUps(
  diagnostics: readonly Diagnostic[],
  { unreadable, brokenFiles }: FilesWithErrors,
): (diagnostic: Diagnostic) => boolean {
  const inTranslations = ({ span }: Pick<Diagnostic, 'span'>) => span.file.includes('translations/')
  const unreadTranslations = diagnostics.some((each) => each.code === 'unreadable-file' && inTranslations(each))
  const unsureTranslations =
    diagnostics.some((each) => each.code === 'translation-locale' && inTranslations(each)) ||
    [...unreadable].some((file) => file.includes('translations/'))
  const lacksUsers = [...unreadable].some((file) =>
    /(?:^|\/)(?:user|user_profile_types\/.*|user_profile_schemas\/.*)\.ya?ml$/.test(file),
  )
  const lacksTable = [...unreadable].some((file) =>
    /(?:schema|custom_model_types|model_schemas)\/[^:]*\.ya?ml$/.test(file),
  )
  const lacksPage =
    [...unreadable].some((file) => file.includes('/pages/')) || diagnostics.some(({ code }) => DISABLES_PAGE.has(code))
  const wrongMethods = new Set([
    ...[...unreadable].filter((file) => file.includes('/pages/')),
    ...diagnostics.filter(isWrongMethod).map(({ span }) => span.file),
  ])
  const withoutProperties = new Set(
    diagnostics
      .filter(
        ({ code, message, hint = '' }) =>
          code === 'unknown-setting' && /`(?:properties|property|fields|columns)`/.test(message + hint),
      )
      .map(({ span }) => /([^/]+)\.ya?ml$/.exec(span.file)?.[1] ?? ''),
  )
  const unmatchedTranslations = diagnostics.filter(({ code }) => code === 'unmatched-translation')
  const cutNames = diagnostics.filter(({ code }) => CUT_NAME_CODES.test(code))
  const missingValues = diagnostics.filter(({ code }) => MISSING_VALUE_CODES.test(code))
  const rewritten = diagnostics
    .filter(({ code, hint = '' }) => REWRITTEN.has(code) && hint.startsWith('Write `'))
    .slice(0, MAX_REWRITTEN)
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
  const hasUncertainReads = hasErrors || diagnostics.some(({ code }) => ABOUT_READS.has(code))
  return (each) => {
    const { code, message, related, span } = each
    if (ABOUT_METHODS.has(code) && followsFromWrongMethod(each, wrongMethods)) return true
    if (ABOUT_BLOCKS.has(code)) return hasErrors
    if (code === 'missing-translation') return unreadTranslations || isReportedAsUnmatched(each, unmatchedTranslations)
    if (ABOUT_TRANSLATIONS.has(code)) return unreadTranslations || unsureTranslations
    if (lacksTable && (code === 'impossible-comparison' || code === 'impossible-order')) return true
    if (code === 'unknown-table' && lacksTable) return true
    if (ABOUT_PASSED_VALUES.has(code) && (lacksPage || brokenFiles.size > 0) && IN_PARTIAL.test(span.file)) return true
    if (code === 'implicit-include-argument' && brokenFiles.size > 0) return true
    // The file that includes the partial may read the variable.
    if (code === 'unused-assign' && brokenFiles.size > 0 && IN_PARTIAL.test(span.file)) return true
    if (code === 'unused-query') return cutNames.some((other) => firstName(other.message) === firstName(message))
    if (code === 'unknown-table-property' && lacksTable && /^No(?:ne of the)? table/.test(message)) return true
    if (ABOUT_PROPERTIES.has(code) && withoutProperties.has(/`([^`]+)` has no property/.exec(message)?.[1] ?? ''))
      return true
    if (
      (code === 'unused-assign' || code === 'unused-doc-param') &&
      rewritten.some((other) => isReadInRewrite(other, each))
    )
      return true
    if (ABOUT_ARGUMENTS.test(code) && isAboutBrokenPartial(each, brokenFiles)) return true
    if (code === 'unread-fields' && hasUncertainReads) return true
    if (code === 'stray-markup') return cutNames.some((other) => isNameWithoutQuote(other, span))
    if (ABOUT_UNPASSED.has(code) && missingValues.some((other) => isUnusedBecauseMissing(other, each))) return true
    // The diagnostics about users and profiles have no related span.
    return (
      ABOUT_OTHER_FILES.has(code) &&
      (related.some((other) => unreadable.has(other.span.file)) ||
        (lacksUsers && related.length === 0 && /^(?:A user|Users|Profile)\b/.test(message)))
    )
  }
}

/** Codes about names through which a selected field may be read. */
const ABOUT_READS: ReadonlySet<string> = new Set([
  'unknown-field',
  'unknown-property',
  'undefined-variable',
  'tag-argument-type',
  'missing-doc-param',
  'unknown-argument',
  'unknown-inferred-argument',
  'missing-inferred-argument',
])

const ABOUT_ARGUMENTS =
  /^(?:unknown-(?:inferred-)?argument|missing-(?:inferred|form)-argument|implicit-include-argument|include-could-be-render)$/

/** Returns whether the diagnostic is about a partial that cannot be parsed, so that the variables it reads are unknown. */
function isAboutBrokenPartial({ message, related, code }: Diagnostic, brokenFiles: ReadonlySet<string>): boolean {
  if (code === 'include-could-be-render') return brokenFiles.size > 0
  const name = firstName(message)
  return (
    related.some(({ span }) => brokenFiles.has(span.file)) || [...brokenFiles].some((file) => isPartialFile(name, file))
  )
}

const MAX_REWRITTEN = 100

/** Codes whose hint is a rewritten tag. */
const REWRITTEN: ReadonlySet<string> = new Set([
  'stray-markup',
  'missing-argument',
  'missing-variable',
  'missing-inferred-argument',
  'dynamic-render-name',
])

/** Returns whether the rewritten tag in a hint reads the variable. */
function isReadInRewrite({ span, hint = '' }: Diagnostic, diagnostic: Diagnostic): boolean {
  return span.file === diagnostic.span.file && new RegExp(`\\b${firstName(diagnostic.message)}\\b`).test(hint)
}

const CUT_NAME_CODES = /^missing-(?:partial|query)$/
const MISSING_VALUE_CODES = /^missing-(?:doc-param|variable)$/

function isWrongMethod({ code, message, hint }: Diagnostic): boolean {
  return /^(?:setting-value|unknown-setting)$/.test(code) && /`method`/.test(`${message} ${hint}`)
}

/** Returns whether the diagnostic follows from a page with an invalid method, which therefore handles GET. */
function followsFromWrongMethod({ code, span, related }: Diagnostic, pages: ReadonlySet<string>): boolean {
  if (code === 'missing-page') return pages.size > 0
  return pages.has(span.file) || related.some((other) => pages.has(other.span.file))
}

/** Returns whether the missing key is already reported as different between languages. */
function isReportedAsUnmatched({ message }: Diagnostic, diagnostics: readonly Diagnostic[]): boolean {
  const key = /`[^`]+`/.exec(message)?.[0] ?? ''
  return diagnostics.some((other) => other.message.includes(key))
}

/** Returns whether a name before this place reaches up to it because its closing quote is missing. */
function isNameWithoutQuote({ span, message }: Diagnostic, later: Span): boolean {
  return span.file === later.file && /[,:]/.test(message) && Math.abs(later.start - span.end) <= 2
}

/** Returns whether a variable or argument is unused only because the value is reported as missing elsewhere. */
function isUnusedBecauseMissing(lacking: Diagnostic, { code, span, message }: Diagnostic): boolean {
  const isRead = lacking.code === 'missing-doc-param' && code === 'unused-assign' && lacking.span.file === span.file
  if (isRead) return findTypo(firstName(lacking.message), [firstName(message)]) !== null
  if (lacking.code !== 'missing-variable') return false
  const name = /variable (`[^`]+`)/.exec(lacking.message)?.[1]
  return name !== undefined && message.includes(name) && (code !== 'unused-assign' || span.file === lacking.span.file)
}
