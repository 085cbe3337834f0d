/**
 * Checks whether one diagnostic (`cause`) leads to another one (`consequence`), by their places and by the names in their messages. The
 * table in
 * `consequences.ts` uses them.
 */
import type { Diagnostic } from './diagnostic.ts'
import { findLikelyTypo, findTypo } from './suggest.ts'

/** Returns whether the diagnostic is in the file of the partial that the cause names. */
export function isInNamedPartial({ message }: Diagnostic, { span }: Diagnostic): boolean {
  return isPartialFile(firstName(message), span.file)
}

/** Returns whether a file is the partial with this name. */
export function isPartialFile(partial: string, file: string): boolean {
  const [, module = null, name = ''] = /^(?:modules\/([^/]+)\/)?(?:lib\/)?(.*)$/.exec(partial) ?? []
  const isIn = module === null || file.includes(`modules/${module}/`)
  return isIn && file.replace(/\/_([^/]+)$/, '/$1').endsWith(`/${name.replace(/(^|\/)_([^/]+)$/, '$1$2')}.liquid`)
}

/** Returns whether the names in both messages differ by one typo. */
export function hasSimilarName(cause: Diagnostic, consequence: Diagnostic): boolean {
  return findTypo(firstName(cause.message), [firstName(consequence.message)]) !== null
}

/** Like `hasSimilarName`, for messages about a call, which name the partial before the variable. */
export function hasSimilarNameInCall(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    isInSameFile(cause, consequence) &&
    findTypo(firstName(cause.message), backtickedNames(consequence.message).slice(0, 2)) !== null
  )
}

/** Returns whether the consequence is about a name that ends at the stray quote of the cause. */
export function endsAtStrayQuote(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isInSameFile(cause, consequence) && consequence.span.end === cause.span.start && /^`["']/.test(cause.message)
}

/** Returns whether the consequence names the partial that the cause is in. */
export function namesPartialOfCause({ span }: Diagnostic, { message }: Diagnostic): boolean {
  return isPartialFile(firstName(message), span.file)
}

/** Returns whether both are about the same placeholder. */
export function isSamePlaceholder(cause: Diagnostic, consequence: Diagnostic): boolean {
  return backtickedNames(cause.message)[1] === backtickedNames(consequence.message)[1]
}

/** Returns whether the consequence is close to the cause in the same file. */
export function isNearCause(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isInSameFile(cause, consequence) && Math.abs(consequence.span.start - cause.span.start) < 2 * MISREAD_LENGTH
}

/** Maximum number of characters between two spans in one tag. */
const MAX_TAG_LENGTH = 200

/** Returns whether the consequence is inside the tag that the cause names. */
export function isInsideNamedTag(cause: Diagnostic, consequence: Diagnostic): boolean {
  const distance = consequence.span.start - cause.span.start
  const tag = firstName(cause.message)
  return (
    isInSameFile(cause, consequence) &&
    distance > 0 &&
    distance < MAX_TAG_LENGTH &&
    backtickedNames(consequence.message).at(-1) === tag
  )
}

/** Returns whether a partial gets the list that the cause uses as a single element. */
export function isListInOtherPartial(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    !isInSameFile(cause, consequence) &&
    cause.message.includes('is a list here') &&
    firstName(cause.message) === firstName(consequence.message) &&
    /\/(?:partials|lib)\//.test(consequence.span.file)
  )
}

function isListUsedAsElement({ message }: Diagnostic): boolean {
  return message.includes('is a list here')
}

/** Returns whether a call passes the list that the cause uses as a single element. */
export function isListPassedAsArgument(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    isListUsedAsElement(cause) &&
    isInSameOrRelatedFile(cause, consequence) &&
    consequence.message.includes('this is an array')
  )
}

/** Returns whether the consequence is about a string that ends at an unsupported backslash escape. */
export function isAfterCutString(cause: Diagnostic, consequence: Diagnostic): boolean {
  return touches(cause, consequence) || (isInSameFile(cause, consequence) && /\\[`"]/.test(consequence.message))
}

/** Returns whether the cause mentions the name in the consequence. */
export function isNamedByCause(cause: Diagnostic, consequence: Diagnostic): boolean {
  const words = `${backtickedNames(cause.message)[0]} ${cause.hint}`.split(/\W+/)
  return isInSameFile(cause, consequence) && words.includes(firstName(consequence.message))
}

