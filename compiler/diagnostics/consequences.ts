/** What follows from a mistake, by the codes of both: it is told at its cause alone. */
import type { Diagnostic } from './diagnostic.ts'
import { distance, likelySlip, slipOf } from './suggest.ts'

/** Causes of a kind that are looked at: a text with more of them is none that somebody writes. */
const MOST_CAUSES = 100

/** Tells of each diagnostic whether it follows from another one. */
export function consequencesIn(all: readonly Diagnostic[]): (diagnostic: Diagnostic) => boolean {
  const found = CONSEQUENCES.flatMap((each) => {
    const causes = all.filter(({ code }) => each.of.includes(code)).slice(0, MOST_CAUSES)
    return causes.length === 0 ? [] : [{ ...each, causes }]
  })
  return (each) => found.some((one) => one.code.test(each.code) && one.causes.some((cause) => one.leadsTo(cause, each)))
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
  { code: /^missing-setting$/, of: ['unknown-setting'], leadsTo: isMisspeltKey },
  { code: /^unknown-inferred-argument$/, of: ['foreign-markup'], leadsTo: isOfItsFile },
  { code: /^variable-type$/, of: ['query-variable-type'], leadsTo: isRelatedTo },
  { code: /^property-value-type$/, of: ['setting-refused', 'unknown-setting'], leadsTo: isRelatedTo },
  { code: /^(?:unserved-query|impossible-comparison|impossible-order)$/, of: TABLE_CODES, leadsTo: isOfTables },
  { code: /^unknown-(?:form-field|table-property)$/, of: ['duplicate-yaml-key'], leadsTo: isOfTables },
  {
    code: /^impossible-(?:comparison|order)$/,
    of: ['unknown-form-field', 'unknown-table-property'],
    leadsTo: isOfTables,
  },
  // Two entries that became one have all of their keys twice.
  { code: /^duplicate-yaml-key$/, of: ['duplicate-yaml-key'], leadsTo: isNextKey },
  { code: /^unknown-field$/, of: ['setting-refused'], leadsTo: isFieldOfForm },
  { code: /^unknown-field$/, of: ['setting-refused'], leadsTo: isRelatedTo },
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
  { code: /^stray-markup$/, of: ['missing-variable', 'missing-argument'], leadsTo: isItsArgument },
  { code: /^list-as-object$/, of: ['list-as-object'], leadsTo: isHandedOn },
  { code: /^argument-type$/, of: ['list-as-object'], leadsTo: isOfList },
  { code: /^(?:unsafe-place|unescaped-input)$/, of: ['list-as-object'], leadsTo: isAnyOfList },
  // A page under the address of another one no longer answers its own.
  { code: /^missing-page$/, of: ['duplicate-route'], leadsTo: isAny },
  { code: /^unknown-parameter$/, of: ['duplicate-route'], leadsTo: isRelated },
  { code: /^missing-content-for-layout$/, of: ['unclosed-delimiter'], leadsTo: isInFile },
  // What a page prints as it stands is not read.
  { code: /^unused-(?:assign|doc-param)$/, of: ['foreign-markup'], leadsTo: isNamedIn },
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
  { code: /^mismatched-end$/, of: ['mismatched-end'], leadsTo: isSecondEnd },
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

/** Whether it is about the partial in a message, by its name. */
function isOfPartial({ message }: Diagnostic, { span }: Diagnostic): boolean {
  return isFileOf(nameIn(message), span.file)
}

/** Whether a file is the one of a partial's name. */
export function isFileOf(partial: string, file: string): boolean {
  const [, module = null, name = ''] = /^(?:modules\/([^/]+)\/)?(?:lib\/)?(.*)$/.exec(partial) ?? []
  const isIn = module === null || file.includes(`modules/${module}/`)
  return isIn && file.replace(/\/_([^/]+)$/, '/$1').endsWith(`/${name.replace(/(^|\/)_([^/]+)$/, '$1$2')}.liquid`)
}

function isMisspelt(cause: Diagnostic, each: Diagnostic): boolean {
  return slipOf(nameIn(cause.message), [nameIn(each.message)]) !== null
}

/** As `isMisspelt`, for what is told of a call: the name of the partial stands before that of the variable. */
function isMisspeltInCall(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && slipOf(nameIn(cause.message), namesIn(each.message).slice(0, 2)) !== null
}

/** Whether it is about the name before a quote that belongs to nothing. */
function isBeforeQuote(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && each.span.end === cause.span.start && /^`["']/.test(cause.message)
}

function isMisspeltKey(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && distance(nameIn(cause.message), nameIn(each.message), 1) <= 1
}

function isOfItsFile({ span }: Diagnostic, { message }: Diagnostic): boolean {
  return isFileOf(nameIn(message), span.file)
}

/** Whether both are about one place in a text. */
function isSamePlace(cause: Diagnostic, each: Diagnostic): boolean {
  return namesIn(cause.message)[1] === namesIn(each.message)[1]
}

function isNear(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && Math.abs(each.span.start - cause.span.start) < 2 * SWALLOWED
}

const LONGEST_TAG = 200

function isOfItsTag(cause: Diagnostic, each: Diagnostic): boolean {
  const behind = each.span.start - cause.span.start
  const tag = nameIn(cause.message)
  return isInFile(cause, each) && behind > 0 && behind < LONGEST_TAG && namesIn(each.message).at(-1) === tag
}

/** Whether what is not read begins with the name that a call lacks. */
function isItsArgument(cause: Diagnostic, each: Diagnostic): boolean {
  const name = namesIn(cause.message)[1] ?? ''
  return isInFile(cause, each) && nameIn(each.message).startsWith(`${name} `)
}

/** Whether a file is handed the list that another one takes for one of its elements. */
function isHandedOn(cause: Diagnostic, each: Diagnostic): boolean {
  return (
    !isInFile(cause, each) &&
    cause.message.includes('is a list here') &&
    nameIn(cause.message) === nameIn(each.message) &&
    /\/(?:partials|lib)\//.test(each.span.file)
  )
}

function isAnyOfList({ message }: Diagnostic): boolean {
  return message.includes('is a list here')
}

/** Whether a call hands on the list that was to be one of its elements. */
function isOfList(cause: Diagnostic, each: Diagnostic): boolean {
  return isAnyOfList(cause) && isInFile(cause, each) && each.message.includes('this is an array')
}

/** Whether it is about a text that a backslash cuts. */
function isCutText(cause: Diagnostic, each: Diagnostic): boolean {
  return touches(cause, each) || (isInFile(cause, each) && /\\[`"]/.test(each.message))
}

/** Whether the name stands in what the cause tells of. */
function isNamedIn(cause: Diagnostic, each: Diagnostic): boolean {
  const words = (namesIn(cause.message)[0] ?? '').split(/\W+/)
  return isInFile(cause, each) && words.includes(nameIn(each.message))
}

function isInRelated(cause: Diagnostic, each: Diagnostic): boolean {
  return !isInFile(cause, each) && cause.related.some(({ span }) => span.file === each.span.file)
}

/** As `isMisspelt`, for the last part of a path. */
function isLastMisspelt(cause: Diagnostic, each: Diagnostic): boolean {
  return slipOf(nameIn(cause.message), [nameIn(each.message).replace(/^.*\./, '')]) !== null
}

/** Whether a partial reads a variable that it sets by a misspelt name. */
function isMeantBy(cause: Diagnostic, { message, related }: Diagnostic): boolean {
  return (
    related.some(({ span }) => span.file === cause.span.file) &&
    slipOf(nameIn(cause.message), [namesIn(message)[1] ?? '']) !== null
  )
}

const TABLE = /(?:schema|custom_model_types|model_schemas)\/.*\.ya?ml$/

function isOfTables({ span }: Diagnostic): boolean {
  return TABLE.test(span.file)
}

/** Most signs between two keys of an entry. */
const KEY_DISTANCE = 120

function isNextKey(cause: Diagnostic, each: Diagnostic): boolean {
  const behind = each.span.start - cause.span.start
  const [first, other] = [cause, each].map(({ related }) => related[0]?.span.start ?? 0)
  return (
    isInFile(cause, each) &&
    behind > 0 &&
    behind < KEY_DISTANCE &&
    Math.abs((other ?? 0) - (first ?? 0)) < KEY_DISTANCE &&
    nameIn(cause.message) !== nameIn(each.message)
  )
}

function isFieldOfForm(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && nameIn(each.message).startsWith('form.')
}

/** Whether it is about what stands behind the name that a call cannot find, or behind what it does not read. */
function isInCall(cause: Diagnostic, each: Diagnostic): boolean {
  const behind = each.span.start - cause.span.end
  return isInFile(cause, each) && cause !== each && behind >= -1 && behind <= 2
}

function isInPlainText(cause: Diagnostic, each: Diagnostic): boolean {
  return isBefore(cause, each) && /^(?:raw|comment|doc|javascript|stylesheet)$/.test(nameIn(cause.message))
}

/** Whether one delimiter that is missing before another is why this has none either. */
function isSecondDelimiter(cause: Diagnostic, each: Diagnostic): boolean {
  return cause !== each && isSwallowed(cause, each) && each.span.start > cause.span.start
}

/** How far behind a missing delimiter is read what belongs before it. */
const SWALLOWED = 160

function isSwallowed(cause: Diagnostic, each: Diagnostic): boolean {
  const behind = each.span.start - cause.span.start
  return isInFile(cause, each) && behind >= 0 && behind < SWALLOWED
}

/** Words that end blocks elsewhere. */
const END = /`(?:fi|done|esac|next|wend|end\w*)`/

function isOtherEnd(cause: Diagnostic, each: Diagnostic): boolean {
  if (!isInFile(cause, each) || cause.span.start < each.span.start) return false
  return END.test(cause.message) && (cause.code === 'unknown-tag' || namesIn(cause.message)[1] === nameIn(each.message))
}

/** Whether an end closes nothing, since the one that would have been closed was told to end otherwise. */
function isSecondEnd(cause: Diagnostic, each: Diagnostic): boolean {
  return (
    isBefore(each, cause) &&
    each.message.includes('never opened') &&
    cause.message.includes('stands where') &&
    nameIn(cause.message) === nameIn(each.message)
  )
}

function isBehind(cause: Diagnostic, each: Diagnostic): boolean {
  return isBefore(each, cause)
}

/** A fragment that nothing uses, where the selection that was to use it is told to be missing. */
function isLeftUnused(cause: Diagnostic, each: Diagnostic): boolean {
  return (
    isInFile(cause, each) && /^Fragment .* never used/.test(each.message) && /must have a selection/.test(cause.message)
  )
}

function isPassedOn(cause: Diagnostic, each: Diagnostic): boolean {
  return cause !== each && isRelatedTo(each, cause)
}

function isOfPolicies(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && `${cause.hint}`.includes('authorization_policies')
}

/** Whether the path is the one that the file of a page has by its name. */
function isRouteOf({ span }: Diagnostic, { message }: Diagnostic): boolean {
  const route = /\/pages\/(.+?)(?:\.\w+)*$/.exec(span.file)?.[1]
  return route !== undefined && /`(?:POST|PUT|PATCH|DELETE) /.test(message) && message.includes(` /${route}`)
}

function isAny(): boolean {
  return true
}

function isBefore(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && each.span.start < cause.span.start
}

/** Whether a tag as it was meant gives a name, or reads what is none. */
function isGivenBy({ hint = '' }: Diagnostic, each: Diagnostic): boolean {
  const names = namesIn(each.message)
  return hint.startsWith('Write `') && names.some((name) => hint.includes(`${name}: `) || hint.includes(`'${name}/`))
}

/** Whether a call of the partial gives a name that is spelled nearly so, and that is not known to be the right one. */
function isGivenOtherwise(cause: Diagnostic, each: Diagnostic): boolean {
  const [partial = '', name = ''] = namesIn(cause.message)
  if (!isFileOf(partial, each.span.file) || isMeantOtherwise(each, cause)) return false
  return likelySlip(nameIn(each.message), [name]) !== null
}

/** Whether the partial of a call reads what it is given by a misspelt name. */
function isMeantOtherwise({ span, hint }: Diagnostic, { message }: Diagnostic): boolean {
  const [partial = '', name] = namesIn(message)
  return isFileOf(partial, span.file) && hint === `Did you mean \`${name}\`?`
}

function touches(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && each.span.start <= cause.span.end && cause.span.start <= each.span.end
}

function isInFile(cause: Diagnostic, each: Diagnostic): boolean {
  return cause.span.file === each.span.file
}

/** Whether the cause, or what belongs to it, stands in the file. */
function isRelated(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) || cause.related.some(({ span }) => span.file === each.span.file)
}

