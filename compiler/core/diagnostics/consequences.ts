/** What follows from a mistake, by the codes of both: it is told at its cause alone. */
import type { Diagnostic } from './diagnostic.ts'
import {
  isAny,
  isBefore,
  isBeforeQuote,
  isBehind,
  isCutText,
  isDeclaredOtherwise,
  isGivenBy,
  isGivenOtherwise,
  isGivenTo,
  isHandedOn,
  isInCall,
  isEndOfUnknown,
  isFailingCall,
  isInFile,
  isInItsChange,
  isInItsTag,
  isUnreadIn,
  isInPlainText,
  isInRelated,
  isJustBehind,
  isLastMisspelt,
  isLeftBehind,
  isLeftUnused,
  isMeantBy,
  isMeantOtherwise,
  isMisspelt,
  isMisspeltInCall,
  isNamedIn,
  isNear,
  isNextKey,
  isOfItsFile,
  isOfItsTag,
  isOfList,
  isOfPartial,
  isOfPolicies,
  isOfTables,
  isOfUnreadType,
  isOtherEnd,
  isOfItsValue,
  isPassedOn,
  isPathOf,
  isReadOf,
  isRelated,
  isOfUnreadFields,
  isRelatedTo,
  isRouteOf,
  isSameName,
  isSamePlace,
  isSameRule,
  isSecondDelimiter,
  isSwallowed,
  touches,
} from './leads.ts'

/** Causes of a kind that are looked at: a text with more of them is none that somebody writes. */
const MOST_CAUSES = 100

/** Finds of each diagnostic the one that it follows from; null where there is none. */
export function consequencesIn(all: readonly Diagnostic[]): (diagnostic: Diagnostic) => Diagnostic | null {
  const found = CONSEQUENCES.flatMap((each) => {
    const causes = all.filter(({ code }) => each.of.includes(code)).slice(0, MOST_CAUSES)
    return causes.length === 0 ? [] : [{ ...each, causes }]
  })
  return (each) => {
    for (const { code, causes, leadsTo } of found) {
      const cause = code.test(each.code) ? causes.find((one) => leadsTo(one, each)) : undefined
      if (cause !== undefined) return cause
    }
    return null
  }
}

/** What follows from what: the codes of the causes, and whether one of these leads to it. */
interface Consequence {
  readonly of: readonly string[]
  readonly code: RegExp
  readonly leadsTo: (cause: Diagnostic, each: Diagnostic) => boolean
}

const LACKS_ARGUMENT = [
  'missing-argument',
  'missing-inferred-argument',
  'missing-variable',
  'argument-type',
  'variable-type',
  'missing-translation-argument',
]

/** Codes of tables whose properties are not what they were meant to be. */
const TABLE_CODES = ['setting-refused', 'unknown-setting', 'duplicate-yaml-key', 'yaml-syntax', 'missing-setting']