/** Returns whether the consequence is in a related file of the cause, but not in the same file. */
export function isInRelatedFile(cause: Diagnostic, consequence: Diagnostic): boolean {
  return !isInSameFile(cause, consequence) && cause.related.some(({ span }) => span.file === consequence.span.file)
}

/** Like `hasSimilarName`, for the last segment of a path. */
export function hasSimilarLastSegment(cause: Diagnostic, consequence: Diagnostic): boolean {
  return findTypo(firstName(cause.message), [firstName(consequence.message).replace(/^.*\./, '')]) !== null
}

/** Returns whether a partial reads a variable that it sets under a misspelled name. */
export function readsMisspeltVariable(cause: Diagnostic, { message, related }: Diagnostic): boolean {
  return (
    related.some(({ span }) => span.file === cause.span.file) &&
    findTypo(firstName(cause.message), [backtickedNames(message)[1] ?? '']) !== null
  )
}

const TABLE = /(?:schema|custom_model_types|model_schemas)\/.*\.ya?ml$/

/** Returns whether the consequence is in the file of a table. */
export function isInTableFile({ span }: Diagnostic): boolean {
  return TABLE.test(span.file)
}

/** Maximum number of characters between two keys of an entry. */
const MAX_KEY_DISTANCE = 120

/** Returns whether the consequence is about a key shortly after that of the cause, with the first occurrences also close together. */
export function isAdjacentKey(cause: Diagnostic, consequence: Diagnostic): boolean {
  const distance = consequence.span.start - cause.span.start
  const [first, other] = [cause, consequence].map(({ related }) => related[0]?.span.start ?? 0)
  return (
    isInSameFile(cause, consequence) &&
    distance > 0 &&
    distance < MAX_KEY_DISTANCE &&
    Math.abs((other ?? 0) - (first ?? 0)) < MAX_KEY_DISTANCE &&
    firstName(cause.message) !== firstName(consequence.message)
  )
}

/** Returns whether the consequence is inside a range that the fix of the cause replaces. */
export function isInsideChange({ change }: Diagnostic, { span }: Diagnostic): boolean {
  return (
    change?.edits.some(
      (edit) => edit.span.file === span.file && edit.span.start <= span.start && span.end <= edit.span.end,
    ) === true
  )
}

/** Returns whether the consequence is directly after the cause: after a missing name in a call, or after ignored markup. */
export function isDirectlyAfter(cause: Diagnostic, consequence: Diagnostic): boolean {
  const distance = consequence.span.start - cause.span.end
  return isInSameFile(cause, consequence) && cause !== consequence && distance >= -1 && distance <= 2
}

/** Returns whether the consequence is part of an unclosed plain-text block. */
export function isInsidePlainTextBlock(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isBefore(cause, consequence) && /^(?:raw|comment|doc|javascript|stylesheet)$/.test(firstName(cause.message))
}

/** Returns whether the delimiter is missing only because an earlier one is missing. */
export function isSecondUnclosedDelimiter(cause: Diagnostic, consequence: Diagnostic): boolean {
  return cause !== consequence && isSoonAfter(cause, consequence) && consequence.span.start > cause.span.start
}

/** Maximum number of characters that are misread after a missing delimiter. */
const MISREAD_LENGTH = 160

/** Returns whether the consequence is shortly after the cause. */
export function isSoonAfter(cause: Diagnostic, consequence: Diagnostic): boolean {
  const distance = consequence.span.start - cause.span.start
  return isInSameFile(cause, consequence) && distance >= 0 && distance < MISREAD_LENGTH
}

/** Words that end blocks in other languages. */
const END = /`(?:fi|done|esac|next|wend|end\w*)`/

/** Returns whether the cause is an end word of another language that was meant to close the block. */
export function isForeignEndTag(cause: Diagnostic, consequence: Diagnostic): boolean {
  if (!isInSameFile(cause, consequence) || cause.span.start < consequence.span.start) return false
  return (
    END.test(cause.message) &&
    (cause.code === 'unknown-tag' || backtickedNames(cause.message)[1] === firstName(consequence.message))
  )
}

/** Returns whether a branch or end tag is left over after a wrong end tag. */
export function isStrayAfterWrongEnd(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    cause !== consequence &&
    isBefore(consequence, cause) &&
    /only allowed inside|never opened/.test(consequence.message)
  )
}