function isRelatedTo(cause: Diagnostic, each: Diagnostic): boolean {
  return each.related.some(({ span }) => span.file === cause.span.file)
}

function isSameName(cause: Diagnostic, each: Diagnostic): boolean {
  return cause.span.file === each.span.file && nameIn(cause.message) === nameIn(each.message)
}

function isSameRule(cause: Diagnostic, each: Diagnostic): boolean {
  return isSameName(cause, each) && cause.span.start > each.span.start && cause.span.start - each.span.end < 200
}

/** Whether a part is read of a parameter for which a call gives a value of another type. */
function isGivenTo({ message, related }: Diagnostic, each: Diagnostic): boolean {
  return related.some(({ span }) => span.file === each.span.file) && nameIn(each.message) === namesIn(message)[1]
}

/** Whether a partial reads a parameter by the name that its `doc` was to give it. */
function isDeclaredOtherwise({ span, hint = '' }: Diagnostic, { message, related }: Diagnostic): boolean {
  const parameter = namesIn(message)[1] ?? ''
  const isMeant = hint.startsWith(`Did you mean \`${parameter}\``) || hint.includes(`says \`${parameter}\`:`)
  return related.some((other) => other.span.file === span.file) && isMeant
}

function namesIn(message: string): readonly string[] {
  return [...message.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

/** The first name in a message. */
export function nameIn(message: string): string {
  return /`([^`]+)`/.exec(message)?.[1] ?? ''
}
