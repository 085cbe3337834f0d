/**
 * Checks whether one diagnostic (`cause`) leads to another one (`consequence`), by their places and subjects. The table in
 * `site-cascades.ts` uses them.
 */
import type { Diagnostic } from './diagnostic.ts'
import { findLikelyTypo, findTypo } from './suggest.ts'

/** Returns whether the diagnostic is in the file of the partial that the cause names. */
export function isInNamedPartial({ subject }: Diagnostic, { span }: Diagnostic): boolean {
  return isPartialFile(subject.name, span.file)
}

/** Returns whether a file is the partial with this name. */
export function isPartialFile(partial: string, file: string): boolean {
  const [, module = null, name = ''] = /^(?:modules\/([^/]+)\/)?(?:lib\/)?(.*)$/.exec(partial) ?? []
  const isIn = module === null || file.includes(`modules/${module}/`)
  return isIn && file.replace(/\/_([^/]+)$/, '/$1').endsWith(`/${name.replace(/(^|\/)_([^/]+)$/, '$1$2')}.liquid`)
}

/** Returns what the diagnostic is about first: the owner of its subject, or the subject. */
function ownerOf({ subject }: Diagnostic): string {
  return subject.of ?? subject.name
}

/** Returns whether the names in both differ by one typo. */
export function hasSimilarName(cause: Diagnostic, consequence: Diagnostic): boolean {
  return findTypo(cause.subject.name, [ownerOf(consequence)]) !== null
}

/** Like `hasSimilarName`, for a variable or the partial of a call in the same file. */
export function hasSimilarNameInCall(cause: Diagnostic, consequence: Diagnostic): boolean {
  const { name, of } = consequence.subject
  return isInSameFile(cause, consequence) && findTypo(cause.subject.name, [name, of ?? name]) !== null
}

/** Returns whether the consequence is about a name that ends at the stray quote of the cause. */
export function endsAtStrayQuote(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    isInSameFile(cause, consequence) &&
    consequence.span.end === cause.span.start &&
    STRAY_QUOTE.test(cause.subject.name)
  )
}

const STRAY_QUOTE = /^\s*["']/

/** Returns whether the consequence names the partial that the cause is in. */
export function namesPartialOfCause({ span }: Diagnostic, consequence: Diagnostic): boolean {
  return isPartialFile(ownerOf(consequence), span.file)
}

/** Returns whether both are about the same placeholder. */
export function isSamePlaceholder(cause: Diagnostic, consequence: Diagnostic): boolean {
  return cause.subject.name === consequence.subject.name
}

/** Returns whether the consequence is close to the cause in the same file. */
export function isNearCause(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isInSameFile(cause, consequence) && Math.abs(consequence.span.start - cause.span.start) < 2 * MISREAD_LENGTH
}

/** Maximum number of characters between two spans in one tag. */
const MAX_TAG_LENGTH = 200

/** Returns whether the consequence is inside the tag that the cause names. */
export function isInsideNamedTag(cause: Diagnostic, consequence: Diagnostic): boolean {
  return beginsSoonAfter(cause, consequence, MAX_TAG_LENGTH) && consequence.subject.of === cause.subject.name
}

/** Returns whether the consequence begins after the beginning of the cause, less than `distance` characters later. */
function beginsSoonAfter(cause: Diagnostic, consequence: Diagnostic, distance: number): boolean {
  return isBefore(consequence, cause) && consequence.span.start < cause.span.start + distance
}

/** Returns whether a partial gets the list that the cause uses as a single element. */
export function isListInOtherPartial(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    !isInSameFile(cause, consequence) &&
    cause.subject.kind === 'list' &&
    cause.subject.name === ownerOf(consequence) &&
    /\/(?:partials|lib)\//.test(consequence.span.file)
  )
}

/** Returns whether a call passes the list that the cause uses as a single element. */
export function isListPassedAsArgument(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    cause.subject.kind === 'list' &&
    isInSameOrRelatedFile(cause, consequence) &&
    consequence.subject.type?.startsWith('array') === true
  )
}

