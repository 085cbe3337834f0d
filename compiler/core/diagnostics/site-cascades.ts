/** Finds diagnostics of a site that follow from another one, in the same file or in another. Only the cause is reported. */
import type { Span } from '../source/span.ts'
import * as check from './cause-checks.ts'
import { escapePattern } from './change.ts'
import type { Diagnostic, Subject } from './diagnostic.ts'
import { findTypo } from './suggest.ts'

/** Maximum number of causes to check per row, to limit the work on garbage input. */
const MAX_CAUSES = 100

/** Returns a function that finds the cause of a diagnostic; null if there is none. */
export function findCauses(diagnostics: readonly Diagnostic[]): (diagnostic: Diagnostic) => Diagnostic | null {
  const activeRows = CONSEQUENCES.flatMap((row) => {
    const causes = diagnostics.filter(({ code }) => row.of.includes(code)).slice(0, MAX_CAUSES)
    return causes.length === 0 ? [] : [{ ...row, causes }]
  })
  return (each) => {
    for (const { code, causes, leadsTo } of activeRows) {
      const cause = code.test(each.code) ? causes.find((one) => leadsTo(one, each)) : undefined
      if (cause !== undefined) return cause
    }
    return null
  }
}

/** A row: the codes of the causes (`of`), the codes of the consequences (`code`), and a check whether one leads to the other. */
interface Consequence {
  readonly of: readonly string[]
  readonly code: RegExp
  readonly leadsTo: (cause: Diagnostic, each: Diagnostic) => boolean
}

/** Codes of calls that lack a value. */
const LACKS_ARGUMENT = [
  'missing-argument',
  'missing-inferred-argument',
  'missing-variable',
  'argument-type',
  'variable-type',
  'missing-translation-argument',
]

/** Codes about errors in table files, whose properties are then wrong. */
const TABLE_CODES = ['setting-refused', 'unknown-setting', 'duplicate-yaml-key', 'yaml-syntax', 'missing-setting']

/** Codes about fields of values with a known type. */
const TYPED_VALUE_CODES = [
  'unknown-field',
  'field-not-selected',
  'unknown-property',
  'no-parts',
  'list-as-object',
  'object-as-list',
  'unknown-parameter',
  'unwritten-value',
  'question-method',
]