/** Returns whether the cause is in the tag or at the beginning of its body. */
export function isInsideSameTag(cause: Diagnostic, consequence: Diagnostic): boolean {
  const distance = cause.span.start - consequence.span.end
  return (
    touches(cause, consequence) || (isInSameFile(cause, consequence) && distance > 0 && distance < MAX_TAG_LENGTH / 4)
  )
}

/** Returns whether the markup is in a call that certainly fails because of a missing argument. */
export function isMarkupOfFailingCall(cause: Diagnostic, consequence: Diagnostic): boolean {
  return cause.severity === 'error' && isMarkupOfCall(cause, consequence, MAX_TAG_LENGTH)
}

/** Returns whether the call is only parsed up to the stray markup. */
export function isCallBeforeStrayMarkup(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isMarkupOfCall(consequence, cause, MAX_GAP)
}

/** Maximum number of characters between the parsed part of a call and the stray markup. */
const MAX_GAP = 4

/** Returns whether the markup is inside a call, or at most `maxDistance` characters after it. */
function isMarkupOfCall(call: Diagnostic, markup: Diagnostic, maxDistance: number): boolean {
  const distance = markup.span.start - call.span.end
  return isInSameFile(call, markup) && markup.span.start >= call.span.start && distance <= maxDistance
}

/** Returns whether the consequence is about the elements of a list that is used as a single element, in the same file or in a partial. */
export function isElementOfList(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    isListUsedAsElement(cause) &&
    (isInSameFile(cause, consequence) || /\/(?:partials|lib)\//.test(consequence.span.file))
  )
}

/** Returns whether a call does not pass the value into which the partial writes. */
export function isArgumentOfInvalidWrite(cause: Diagnostic, { message, related }: Diagnostic): boolean {
  return (
    backtickedNames(message)[1] === firstName(cause.message) &&
    related.some(({ span }) => span.file === cause.span.file)
  )
}

/** Returns whether the file name of one of the two pages suggests that it was meant to handle the path. */
export function isPossibleRouteOfPages({ span, related }: Diagnostic, { message }: Diagnostic): boolean {
  const parts =
    /`\w+ \/([^`?#]*)/
      .exec(message)?.[1]
      ?.split('/')
      .filter((part) => /^[\w-]+$/.test(part)) ?? []
  const files = [span.file, ...related.map((other) => other.span.file)].map((file) => file.split(/[/.]/))
  return parts.length === 0 || files.some((names) => parts.some((part) => names.includes(part)))
}

/** Returns whether the consequence is about the type of a property whose declaration is invalid. */
export function isPropertyOfUnreadTable(cause: Diagnostic, { message }: Diagnostic): boolean {
  return TABLE.test(cause.span.file) && message.startsWith('Property ')
}

/** Returns whether the consequence is the end tag of the unknown tag. */
export function isEndOfUnknownTag(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isBefore(consequence, cause) && firstName(consequence.message) === `end${firstName(cause.message)}`
}

/** Returns whether the consequence is surplus markup directly after the undefined name. */
export function isSurplusAfterName(cause: Diagnostic, { span, message, hint }: Diagnostic): boolean {
  const distance = span.start - cause.span.end
  const isOfName = span.file === cause.span.file && distance >= 0 && distance <= 1
  return isOfName && hint === 'Remove it.' && !/^`["']/.test(message)
}

/** Returns whether the consequence is after the cause in the same file. */
export function isAfter(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isBefore(consequence, cause)
}

/** Returns whether the consequence is an unused fragment, while the cause is the missing selection that was meant to use it. */
export function isUnusedFragment(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    isInSameFile(cause, consequence) &&
    /^Fragment .* never used/.test(consequence.message) &&
    /must have a selection/.test(cause.message)
  )
}

/** Returns whether the cause is about an argument of the partial that contains the consequence. That partial may pass the value on. */
export function isPassedToNextPartial(cause: Diagnostic, consequence: Diagnostic): boolean {
  return cause !== consequence && refersToFileOfCause(consequence, cause)
}

/** Returns whether the cause is a misspelling of `authorization_policies` in the same file. */
export function isAboutPolicies(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isInSameFile(cause, consequence) && `${cause.hint}`.includes('authorization_policies')
}

/** Returns whether the path matches the file name of the page. */
export function isRouteOfFile({ span }: Diagnostic, { message }: Diagnostic): boolean {
  const route = /\/pages\/(.+?)(?:\.\w+)*$/.exec(span.file)?.[1]
  return route !== undefined && /`(?:POST|PUT|PATCH|DELETE) /.test(message) && message.includes(` /${route}`)
}

