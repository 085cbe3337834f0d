/** What follows in a whole site from a mistake in one of its files: pages, tables, translations, calls and queries that depend on it. */
import type { Span } from '../source/span.ts'
import type { Diagnostic } from './diagnostic.ts'
import { slipOf } from './suggest.ts'

/** Codes about translations that follow where a file of translations cannot be read. */
const ABOUT_TRANSLATIONS: ReadonlySet<string> = new Set([
  'missing-translation',
  'unmatched-key',
  'unmatched-translation',
  'missing-plural',
])

/** Codes that go by the method of a page. */
const ABOUT_METHODS: ReadonlySet<string> = new Set(['change-on-get', 'duplicate-route', 'missing-page'])

/** Codes about blocks of content, which another file fills or prints. */
const ABOUT_BLOCKS: ReadonlySet<string> = new Set(['yield-without-content', 'content-without-yield'])

/** Codes about the properties of a table. */
const ABOUT_PROPERTIES: ReadonlySet<string> = new Set(['unknown-table-property', 'unknown-form-field'])

/** Codes of what is there for nothing, which follow where a query is not given it. */
const ABOUT_UNPASSED: ReadonlySet<string> = new Set(['unused-assign', 'unknown-inferred-argument', 'unused-doc-param'])

/** Codes about a call or a field that does not fit another file, whose span is among the related ones. */
const ABOUT_OTHER_FILES: ReadonlySet<string> = new Set([
  'unknown-variable',
  'missing-variable',
  'unknown-table-property',
  'unknown-form-field',
])

/** Files by their paths. */
interface Unread {
  readonly unreadable: ReadonlySet<string>
  readonly broken: ReadonlySet<string>
}