const CONSEQUENCES: readonly Consequence[] = [
  // A condition after `else` and a surplus filter argument are ignored, so the variables in them look unused.
  { code: /^unused-(?:assign|doc-param)$/, of: ['else-if', 'filter-arity'], leadsTo: check.isBefore },
  { code: /^unused-assign$/, of: ['function-without-return'], leadsTo: check.isInNamedPartial },
  // One place sets a name, and another place reads it with a typo.
  { code: /^unused-assign$/, of: ['undefined-variable'], leadsTo: check.hasSimilarName },
  { code: /^unwritten-value$/, of: ['undefined-variable'], leadsTo: check.hasSimilarLastSegment },
  { code: /^missing-inferred-argument$/, of: ['unused-assign'], leadsTo: check.readsMisspeltVariable },
  {
    code: /^(?:read-after-include|implicit-include-argument)$/,
    of: ['unused-assign'],
    leadsTo: check.hasSimilarNameInCall,
  },
  { code: /^unknown-inferred-argument$/, of: ['foreign-markup'], leadsTo: check.namesPartialOfCause },
  { code: /^variable-type$/, of: ['query-variable-type'], leadsTo: check.refersToFileOfCause },
  { code: /^property-value-type$/, of: ['setting-refused', 'unknown-setting'], leadsTo: check.isPropertyOfUnreadTable },
  { code: /^no-parts$/, of: ['unused-assign'], leadsTo: check.hasSimilarName },
  {
    code: /^(?:unserved-query|impossible-comparison|impossible-order)$/,
    of: TABLE_CODES,
    leadsTo: check.isInTableFile,
  },
  { code: /^unknown-(?:form-field|table-property)$/, of: ['duplicate-yaml-key'], leadsTo: check.isInTableFile },
  {
    code: /^impossible-(?:comparison|order)$/,
    of: ['unknown-form-field', 'unknown-table-property'],
    leadsTo: check.isInTableFile,
  },
  // If two list entries were merged by mistake, all of their keys occur twice.
  { code: /^duplicate-yaml-key$/, of: ['duplicate-yaml-key'], leadsTo: check.isAdjacentKey },
  { code: /^duplicate-yaml-key$/, of: ['setting-refused'], leadsTo: check.isInsideChange },
  { code: /^unknown-field$/, of: ['setting-refused'], leadsTo: check.refersToFileOfCause },
  { code: /^unknown-field$/, of: ['unknown-setting'], leadsTo: check.isFieldOfUnreadForm },
  {
    code: /^(?:missing-comma|stray-markup)$/,
    of: ['stray-markup', 'missing-partial', 'dynamic-render-name'],
    leadsTo: check.isDirectlyAfter,
  },
  { code: /^single-quoted-braces$/, of: ['missing-partial', 'missing-query'], leadsTo: check.touches },
  // All markup after an unclosed plain-text block is part of its text.
  { code: /^unclosed-tag$/, of: ['unclosed-tag'], leadsTo: check.isInsidePlainTextBlock },
  { code: /^missing-translation-argument$/, of: ['unmatched-placeholder'], leadsTo: check.isSamePlaceholder },
  { code: /^unused-translation-argument$/, of: ['unclosed-placeholder'], leadsTo: check.refersToFileOfCause },
  { code: /^filter-argument-type$/, of: ['unclosed-delimiter'], leadsTo: check.isSoonAfter },
  { code: /^unclosed-delimiter$/, of: ['unclosed-delimiter'], leadsTo: check.isSecondUnclosedDelimiter },
  { code: /^unclosed-html$/, of: ['unclosed-delimiter'], leadsTo: check.isNearCause },
  {
    code: /^(?:unsafe-place|unescaped-input)$/,
    of: ['unclosed-start-tag', 'unclosed-attribute'],
    leadsTo: check.isSoonAfter,
  },
  { code: /^read-after-include$/, of: ['unknown-tag'], leadsTo: check.isAfter },
  { code: /^mismatched-end$/, of: ['stray-branch'], leadsTo: check.isSoonAfter },
  { code: /^unreachable-code$/, of: ['else-if'], leadsTo: check.isAfter },
  { code: /^unclosed-tag$/, of: ['broken-interpolation'], leadsTo: check.isBefore },
  {
    code: /^(?:constant-condition|no-parts|unknown-field|unknown-property|object-as-list|filter-argument-type)$/,
    of: ['filter-arity'],
    leadsTo: check.isAfter,
  },
  {
    code: /^(?:change-on-get|unguarded-change|unused-file|missing-page|un(?:written|read)-value)$/,
    of: ['front-matter-unread', 'front-matter-unclosed'],
    leadsTo: check.always,
  },
  { code: /^(?:unmatched-translation|unused-translation)$/, of: ['html-translation'], leadsTo: check.isSameName },
  // A diagnostic based on a known type is more exact than one based on spelling.
  { code: /^misspelt-field$/, of: TYPED_VALUE_CODES, leadsTo: check.touches },
  // A variable looks unused, because the block that should read it does not get it.
  { code: /^unused-assign$/, of: ['unpassed-variable'], leadsTo: check.isSameName },
  // An unused variable before a call that lacks a value was probably meant for the call.
  { code: /^unused-(?:assign|doc-param)$/, of: LACKS_ARGUMENT, leadsTo: check.isBefore },
  // A validation looks as if it had no option, because its only option is misspelled.
  { code: /^missing-validation-option$/, of: ['unknown-validation-option'], leadsTo: check.isNextInSameRule },
  // The partial reads fields of the declared type, but the call passes a value of another type.
  { code: /^no-parts$/, of: ['argument-type'], leadsTo: check.isFieldOfMismatchedArgument },
  {
    code: /^(?:impossible-(?:order|comparison)|filter-argument-type)$/,
    of: ['argument-type'],
    leadsTo: check.isInRelatedFile,
  },
  // Code after a redirect is reported only once.
  { code: /^second-answer$/, of: ['effect-after-redirect'], leadsTo: check.isInSameFile },
  { code: /^(?:change-on-get|unguarded-change)$/, of: ['effect-after-redirect'], leadsTo: check.touches },
  // If no page receives a form, its method or address is wrong, and the token may not be needed.
  { code: /^form-without-token$/, of: ['missing-page'], leadsTo: check.touches },
  // A string that ends too early, at a quote that was meant to be escaped, is a wrong name or value.
  {
    code: /^(?:missing-(?:translation|asset)|unmatched-(?:key|name)|filter-argument-type|date-format)$/,
    of: ['unsupported-string-escape'],
    leadsTo: check.isAfterCutString,
  },
  // A `graphql` tag without its `=` is parsed as a block, whose arguments begin at the query name.
  { code: /^stray-markup$/, of: ['unclosed-tag'], leadsTo: check.isInsideNamedTag },
  { code: /^list-as-object$/, of: ['list-as-object'], leadsTo: check.isListInOtherPartial },
  { code: /^argument-type$/, of: ['list-as-object'], leadsTo: check.isListPassedAsArgument },
  { code: /^(?:unsafe-place|unescaped-input)$/, of: ['list-as-object'], leadsTo: check.isElementOfList },
  // A page that uses the slug of another page by mistake no longer handles its own slug.
  { code: /^missing-page$/, of: ['duplicate-route'], leadsTo: check.isPossibleRouteOfPages },
  { code: /^unknown-parameter$/, of: ['duplicate-route'], leadsTo: check.isInSameOrRelatedFile },
  { code: /^missing-content-for-layout$/, of: ['unclosed-delimiter'], leadsTo: check.isInSameFile },
  // Names in markup that is printed unchanged are not read.
  {
    code: /^(?:unused-(?:assign|doc-param)|undefined-variable)$/,
    of: ['foreign-markup'],
    leadsTo: check.isNamedByCause,
  },
  // A string without its opening quote is parsed as a name.
  { code: /^(?:undefined-variable|missing-doc-param)$/, of: ['stray-markup'], leadsTo: check.endsAtStrayQuote },
  // A page without its method handles the requests of another page.
  { code: /^change-on-get$/, of: ['duplicate-route'], leadsTo: check.isInSameOrRelatedFile },
  // `a: key: value` has two names, so no comma is missing between them.
  { code: /^missing-comma$/, of: ['nested-argument'], leadsTo: check.touches },
  { code: /^unserved-query$/, of: ['unused-query', 'unknown-table-property'], leadsTo: check.isInSameFile },
  { code: /^unused-translation-argument$/, of: ['duplicate-yaml-key'], leadsTo: check.refersToFileOfCause },
  // No call passes a parameter whose declaration is misspelled.
  { code: /^missing-argument$/, of: ['missing-doc-param'], leadsTo: check.isMisspeltParameter },
  // The block is closed, but with a wrong end word.
  { code: /^unclosed-tag$/, of: ['mismatched-end', 'unknown-tag'], leadsTo: check.isForeignEndTag },
  // After a block that ended too early, its branches and end tags are left over.
  { code: /^stray-branch$/, of: ['mismatched-end'], leadsTo: check.isStrayAfterWrongEnd },
  // The end tag of an unknown block tag closes no known block.
  { code: /^mismatched-end$/, of: ['unknown-tag'], leadsTo: check.isEndOfUnknownTag },
  { code: /^mismatched-end$/, of: ['mismatched-end'], leadsTo: check.isStrayAfterWrongEnd },
  // All code after an unclosed loop is inside the loop.
  { code: /^nested-query$/, of: ['unclosed-tag', 'mismatched-end'], leadsTo: check.isInSameFile },
  // If the query should not run here at all, do not report that it runs too often.
  { code: /^nested-query$/, of: ['change-on-get', 'effect-after-redirect'], leadsTo: check.touches },
  // If the tag is invalid, do not report that it is deprecated.
  {
    code: /^deprecated-tag$/,
    of: ['invalid-hash-assign-target', 'unclosed-tag', 'invalid-json'],
    leadsTo: check.isInsideSameTag,
  },
  // Ignored markup in a call is the value that the call lacks. If the call fails, the failure is reported; otherwise the markup.
  { code: /^stray-markup$/, of: LACKS_ARGUMENT, leadsTo: check.isMarkupOfFailingCall },
  { code: /^missing-inferred-argument$/, of: ['stray-markup'], leadsTo: check.isCallBeforeStrayMarkup },
  // A string without quotes or parentheses after a name are read as a name and surplus text.
  { code: /^stray-markup$/, of: ['undefined-variable'], leadsTo: check.isSurplusAfterName },
  { code: /^(?:undefined-variable|missing-doc-param)$/, of: ['invalid-write-target'], leadsTo: check.isSameName },
  { code: /^missing-inferred-argument$/, of: ['invalid-write-target'], leadsTo: check.isArgumentOfInvalidWrite },
  { code: /^second-answer$/, of: ['tag-argument-value', 'tag-argument-type'], leadsTo: check.touches },
  { code: /^stray-markup$/, of: ['invalid-loop-arguments', 'several-assign-values'], leadsTo: check.isInsideSameTag },
  // A partial passes the same wrong value on to another partial.
  { code: /^argument-type$/, of: ['argument-type'], leadsTo: check.isPassedToNextPartial },
  // A form or page looks open, because the key of its policies is misspelled.
  {
    code: /^(?:open-record-form|open-user-form|unguarded-change)$/,
    of: ['setting-refused', 'unknown-setting'],
    leadsTo: check.isAboutPolicies,
  },
  { code: /^missing-page$/, of: ['change-on-get'], leadsTo: check.isRouteOfFile },
  { code: /^duplicate-argument$/, of: ['unclosed-delimiter'], leadsTo: check.isAfter },
  { code: /^graphql-invalid$/, of: ['graphql-invalid'], leadsTo: check.isUnusedFragment },
  { code: /^nested-query$/, of: ['missing-query'], leadsTo: check.touches },
  // Markup after a missing delimiter or quote is misread.
  {
    code: /^(?:filter-comma|broken-interpolation)$/,
    of: ['unclosed-delimiter', 'unclosed-string'],
    leadsTo: check.isSoonAfter,
  },
  { code: /^foreign-markup$/, of: ['missing-content-for-layout'], leadsTo: check.touches },
  // A partial does not get an argument that the call passes under another name.
  { code: /^undefined-variable$/, of: ['unknown-inferred-argument'], leadsTo: check.isPassedUnderSimilarName },
  { code: /^unknown-inferred-argument$/, of: ['undefined-variable'], leadsTo: check.isReadUnderSimilarName },
  // The suggested rewrite of the call passes the name.
  {
    code: /^(?:undefined-variable|missing-(?:inferred|form)-argument)$/,
    of: ['stray-markup'],
    leadsTo: check.isPassedInRewrite,
  },
]

