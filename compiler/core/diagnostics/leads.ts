/** Whether one finding leads to another, by their places and by the names in what they say. */
import type { Diagnostic } from './diagnostic.ts'
import { likelySlip, slipOf } from './suggest.ts'

/** Whether it is about the partial in a message, by its name. */
export function isOfPartial({ message }: Diagnostic, { span }: Diagnostic): boolean {
  return isFileOf(nameIn(message), span.file)
}

/** Whether a file is the one of a partial's name. */
export function isFileOf(partial: string, file: string): boolean {
  const [, module = null, name = ''] = /^(?:modules\/([^/]+)\/)?(?:lib\/)?(.*)$/.exec(partial) ?? []
  const isIn = module === null || file.includes(`modules/${module}/`)
  return isIn && file.replace(/\/_([^/]+)$/, '/$1').endsWith(`/${name.replace(/(^|\/)_([^/]+)$/, '$1$2')}.liquid`)
}

export function isMisspelt(cause: Diagnostic, each: Diagnostic): boolean {
  return slipOf(nameIn(cause.message), [nameIn(each.message)]) !== null
}

/** As `isMisspelt`, for what is told of a call: the name of the partial stands before that of the variable. */
export function isMisspeltInCall(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && slipOf(nameIn(cause.message), namesIn(each.message).slice(0, 2)) !== null
}

/** Whether it is about the name before a quote that belongs to nothing. */
export function isBeforeQuote(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && each.span.end === cause.span.start && /^`["']/.test(cause.message)
}

export function isOfItsFile({ span }: Diagnostic, { message }: Diagnostic): boolean {
  return isFileOf(nameIn(message), span.file)
}

/** Whether both are about one place in a text. */
export function isSamePlace(cause: Diagnostic, each: Diagnostic): boolean {
  return namesIn(cause.message)[1] === namesIn(each.message)[1]
}

export function isNear(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && Math.abs(each.span.start - cause.span.start) < 2 * SWALLOWED
}

const LONGEST_TAG = 200

export function isOfItsTag(cause: Diagnostic, each: Diagnostic): boolean {
  const behind = each.span.start - cause.span.start
  const tag = nameIn(cause.message)
  return isInFile(cause, each) && behind > 0 && behind < LONGEST_TAG && namesIn(each.message).at(-1) === tag
}

/** Whether a file is handed the list that another one takes for one of its elements. */
export function isHandedOn(cause: Diagnostic, each: Diagnostic): boolean {
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
export function isOfList(cause: Diagnostic, each: Diagnostic): boolean {
  return isAnyOfList(cause) && isRelated(cause, each) && each.message.includes('this is an array')
}

/** Whether it is about a text that a backslash cuts. */
export function isCutText(cause: Diagnostic, each: Diagnostic): boolean {
  return touches(cause, each) || (isInFile(cause, each) && /\\[`"]/.test(each.message))
}

/** Whether the name stands in what the cause tells of. */
export function isNamedIn(cause: Diagnostic, each: Diagnostic): boolean {
  const words = `${namesIn(cause.message)[0]} ${cause.hint}`.split(/\W+/)
  return isInFile(cause, each) && words.includes(nameIn(each.message))
}

export function isInRelated(cause: Diagnostic, each: Diagnostic): boolean {
  return !isInFile(cause, each) && cause.related.some(({ span }) => span.file === each.span.file)
}

/** As `isMisspelt`, for the last part of a path. */
export function isLastMisspelt(cause: Diagnostic, each: Diagnostic): boolean {
  return slipOf(nameIn(cause.message), [nameIn(each.message).replace(/^.*\./, '')]) !== null
}

/** Whether a partial reads a variable that it sets by a misspelt name. */
export function isMeantBy(cause: Diagnostic, { message, related }: Diagnostic): boolean {
  return (
    related.some(({ span }) => span.file === cause.span.file) &&
    slipOf(nameIn(cause.message), [namesIn(message)[1] ?? '']) !== null
  )
}

const TABLE = /(?:schema|custom_model_types|model_schemas)\/.*\.ya?ml$/

export function isOfTables({ span }: Diagnostic): boolean {
  return TABLE.test(span.file)
}

/** Most signs between two keys of an entry. */
const KEY_DISTANCE = 120