/** Always true: every such cause leads to the consequence. */
export function always(): boolean {
  return true
}

/** Returns whether the consequence is before the cause in the same file. */
export function isBefore(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isInSameFile(cause, consequence) && consequence.span.start < cause.span.start
}

/** Returns whether the suggested rewrite passes the name, or contains it in quotes as part of a path. */
export function isPassedInRewrite({ hint = '' }: Diagnostic, consequence: Diagnostic): boolean {
  const names = backtickedNames(consequence.message)
  return hint.startsWith('Write `') && names.some((name) => hint.includes(`${name}: `) || hint.includes(`'${name}/`))
}

/** Returns whether a call of the partial passes a similar name that is not known to be correct. */
export function isPassedUnderSimilarName(cause: Diagnostic, consequence: Diagnostic): boolean {
  const [partial = '', name = ''] = backtickedNames(cause.message)
  if (!isPartialFile(partial, consequence.span.file) || isReadUnderSimilarName(consequence, cause)) return false
  return findLikelyTypo(firstName(consequence.message), [name]) !== null
}

/** Returns whether the called partial reads the argument under a misspelled name. */
export function isReadUnderSimilarName({ span, hint }: Diagnostic, { message }: Diagnostic): boolean {
  const [partial = '', name] = backtickedNames(message)
  return isPartialFile(partial, span.file) && hint === `Did you mean \`${name}\`?`
}

/** Returns whether both spans touch. */
export function touches(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    isInSameFile(cause, consequence) &&
    consequence.span.start <= cause.span.end &&
    cause.span.start <= consequence.span.end
  )
}

/** Returns whether both are in the same file. */
export function isInSameFile(cause: Diagnostic, consequence: Diagnostic): boolean {
  return cause.span.file === consequence.span.file
}

/** Returns whether the consequence is in the file of the cause or in a related file. */
export function isInSameOrRelatedFile(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isInSameFile(cause, consequence) || cause.related.some(({ span }) => span.file === consequence.span.file)
}

/** Returns whether the consequence refers to the file of the cause. */
export function refersToFileOfCause(cause: Diagnostic, consequence: Diagnostic): boolean {
  return consequence.related.some(({ span }) => span.file === cause.span.file)
}

/** Returns whether the fields of the form are unknown because the key `fields` is misspelled. */
export function isFieldOfUnreadForm(cause: Diagnostic, consequence: Diagnostic): boolean {
  const isFields = cause.change?.edits.some(({ text }) => text === 'fields') === true
  return isFields && (cause.span.file === consequence.span.file || refersToFileOfCause(cause, consequence))
}

/** Returns whether both messages begin with the same name, in the same file. */
export function isSameName(cause: Diagnostic, consequence: Diagnostic): boolean {
  return cause.span.file === consequence.span.file && firstName(cause.message) === firstName(consequence.message)
}

/** Returns whether both are about the same validation, and the cause comes shortly after it. */
export function isNextInSameRule(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    isSameName(cause, consequence) &&
    cause.span.start > consequence.span.start &&
    cause.span.start - consequence.span.end < 200
  )
}

/** Returns whether the consequence reads a field of a parameter for which a call passes another type. */
export function isFieldOfMismatchedArgument({ message, related }: Diagnostic, consequence: Diagnostic): boolean {
  return (
    related.some(({ span }) => span.file === consequence.span.file) &&
    firstName(consequence.message) === backtickedNames(message)[1]
  )
}

/** Returns whether the parameter is misspelled in its declaration, and the partial reads it under the correct name. */
export function isMisspeltParameter({ span, hint = '' }: Diagnostic, { message, related }: Diagnostic): boolean {
  const parameter = backtickedNames(message)[1] ?? ''
  const isMeant =
    hint.startsWith(`Did you mean \`${parameter}\``) || hint.startsWith(`\`${parameter}\` occurs nowhere else`)
  return related.some((other) => other.span.file === span.file) && isMeant
}

/** Returns all names in backticks in a message. */
function backtickedNames(message: string): readonly string[] {
  return [...message.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

/** Returns the first name in backticks in a message. */
export function firstName(message: string): string {
  return /`([^`]+)`/.exec(message)?.[1] ?? ''
}