/** Codes about translations. They follow if a translation file cannot be parsed. */
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

/** Codes about unused values. They follow if a query is missing that value. */
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
export function findSiteCascades(
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
      .filter(({ code, subject }) => code === 'unknown-setting' && hidesProperties(subject))
      .map(({ span }) => /([^/]+)\.ya?ml$/.exec(span.file)?.[1] ?? ''),
  )
  const unmatchedTranslations = diagnostics.filter(({ code }) => code === 'unmatched-translation')
  const cutNames = diagnostics.filter(({ code }) => CUT_NAME_CODES.test(code))
  const missingValues = diagnostics.filter(({ code }) => MISSING_VALUE_CODES.test(code))
  const rewritten = diagnostics
    .filter((each) => REWRITTEN.has(each.code) && (each.rewritten !== undefined || each.code === 'dynamic-render-name'))
    .slice(0, MAX_REWRITTEN)
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
  const hasUncertainReads = hasErrors || diagnostics.some(({ code }) => ABOUT_READS.has(code))
  return (each) => {
    const { code, subject, related, span } = each
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
    if (code === 'unused-query') return cutNames.some((other) => other.subject.name === subject.name)
    if (code === 'unknown-table-property' && lacksTable && subject.kind === 'property' && subject.of === null)
      return true
    if (
      ABOUT_PROPERTIES.has(code) &&
      subject.of != null &&
      subject.kind !== 'field' &&
      withoutProperties.has(subject.of)
    )
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
        (lacksUsers && related.length === 0 && /^(?:user|profile) property$/.test(subject.kind)))
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
function isAboutBrokenPartial({ subject, related, code }: Diagnostic, brokenFiles: ReadonlySet<string>): boolean {
  if (code === 'include-could-be-render') return brokenFiles.size > 0
  const name = subject.of ?? subject.name
  return (
    related.some(({ span }) => brokenFiles.has(span.file)) ||
    [...brokenFiles].some((file) => check.isPartialFile(name, file))
  )
}