/** Codes about fields of values whose types are known. */
const TYPED = [
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
  // What stands behind an `else` that should have a condition, or is to be given to a filter, is not read.
  { code: /^unused-(?:assign|doc-param)$/, of: ['else-if', 'filter-arity'], leadsTo: isBefore },
  { code: /^unused-assign$/, of: ['function-without-return'], leadsTo: isOfPartial },
  // A name that one file sets and another one misspells.
  { code: /^unused-assign$/, of: ['undefined-variable'], leadsTo: isMisspelt },
  { code: /^unwritten-value$/, of: ['undefined-variable'], leadsTo: isLastMisspelt },
  { code: /^missing-inferred-argument$/, of: ['unused-assign'], leadsTo: isMeantBy },
  { code: /^(?:read-after-include|implicit-include-argument)$/, of: ['unused-assign'], leadsTo: isMisspeltInCall },
  { code: /^unknown-inferred-argument$/, of: ['foreign-markup'], leadsTo: isOfItsFile },
  { code: /^variable-type$/, of: ['query-variable-type'], leadsTo: isRelatedTo },
  { code: /^property-value-type$/, of: ['setting-refused', 'unknown-setting'], leadsTo: isOfUnreadType },
  { code: /^no-parts$/, of: ['unused-assign'], leadsTo: isMisspelt },
  { code: /^(?:unserved-query|impossible-comparison|impossible-order)$/, of: TABLE_CODES, leadsTo: isOfTables },
  { code: /^unknown-(?:form-field|table-property)$/, of: ['duplicate-yaml-key'], leadsTo: isOfTables },
  {
    code: /^impossible-(?:comparison|order)$/,
    of: ['unknown-form-field', 'unknown-table-property'],
    leadsTo: isOfTables,
  },
  // Two entries that became one have all of their keys twice.
  { code: /^duplicate-yaml-key$/, of: ['duplicate-yaml-key'], leadsTo: isNextKey },
  { code: /^duplicate-yaml-key$/, of: ['setting-refused'], leadsTo: isInItsChange },
  { code: /^unknown-field$/, of: ['setting-refused'], leadsTo: isRelatedTo },
  { code: /^unknown-field$/, of: ['unknown-setting'], leadsTo: isOfUnreadFields },
  {
    code: /^(?:missing-comma|stray-markup)$/,
    of: ['stray-markup', 'missing-partial', 'dynamic-render-name'],
    leadsTo: isInCall,
  },
  { code: /^single-quoted-braces$/, of: ['missing-partial', 'missing-query'], leadsTo: touches },
  // All that stands behind its tag is the text of a block of plain text without an end.
  { code: /^unclosed-tag$/, of: ['unclosed-tag'], leadsTo: isInPlainText },
  { code: /^missing-translation-argument$/, of: ['unmatched-placeholder'], leadsTo: isSamePlace },
  { code: /^unused-translation-argument$/, of: ['unclosed-placeholder'], leadsTo: isRelatedTo },
  { code: /^filter-argument-type$/, of: ['unclosed-delimiter'], leadsTo: isSwallowed },
  { code: /^unclosed-delimiter$/, of: ['unclosed-delimiter'], leadsTo: isSecondDelimiter },
  { code: /^unclosed-html$/, of: ['unclosed-delimiter'], leadsTo: isNear },
  {
    code: /^(?:unsafe-place|unescaped-input)$/,
    of: ['unclosed-start-tag', 'unclosed-attribute'],
    leadsTo: isSwallowed,
  },
  { code: /^read-after-include$/, of: ['unknown-tag'], leadsTo: isBehind },
  { code: /^mismatched-end$/, of: ['stray-branch'], leadsTo: isSwallowed },
  { code: /^unreachable-code$/, of: ['else-if'], leadsTo: isBehind },
  { code: /^unclosed-tag$/, of: ['broken-interpolation'], leadsTo: isBefore },
  {
    code: /^(?:constant-condition|no-parts|unknown-field|unknown-property|object-as-list|filter-argument-type)$/,
    of: ['filter-arity'],
    leadsTo: isBehind,
  },
  {
    code: /^(?:change-on-get|unguarded-change|unused-file|missing-page|un(?:written|read)-value)$/,
    of: ['front-matter-unread', 'front-matter-unclosed'],
    leadsTo: isAny,
  },
  { code: /^(?:unmatched-translation|unused-translation)$/, of: ['html-translation'], leadsTo: isSameName },
  // A type that is known says more than how a name is spelled.
  { code: /^misspelt-field$/, of: TYPED, leadsTo: touches },
  // What a block does not see is not idle around it.
  { code: /^unused-assign$/, of: ['unpassed-variable'], leadsTo: isSameName },
  // What is idle before a call that lacks a value was to be given to it.
  { code: /^unused-(?:assign|doc-param)$/, of: LACKS_ARGUMENT, leadsTo: isBefore },
  // The one option that a rule has is misspelt.
  { code: /^missing-validation-option$/, of: ['unknown-validation-option'], leadsTo: isSameRule },
  // What a partial reads of a value is what it declares that it takes.
  { code: /^no-parts$/, of: ['argument-type'], leadsTo: isGivenTo },
  { code: /^(?:impossible-(?:order|comparison)|filter-argument-type)$/, of: ['argument-type'], leadsTo: isInRelated },
  // What a redirect lets run is told once.
  { code: /^second-answer$/, of: ['effect-after-redirect'], leadsTo: isInFile },
  { code: /^(?:change-on-get|unguarded-change)$/, of: ['effect-after-redirect'], leadsTo: touches },
  // A form that nothing answers says the wrong method, or goes to the wrong address.
  { code: /^form-without-token$/, of: ['missing-page'], leadsTo: touches },
  // The key ends where a quote was to be escaped.
  {
    code: /^(?:missing-(?:translation|asset)|unmatched-(?:key|name)|filter-argument-type|date-format)$/,
    of: ['unsupported-string-escape'],
    leadsTo: isCutText,
  },
  // A query without its `=` is a block, whose arguments begin at its name.
  { code: /^stray-markup$/, of: ['unclosed-tag'], leadsTo: isOfItsTag },
  { code: /^list-as-object$/, of: ['list-as-object'], leadsTo: isHandedOn },
  { code: /^argument-type$/, of: ['list-as-object'], leadsTo: isOfList },
  { code: /^(?:unsafe-place|unescaped-input)$/, of: ['list-as-object'], leadsTo: isOfItsValue },
  // A page under the address of another one no longer answers its own.
  { code: /^missing-page$/, of: ['duplicate-route'], leadsTo: isPathOf },
  { code: /^unknown-parameter$/, of: ['duplicate-route'], leadsTo: isRelated },
  { code: /^missing-content-for-layout$/, of: ['unclosed-delimiter'], leadsTo: isInFile },
  // What a page prints as it stands is not read.
  { code: /^(?:unused-(?:assign|doc-param)|undefined-variable)$/, of: ['foreign-markup'], leadsTo: isNamedIn },
  // A text whose first quote is missing is read as a name.
  { code: /^(?:undefined-variable|missing-doc-param)$/, of: ['stray-markup'], leadsTo: isBeforeQuote },
  // A page that lacks its method answers the requests of another one.
  { code: /^change-on-get$/, of: ['duplicate-route'], leadsTo: isRelated },
  // An argument with two names has one too many, whatever lies between them.
  { code: /^missing-comma$/, of: ['nested-argument'], leadsTo: touches },
  { code: /^unserved-query$/, of: ['unused-query', 'unknown-table-property'], leadsTo: isInFile },
  { code: /^unused-translation-argument$/, of: ['duplicate-yaml-key'], leadsTo: isRelatedTo },
  // A parameter that is misspelt where it is declared: no call passes it by that name.
  { code: /^missing-argument$/, of: ['missing-doc-param'], leadsTo: isDeclaredOtherwise },
  // A block whose end is another word.
  { code: /^unclosed-tag$/, of: ['mismatched-end', 'unknown-tag'], leadsTo: isOtherEnd },
  // A block that ended too early leaves branches and ends behind.
  { code: /^stray-branch$/, of: ['mismatched-end'], leadsTo: isLeftBehind },
  // The end of a block that has another name here.
  { code: /^mismatched-end$/, of: ['unknown-tag'], leadsTo: isEndOfUnknown },
  { code: /^mismatched-end$/, of: ['mismatched-end'], leadsTo: isLeftBehind },
  // All that stands behind a loop without an end is in it.
  { code: /^nested-query$/, of: ['unclosed-tag', 'mismatched-end'], leadsTo: isInFile },
  // What may not run at all is not told to run too often.
  { code: /^nested-query$/, of: ['change-on-get', 'effect-after-redirect'], leadsTo: touches },
  // A tag that is wrong is not told to be old.
  { code: /^deprecated-tag$/, of: ['invalid-hash-assign-target', 'unclosed-tag', 'invalid-json'], leadsTo: isInItsTag },
  // What a call does not read is what it lacks: that is told where it fails, and else what is written.
  { code: /^stray-markup$/, of: LACKS_ARGUMENT, leadsTo: isFailingCall },
  { code: /^missing-inferred-argument$/, of: ['stray-markup'], leadsTo: isUnreadIn },
  // A text without its quotes, or the brackets of a call behind a name.
  { code: /^stray-markup$/, of: ['undefined-variable'], leadsTo: isJustBehind },
  { code: /^(?:undefined-variable|missing-doc-param)$/, of: ['invalid-write-target'], leadsTo: isSameName },
  { code: /^missing-inferred-argument$/, of: ['invalid-write-target'], leadsTo: isReadOf },
  { code: /^second-answer$/, of: ['tag-argument-value', 'tag-argument-type'], leadsTo: touches },
  { code: /^stray-markup$/, of: ['invalid-loop-arguments', 'several-assign-values'], leadsTo: isInItsTag },
  // The value goes on to another partial.
  { code: /^argument-type$/, of: ['argument-type'], leadsTo: isPassedOn },
  // Settings that say who may send a form are misspelt.
  {
    code: /^(?:open-record-form|open-user-form|unguarded-change)$/,
    of: ['setting-refused', 'unknown-setting'],
    leadsTo: isOfPolicies,
  },
  { code: /^missing-page$/, of: ['change-on-get'], leadsTo: isRouteOf },
  { code: /^duplicate-argument$/, of: ['unclosed-delimiter'], leadsTo: isBehind },
  { code: /^graphql-invalid$/, of: ['graphql-invalid'], leadsTo: isLeftUnused },
  { code: /^nested-query$/, of: ['missing-query'], leadsTo: touches },
  // What stands behind a delimiter or a quote that is missing is read as what it is not.
  {
    code: /^(?:filter-comma|broken-interpolation)$/,
    of: ['unclosed-delimiter', 'unclosed-string'],
    leadsTo: isSwallowed,
  },
  { code: /^foreign-markup$/, of: ['missing-content-for-layout'], leadsTo: touches },
  // A partial does not get what its call gives by another name.
  { code: /^undefined-variable$/, of: ['unknown-inferred-argument'], leadsTo: isGivenOtherwise },
  { code: /^unknown-inferred-argument$/, of: ['undefined-variable'], leadsTo: isMeantOtherwise },
  // A name that a rewritten call gives by another sign.
  { code: /^(?:undefined-variable|missing-(?:inferred|form)-argument)$/, of: ['stray-markup'], leadsTo: isGivenBy },
]