export function isNextKey(cause: Diagnostic, each: Diagnostic): boolean {
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

/** Whether it stands in what the cause is to be changed to. */
export function isInItsChange({ change }: Diagnostic, { span }: Diagnostic): boolean {
  return (
    change?.edits.some(
      (each) => each.span.file === span.file && each.span.start <= span.start && span.end <= each.span.end,
    ) === true
  )
}

/** Whether it is about what stands behind the name that a call cannot find, or behind what it does not read. */
export function isInCall(cause: Diagnostic, each: Diagnostic): boolean {
  const behind = each.span.start - cause.span.end
  return isInFile(cause, each) && cause !== each && behind >= -1 && behind <= 2
}

export function isInPlainText(cause: Diagnostic, each: Diagnostic): boolean {
  return isBefore(cause, each) && /^(?:raw|comment|doc|javascript|stylesheet)$/.test(nameIn(cause.message))
}

/** Whether one delimiter that is missing before another is why this has none either. */
export function isSecondDelimiter(cause: Diagnostic, each: Diagnostic): boolean {
  return cause !== each && isSwallowed(cause, each) && each.span.start > cause.span.start
}

/** How far behind a missing delimiter is read what belongs before it. */
const SWALLOWED = 160

export function isSwallowed(cause: Diagnostic, each: Diagnostic): boolean {
  const behind = each.span.start - cause.span.start
  return isInFile(cause, each) && behind >= 0 && behind < SWALLOWED
}

/** Words that end blocks elsewhere. */
const END = /`(?:fi|done|esac|next|wend|end\w*)`/

export function isOtherEnd(cause: Diagnostic, each: Diagnostic): boolean {
  if (!isInFile(cause, each) || cause.span.start < each.span.start) return false
  return END.test(cause.message) && (cause.code === 'unknown-tag' || namesIn(cause.message)[1] === nameIn(each.message))
}

/** Whether a branch or an end stands alone behind one that ended another block than its own. */
export function isLeftBehind(cause: Diagnostic, each: Diagnostic): boolean {
  return cause !== each && isBefore(each, cause) && /stands alone|never opened/.test(each.message)
}

/** Whether the mistake stands in the tag, or begins its body. */
export function isInItsTag(cause: Diagnostic, each: Diagnostic): boolean {
  const behind = cause.span.start - each.span.end
  return touches(cause, each) || (isInFile(cause, each) && behind > 0 && behind < LONGEST_TAG / 4)
}

/** Whether a call surely fails for what it is not given, and the markup stands in it. */
export function isFailingCall(cause: Diagnostic, each: Diagnostic): boolean {
  return cause.severity === 'error' && isOfCall(cause, each, LONGEST_TAG)
}

/** Whether a call reads no further than up to some markup. */
export function isUnreadIn(cause: Diagnostic, each: Diagnostic): boolean {
  return isOfCall(each, cause, MOST_BETWEEN)
}

/** Most signs between what was read of a call and what was not. */
const MOST_BETWEEN = 4

/** Whether markup stands in a call, or goes on behind what was read of it. */
function isOfCall(call: Diagnostic, markup: Diagnostic, most: number): boolean {
  const behind = markup.span.start - call.span.end
  return isInFile(call, markup) && markup.span.start >= call.span.start && behind <= most
}

/** Whether it is about what a list holds that was to be one of its elements: in the same file, or in one that is given it. */
export function isOfItsValue(cause: Diagnostic, each: Diagnostic): boolean {
  return isAnyOfList(cause) && (isInFile(cause, each) || /\/(?:partials|lib)\//.test(each.span.file))
}

/** Whether a call lacks what a partial writes to without having it. */
export function isReadOf(cause: Diagnostic, { message, related }: Diagnostic): boolean {
  return namesIn(message)[1] === nameIn(cause.message) && related.some(({ span }) => span.file === cause.span.file)
}

/** Whether a path may be the one that one of two pages had, by the names of their files. */
export function isPathOf({ span, related }: Diagnostic, { message }: Diagnostic): boolean {
  const parts =
    /`\w+ \/([^`?#]*)/
      .exec(message)?.[1]
      ?.split('/')
      .filter((part) => /^[\w-]+$/.test(part)) ?? []
  const files = [span.file, ...related.map((other) => other.span.file)].map((file) => file.split(/[/.]/))
  return parts.length === 0 || files.some((names) => parts.some((part) => names.includes(part)))
}

/** Whether it is about the type that a property is taken to have, since its own cannot be read. */
export function isOfUnreadType(cause: Diagnostic, { message }: Diagnostic): boolean {
  return TABLE.test(cause.span.file) && message.startsWith('Property ')
}

/** Whether an end is that of a tag which does not exist. */
export function isEndOfUnknown(cause: Diagnostic, each: Diagnostic): boolean {
  return isBefore(each, cause) && nameIn(each.message) === `end${nameIn(cause.message)}`
}

/** Whether markup that is to be taken away stands behind a name that nothing sets. */
export function isJustBehind(cause: Diagnostic, { span, message, hint }: Diagnostic): boolean {
  const behind = span.start - cause.span.end
  const isOfName = span.file === cause.span.file && behind >= 0 && behind <= 1
  return isOfName && hint === 'Take it away.' && !/^`["']/.test(message)
}

export function isBehind(cause: Diagnostic, each: Diagnostic): boolean {
  return isBefore(each, cause)
}

/** A fragment that nothing uses, where the selection that was to use it is told to be missing. */
export function isLeftUnused(cause: Diagnostic, each: Diagnostic): boolean {
  return (
    isInFile(cause, each) && /^Fragment .* never used/.test(each.message) && /must have a selection/.test(cause.message)
  )
}

export function isPassedOn(cause: Diagnostic, each: Diagnostic): boolean {
  return cause !== each && isRelatedTo(each, cause)
}

export function isOfPolicies(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && `${cause.hint}`.includes('authorization_policies')
}

/** Whether the path is the one that the file of a page has by its name. */
export function isRouteOf({ span }: Diagnostic, { message }: Diagnostic): boolean {
  const route = /\/pages\/(.+?)(?:\.\w+)*$/.exec(span.file)?.[1]
  return route !== undefined && /`(?:POST|PUT|PATCH|DELETE) /.test(message) && message.includes(` /${route}`)
}

export function isAny(): boolean {
  return true
}

export function isBefore(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && each.span.start < cause.span.start
}

/** Whether a tag as it was meant gives a name, or reads what is none. */
export function isGivenBy({ hint = '' }: Diagnostic, each: Diagnostic): boolean {
  const names = namesIn(each.message)
  return hint.startsWith('Write `') && names.some((name) => hint.includes(`${name}: `) || hint.includes(`'${name}/`))
}

/** Whether a call of the partial gives a name that is spelled nearly so, and that is not known to be the right one. */
export function isGivenOtherwise(cause: Diagnostic, each: Diagnostic): boolean {
  const [partial = '', name = ''] = namesIn(cause.message)
  if (!isFileOf(partial, each.span.file) || isMeantOtherwise(each, cause)) return false
  return likelySlip(nameIn(each.message), [name]) !== null
}

/** Whether the partial of a call reads what it is given by a misspelt name. */
export function isMeantOtherwise({ span, hint }: Diagnostic, { message }: Diagnostic): boolean {
  const [partial = '', name] = namesIn(message)
  return isFileOf(partial, span.file) && hint === `Did you mean \`${name}\`?`
}

export function touches(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && each.span.start <= cause.span.end && cause.span.start <= each.span.end
}

export function isInFile(cause: Diagnostic, each: Diagnostic): boolean {
  return cause.span.file === each.span.file
}

/** Whether the cause, or what belongs to it, stands in the file. */
export function isRelated(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) || cause.related.some(({ span }) => span.file === each.span.file)
}

export function isRelatedTo(cause: Diagnostic, each: Diagnostic): boolean {
  return each.related.some(({ span }) => span.file === cause.span.file)
}

/** Whether the fields of a form were not read, because their key is misspelt. */
export function isOfUnreadFields(cause: Diagnostic, each: Diagnostic): boolean {
  const isFields = cause.change?.edits.some(({ text }) => text === 'fields') === true
  return isFields && (cause.span.file === each.span.file || isRelatedTo(cause, each))
}

export function isSameName(cause: Diagnostic, each: Diagnostic): boolean {
  return cause.span.file === each.span.file && nameIn(cause.message) === nameIn(each.message)
}

export function isSameRule(cause: Diagnostic, each: Diagnostic): boolean {
  return isSameName(cause, each) && cause.span.start > each.span.start && cause.span.start - each.span.end < 200
}

/** Whether a part is read of a parameter for which a call gives a value of another type. */
export function isGivenTo({ message, related }: Diagnostic, each: Diagnostic): boolean {
  return related.some(({ span }) => span.file === each.span.file) && nameIn(each.message) === namesIn(message)[1]
}

/** Whether a partial reads a parameter by the name that its `doc` was to give it. */
export function isDeclaredOtherwise({ span, hint = '' }: Diagnostic, { message, related }: Diagnostic): boolean {
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