const MAX_REWRITTEN = 100

/** Codes whose change may rewrite the tag. */
const REWRITTEN: ReadonlySet<string> = new Set([
  'stray-markup',
  'missing-argument',
  'missing-variable',
  'missing-inferred-argument',
  'dynamic-render-name',
])

/** Returns whether the rewritten tag reads the variable. */
function isReadInRewrite(rewriting: Diagnostic, { span, subject }: Diagnostic): boolean {
  const text = rewriting.rewritten?.text ?? rewriting.subject.name
  return rewriting.span.file === span.file && new RegExp(`\\b${escapePattern(subject.name)}\\b`).test(text)
}

const CUT_NAME_CODES = /^missing-(?:partial|query)$/
const MISSING_VALUE_CODES = /^missing-(?:doc-param|variable)$/

function isWrongMethod({ code, subject }: Diagnostic): boolean {
  return /^(?:setting-value|unknown-setting)$/.test(code) && [subject.name, subject.meant].includes('method')
}

const PROPERTY_KEYS: ReadonlySet<string | undefined> = new Set(['properties', 'property', 'fields', 'columns'])

/** Returns whether the properties of a table are probably declared under this unknown key: it is similar, or like no other key. */
function hidesProperties({ name, of = null, meant }: Subject): boolean {
  return PROPERTY_KEYS.has(meant) || (of === null && (meant === undefined || PROPERTY_KEYS.has(name)))
}