/** Tells of each diagnostic whether it follows from another one. */
export function siteFollowUps(
  all: readonly Diagnostic[],
  { unreadable, broken }: Unread,
): (diagnostic: Diagnostic) => boolean {
  const inTranslations = ({ span }: Pick<Diagnostic, 'span'>) => span.file.includes('translations/')
  const unreadTranslations = all.some((each) => each.code === 'unreadable-file' && inTranslations(each))
  const unsureTranslations =
    all.some((each) => each.code === 'translation-locale' && inTranslations(each)) ||
    [...unreadable].some((file) => file.includes('translations/'))
  const lacksUsers = [...unreadable].some((file) =>
    /(?:^|\/)(?:user|user_profile_types\/.*|user_profile_schemas\/.*)\.ya?ml$/.test(file),
  )
  const lacksTable = [...unreadable].some((file) =>
    /(?:schema|custom_model_types|model_schemas)\/[^:]*\.ya?ml$/.test(file),
  )
  const wrongMethods = new Set([
    ...[...unreadable].filter((file) => file.includes('/pages/')),
    ...all.filter(isWrongMethod).map(({ span }) => span.file),
  ])
  const withoutProperties = new Set(
    all
      .filter(({ code, hint = '' }) => code === 'unknown-setting' && hint.includes('`properties`'))
      .map(({ span }) => /([^/]+)\.ya?ml$/.exec(span.file)?.[1] ?? ''),
  )
  const unmatched = all.filter(({ code }) => code === 'unmatched-translation')
  const cut = all.filter(({ code }) => CUT.test(code))
  const rewritten = all.filter(({ code, hint = '' }) => REWRITTEN.has(code) && hint.startsWith('Write `'))
  const isUntidy = all.some(({ code, severity }) => severity === 'error' || UNREAD.has(code))
  const consequences = CONSEQUENCES.map((each) => ({
    ...each,
    causes: all.filter(({ code }) => each.of.includes(code)),
  }))
  const lacking = all.filter(({ code }) => LACKING.test(code))
  return (each) => {
    const { code, message, related, span } = each
    if (ABOUT_METHODS.has(code) && isOfMethod(each, wrongMethods)) return true
    if (ABOUT_BLOCKS.has(code)) return broken.size > 0 || unreadable.size > 0
    if (code === 'missing-translation') return unreadTranslations || isOtherwiseUnmatched(each, unmatched)
    if (ABOUT_TRANSLATIONS.has(code)) return unreadTranslations || unsureTranslations
    if (code === 'unknown-table-property' && lacksTable && message.startsWith('No table has')) return true
    if (ABOUT_PROPERTIES.has(code) && withoutProperties.has(/`([^`]+)` has no property/.exec(message)?.[1] ?? ''))
      return true
    if (consequences.some((one) => one.code.test(code) && one.causes.some((cause) => one.leadsTo(cause, each))))
      return true
    if (code === 'unused-assign' && rewritten.some((other) => isMeantIn(other, each))) return true
    if (UNREAD_ARGUMENT.test(code) && isOfBroken(each, broken)) return true
    if (code === 'unread-fields' && isUntidy) return true
    if (code === 'stray-markup') return cut.some((other) => isCutName(other, span))
    if (ABOUT_UNPASSED.has(code) && lacking.some((other) => isUnpassed(other, each))) return true
    // Users and their profiles have no place of their own among the related ones.
    return (
      ABOUT_OTHER_FILES.has(code) &&
      (related.some((other) => unreadable.has(other.span.file)) ||
        (lacksUsers && related.length === 0 && /^(?:A user|Users|Profile)\b/.test(message)))
    )
  }
}

/** Codes of names by which what a query selects may be read. */
const UNREAD: ReadonlySet<string> = new Set([
  'unknown-field',
  'unknown-property',
  'undefined-variable',
  'tag-argument-type',
  'missing-doc-param',
  'unknown-argument',
  'unknown-inferred-argument',
  'missing-inferred-argument',
])

const UNREAD_ARGUMENT = /^unknown-(?:inferred-)?argument$/

/** Whether it is about a partial that cannot be read: what it reads is not known. */
function isOfBroken({ message }: Diagnostic, broken: ReadonlySet<string>): boolean {
  const name = nameIn(message).replace(/^(.*\/)?_?([^/]+)$/, '$1$2')
  return [...broken].some((file) => file.replace(/\/_([^/]+)$/, '/$1').endsWith(`/${name}.liquid`))
}

/** Codes of tags of which a rewrite is told. */
const REWRITTEN: ReadonlySet<string> = new Set([
  'stray-markup',
  'missing-argument',
  'missing-variable',
  'missing-inferred-argument',
  'dynamic-render-name',
])

/** Whether a tag as it was meant reads the variable. */
function isMeantIn({ span, hint = '' }: Diagnostic, each: Diagnostic): boolean {
  return span.file === each.span.file && new RegExp(`\\b${nameIn(each.message)}\\b`).test(hint)
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
]

const CONSEQUENCES: readonly Consequence[] = [
  // What a block does not see is not idle around it.
  { code: /^unused-assign$/, of: ['unpassed-variable'], leadsTo: isSameName },
  // A variable that is idle before a call that lacks a value was to be given to it.
  { code: /^unused-assign$/, of: LACKS_ARGUMENT, leadsTo: isBefore },
  // The one option that a rule has is misspelt.
  { code: /^missing-validation-option$/, of: ['unknown-validation-option'], leadsTo: isSameRule },
  // What a partial reads of a value is what it declares that it takes.
  { code: /^no-parts$/, of: ['argument-type'], leadsTo: isGivenTo },
  // What a redirect lets run is told once.
  { code: /^second-answer$/, of: ['effect-after-redirect'], leadsTo: isInFile },
  // A page that lacks its method answers the requests of another one.
  { code: /^change-on-get$/, of: ['duplicate-route'], leadsTo: isRelated },
  { code: /^unserved-query$/, of: ['unused-query', 'unknown-table-property'], leadsTo: isInFile },
  { code: /^unused-translation-argument$/, of: ['duplicate-yaml-key'], leadsTo: isRelatedTo },
  // A parameter that is misspelt where it is declared: no call passes it by that name.
  { code: /^missing-argument$/, of: ['missing-doc-param'], leadsTo: isDeclaredOtherwise },
  // A block whose end is another word.
  { code: /^unclosed-tag$/, of: ['mismatched-end', 'unknown-tag'], leadsTo: isOtherEnd },
  { code: /^nested-query$/, of: ['missing-query'], leadsTo: touches },
  // What stands behind a delimiter or a quote that is missing is read as what it is not.
  { code: /./, of: ['unclosed-delimiter', 'unclosed-string'], leadsTo: isSwallowed },
  // A name that a rewritten call gives by another sign.
  { code: /^(?:undefined-variable|missing-(?:inferred|form)-argument)$/, of: ['stray-markup'], leadsTo: isGivenBy },
]

/** How far behind a missing delimiter is read what belongs before it. */
const SWALLOWED = 160

function isSwallowed(cause: Diagnostic, each: Diagnostic): boolean {
  if (each === cause || each.check !== 'LiquidHTMLSyntaxError' || !isInFile(cause, each)) return false
  const behind = each.span.start - cause.span.start
  return (behind > 0 || (behind === 0 && each.code !== cause.code)) && behind < SWALLOWED
}

/** Words that end blocks elsewhere. */
const END = /`(?:fi|done|esac|next|wend|end\w*)`/

function isOtherEnd(cause: Diagnostic, each: Diagnostic): boolean {
  if (!isInFile(cause, each) || cause.span.start < each.span.start) return false
  return END.test(cause.message) && (cause.code === 'unknown-tag' || namesIn(cause.message)[1] === nameIn(each.message))
}

function isBefore(cause: Diagnostic, each: Diagnostic): boolean {
  return isInFile(cause, each) && each.span.start < cause.span.start
}

/** Whether a tag as it was meant gives a name, or reads what is none. */
function isGivenBy({ hint = '' }: Diagnostic, each: Diagnostic): boolean {
  const names = namesIn(each.message)
  return hint.startsWith('Write `') && names.some((name) => hint.includes(`${name}: `) || hint.includes(`'${name}/`))
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
  return related.some((other) => other.span.file === span.file) && hint.startsWith(`Did you mean \`${parameter}\``)
}