/** Returns whether the consequence is about a string that ends at an unsupported backslash escape. */
export function isAfterCutString(cause: Diagnostic, consequence: Diagnostic): boolean {
  const { name, type = '' } = consequence.subject
  return touches(cause, consequence) || (isInSameFile(cause, consequence) && /\\(?:$|[`"…])/m.test(`${name}\n${type}`))
}

/** Returns whether the cause mentions the name in the consequence. */
export function isNamedByCause(cause: Diagnostic, consequence: Diagnostic): boolean {
  const words = `${cause.subject.name} ${cause.subject.meant}`.split(/\W+/)
  return isInSameFile(cause, consequence) && words.includes(consequence.subject.name)
}

/** Returns whether the consequence is in a related file of the cause, but not in the same file. */
export function isInRelatedFile(cause: Diagnostic, consequence: Diagnostic): boolean {
  return !isInSameFile(cause, consequence) && cause.related.some(({ span }) => span.file === consequence.span.file)
}

/** Like `hasSimilarName`, for the last segment of a path. */
export function hasSimilarLastSegment(cause: Diagnostic, consequence: Diagnostic): boolean {
  return findTypo(cause.subject.name, [consequence.subject.name.replace(/^.*\./, '')]) !== null
}

/** Returns whether a partial reads a variable that it sets under a misspelled name. */
export function readsMisspeltVariable(cause: Diagnostic, consequence: Diagnostic): boolean {
  return refersToFileOfCause(cause, consequence) && findTypo(cause.subject.name, [consequence.subject.name]) !== null
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
  const [first, other] = [cause, consequence].map(({ related }) => related[0]?.span.start ?? 0)
  return (
    beginsSoonAfter(cause, consequence, MAX_KEY_DISTANCE) &&
    Math.abs((other ?? 0) - (first ?? 0)) < MAX_KEY_DISTANCE &&
    cause.subject.name !== consequence.subject.name
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
  return isBefore(cause, consequence) && /^(?:raw|comment|doc|javascript|stylesheet)$/.test(cause.subject.name)
}

/** Returns whether the delimiter is missing only because an earlier one is missing. */
export function isSecondUnclosedDelimiter(cause: Diagnostic, consequence: Diagnostic): boolean {
  return beginsSoonAfter(cause, consequence, MISREAD_LENGTH)
}

/** Maximum number of characters that are misread after a missing delimiter. */
const MISREAD_LENGTH = 160

/** Returns whether the consequence is shortly after the cause. */
export function isSoonAfter(cause: Diagnostic, consequence: Diagnostic): boolean {
  const distance = consequence.span.start - cause.span.start
  return isInSameFile(cause, consequence) && distance >= 0 && distance < MISREAD_LENGTH
}

/** Words that end blocks in other languages. */
const END = /^(?:fi|done|esac|next|wend|end\w*)$/

/** Returns whether the cause is an end word of another language that was meant to close the block. */
export function isForeignEndTag({ code, subject, span }: Diagnostic, consequence: Diagnostic): boolean {
  if (span.file !== consequence.span.file || span.start < consequence.span.start) return false
  return code === 'unknown-tag' ? END.test(subject.name) : subject.of === consequence.subject.name
}

/** Returns whether a branch or end tag is left over after a wrong end tag. */
export function isStrayAfterWrongEnd(cause: Diagnostic, consequence: Diagnostic): boolean {
  return cause !== consequence && isBefore(consequence, cause) && (consequence.subject.of ?? null) === null
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
    cause.subject.kind === 'list' &&
    (isInSameFile(cause, consequence) || /\/(?:partials|lib)\//.test(consequence.span.file))
  )
}

/** Returns whether a call does not pass the value into which the partial writes. */
export function isArgumentOfInvalidWrite(cause: Diagnostic, consequence: Diagnostic): boolean {
  return consequence.subject.name === cause.subject.name && refersToFileOfCause(cause, consequence)
}

/** Returns whether the file name of one of the two pages suggests that it was meant to handle the path. */
export function isPossibleRouteOfPages({ span, related }: Diagnostic, { subject }: Diagnostic): boolean {
  const parts =
    /^\w+ \/([^?#]*)/
      .exec(subject.name)?.[1]
      ?.split('/')
      .filter((part) => /^[\w-]+$/.test(part)) ?? []
  const files = [span.file, ...related.map((other) => other.span.file)].map((file) => file.split(/[/.]/))
  return parts.length === 0 || files.some((names) => parts.some((part) => names.includes(part)))
}

/** Returns whether the consequence is about the type of a property whose declaration is invalid. */
export function isPropertyOfUnreadTable(cause: Diagnostic, { subject }: Diagnostic): boolean {
  return TABLE.test(cause.span.file) && subject.kind === 'property'
}

/** Returns whether the consequence is the end tag of the unknown tag. */
export function isEndOfUnknownTag(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isBefore(consequence, cause) && consequence.subject.name === `end${cause.subject.name}`
}

/** Returns whether the consequence is surplus markup directly after the undefined name. */
export function isSurplusAfterName(cause: Diagnostic, { span, subject, rewritten }: Diagnostic): boolean {
  const distance = span.start - cause.span.end
  const isOfName = span.file === cause.span.file && distance >= 0 && distance <= 1
  return isOfName && rewritten === undefined && !STRAY_QUOTE.test(subject.name)
}

/** Returns whether the consequence is after the cause in the same file. */
export function isAfter(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isBefore(consequence, cause)
}

/** Returns whether the consequence is an unused fragment, while the cause is the missing selection that was meant to use it. */
export function isUnusedFragment(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    isInSameFile(cause, consequence) &&
    consequence.subject.kind === 'query: unused fragment' &&
    cause.subject.kind === 'query: missing selection'
  )
}

/** Returns whether the cause is about an argument of the partial that contains the consequence. That partial may pass the value on. */
export function isPassedToNextPartial(cause: Diagnostic, consequence: Diagnostic): boolean {
  return cause !== consequence && refersToFileOfCause(consequence, cause)
}

/** Returns whether the cause is a misspelling of `authorization_policies` in the same file. */
export function isAboutPolicies(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isInSameFile(cause, consequence) && cause.subject.meant === 'authorization_policies'
}

/** Returns whether the path matches the file name of the page. */
export function isRouteOfFile({ span }: Diagnostic, { subject }: Diagnostic): boolean {
  const route = /\/pages\/(.+?)(?:\.\w+)*$/.exec(span.file)?.[1]
  return route !== undefined && /^(?:POST|PUT|PATCH|DELETE) /.test(subject.name) && subject.name.includes(` /${route}`)
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
export function isPassedInRewrite({ rewritten }: Diagnostic, { subject: { name, of } }: Diagnostic): boolean {
  const text = rewritten?.text ?? ''
  return [name, of ?? name].some((each) => text.includes(`${each}: `) || text.includes(`'${each}/`))
}

/** Returns whether a call of the partial passes a similar name that is not known to be correct. */
export function isPassedUnderSimilarName(cause: Diagnostic, consequence: Diagnostic): boolean {
  if (!isPartialFile(ownerOf(cause), consequence.span.file) || isReadUnderSimilarName(consequence, cause)) return false
  return findLikelyTypo(consequence.subject.name, [cause.subject.name]) !== null
}

/** Returns whether the called partial reads the argument under a misspelled name. */
export function isReadUnderSimilarName({ span, subject }: Diagnostic, consequence: Diagnostic): boolean {
  return isPartialFile(ownerOf(consequence), span.file) && subject.meant === consequence.subject.name
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
  return (
    cause.subject.meant === 'fields' && (isInSameFile(cause, consequence) || refersToFileOfCause(cause, consequence))
  )
}

/** Returns whether both are about the same name, in the same file. */
export function isSameName(cause: Diagnostic, consequence: Diagnostic): boolean {
  return isInSameFile(cause, consequence) && cause.subject.name === consequence.subject.name
}

/** Returns whether both are about the same validation, and the cause comes shortly after it. */
export function isNextInSameRule(cause: Diagnostic, consequence: Diagnostic): boolean {
  return (
    isInSameFile(cause, consequence) &&
    ownerOf(cause) === consequence.subject.name &&
    cause.span.start > consequence.span.start &&
    cause.span.start - consequence.span.end < 200
  )
}

/** Returns whether the consequence reads a field of a parameter for which a call passes another type. */
export function isFieldOfMismatchedArgument({ subject, related }: Diagnostic, consequence: Diagnostic): boolean {
  return related.some(({ span }) => span.file === consequence.span.file) && ownerOf(consequence) === subject.name
}

/** Returns whether the parameter is misspelled in its declaration, and the partial reads it under the correct name. */
export function isMisspeltParameter(cause: Diagnostic, consequence: Diagnostic): boolean {
  const { name, meant } = cause.subject
  return refersToFileOfCause(cause, consequence) && [name, meant].includes(consequence.subject.name)
}