/** Returns whether the diagnostic follows from a page with an invalid method, which therefore handles GET. */
function followsFromWrongMethod({ code, span, related }: Diagnostic, pages: ReadonlySet<string>): boolean {
  if (code === 'missing-page') return pages.size > 0
  return pages.has(span.file) || related.some((other) => pages.has(other.span.file))
}

/** Returns whether the missing key is already reported as different between languages. */
function isReportedAsUnmatched({ subject: { name } }: Diagnostic, diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ subject }) => subject.name === name || subject.meant === name)
}

/** Returns whether a name before this place reaches up to it because its closing quote is missing. */
function isNameWithoutQuote({ span, subject }: Diagnostic, later: Span): boolean {
  return span.file === later.file && /[,:]/.test(subject.name) && Math.abs(later.start - span.end) <= 2
}

/** Returns whether a variable or argument is unused only because the value is reported as missing elsewhere. */
function isUnusedBecauseMissing(lacking: Diagnostic, { code, span, subject }: Diagnostic): boolean {
  const isInSameFile = lacking.span.file === span.file
  if (lacking.code === 'missing-doc-param' && code === 'unused-assign' && isInSameFile)
    return findTypo(lacking.subject.name, [subject.name]) !== null
  return (
    lacking.code === 'missing-variable' &&
    lacking.subject.name === subject.name &&
    (code !== 'unused-assign' || isInSameFile)
  )
}