const CUT = /^missing-(?:partial|query)$/
const LACKING = /^missing-(?:doc-param|variable)$/

function isWrongMethod({ code, message, hint }: Diagnostic): boolean {
  return /^(?:setting-value|unknown-setting)$/.test(code) && /`method`/.test(`${message} ${hint}`)
}

/** Whether it follows from a page whose method cannot be read, which then answers GET. */
function isOfMethod({ code, span, related, message }: Diagnostic, pages: ReadonlySet<string>): boolean {
  if (code === 'missing-page') return pages.size > 0 && !message.includes('`GET ')
  return pages.has(span.file) || related.some((other) => pages.has(other.span.file))
}

/** Whether the languages of the site are told to differ by a key that a template asks for. */
function isOtherwiseUnmatched({ message }: Diagnostic, all: readonly Diagnostic[]): boolean {
  const key = /`[^`]+`/.exec(message)?.[0] ?? ''
  return all.some((other) => other.message.includes(key))
}

/** Whether a name of a file before this place goes on up to it, because its quote is missing. */
function isCutName({ span, message }: Diagnostic, at: Span): boolean {
  return span.file === at.file && /[,:]/.test(message) && Math.abs(at.start - span.end) <= 2
}

function namesIn(message: string): readonly string[] {
  return [...message.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

/** The first name in a message. */
function nameIn(message: string): string {
  return /`([^`]+)`/.exec(message)?.[1] ?? ''
}

/** Whether a variable is idle, or an argument, because what needs it is told not to get it. */
function isUnpassed(lacking: Diagnostic, { code, span, message }: Diagnostic): boolean {
  const isRead = lacking.code === 'missing-doc-param' && code === 'unused-assign' && lacking.span.file === span.file
  if (isRead) return slipOf(nameIn(lacking.message), [nameIn(message)]) !== null
  if (lacking.code !== 'missing-variable') return false
  const name = /variable (`[^`]+`)/.exec(lacking.message)?.[1]
  return name !== undefined && message.includes(name) && (code !== 'unused-assign' || span.file === lacking.span.file)
}
