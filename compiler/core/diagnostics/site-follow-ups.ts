/** What follows in a whole site from a mistake in one of its files: pages, tables, translations, calls and queries that depend on it. */
import type { Span } from '../source/span.ts'
import type { Diagnostic } from './diagnostic.ts'
import { isFileOf, nameIn } from './leads.ts'
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

/** Codes of partials about what their callers give them. */
const ABOUT_PARTS: ReadonlySet<string> = new Set(['unknown-field', 'undefined-variable', 'field-not-selected'])
/** Codes of pages that answer nothing, besides those that cannot be read. */
const REFUSES_PAGE: ReadonlySet<string> = new Set(['response-headers', 'slug-syntax'])
const IN_PARTIAL = /\/(?:partials|lib)\//

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
  const lacksPage =
    [...unreadable].some((file) => file.includes('/pages/')) || all.some(({ code }) => REFUSES_PAGE.has(code))
  const wrongMethods = new Set([
    ...[...unreadable].filter((file) => file.includes('/pages/')),
    ...all.filter(isWrongMethod).map(({ span }) => span.file),
  ])
  const withoutProperties = new Set(
    all
      .filter(
        ({ code, message, hint = '' }) =>
          code === 'unknown-setting' && /`(?:properties|property|fields|columns)`/.test(message + hint),
      )
      .map(({ span }) => /([^/]+)\.ya?ml$/.exec(span.file)?.[1] ?? ''),
  )
  const unmatched = all.filter(({ code }) => code === 'unmatched-translation')
  const cut = all.filter(({ code }) => CUT.test(code))
  const lacking = all.filter(({ code }) => LACKING.test(code))
  const rewritten = all
    .filter(({ code, hint = '' }) => REWRITTEN.has(code) && hint.startsWith('Write `'))
    .slice(0, MOST_REWRITTEN)
  const isWrong = all.some(({ severity }) => severity === 'error')
  const isUntidy = isWrong || all.some(({ code }) => UNREAD.has(code))
  return (each) => {
    const { code, message, related, span } = each
    if (ABOUT_METHODS.has(code) && isOfMethod(each, wrongMethods)) return true
    if (ABOUT_BLOCKS.has(code)) return isWrong
    if (code === 'missing-translation') return unreadTranslations || isOtherwiseUnmatched(each, unmatched)
    if (ABOUT_TRANSLATIONS.has(code)) return unreadTranslations || unsureTranslations
    if (lacksTable && (code === 'impossible-comparison' || code === 'impossible-order')) return true
    if (code === 'unknown-table' && lacksTable) return true
    if (ABOUT_PARTS.has(code) && (lacksPage || broken.size > 0) && IN_PARTIAL.test(span.file)) return true
    if (code === 'implicit-include-argument' && broken.size > 0) return true
    // Who includes the partial may read what it sets.
    if (code === 'unused-assign' && broken.size > 0 && IN_PARTIAL.test(span.file)) return true
    if (code === 'unused-query') return cut.some((other) => nameIn(other.message) === nameIn(message))
    if (code === 'unknown-table-property' && lacksTable && /^No(?:ne of the)? table/.test(message)) return true
    if (ABOUT_PROPERTIES.has(code) && withoutProperties.has(/`([^`]+)` has no property/.exec(message)?.[1] ?? ''))
      return true
    if ((code === 'unused-assign' || code === 'unused-doc-param') && rewritten.some((other) => isMeantIn(other, each)))
      return true
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

const UNREAD_ARGUMENT =
  /^(?:unknown-(?:inferred-)?argument|missing-(?:inferred|form)-argument|implicit-include-argument|include-could-be-render)$/

/** Whether it is about a partial that cannot be read, or what it includes: what it reads is not known. */
function isOfBroken({ message, related, code }: Diagnostic, broken: ReadonlySet<string>): boolean {
  if (code === 'include-could-be-render') return broken.size > 0
  const name = nameIn(message)
  return related.some(({ span }) => broken.has(span.file)) || [...broken].some((file) => isFileOf(name, file))
}

const MOST_REWRITTEN = 100

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

const CUT = /^missing-(?:partial|query)$/
const LACKING = /^missing-(?:doc-param|variable)$/

function isWrongMethod({ code, message, hint }: Diagnostic): boolean {
  return /^(?:setting-value|unknown-setting)$/.test(code) && /`method`/.test(`${message} ${hint}`)
}

/** Whether it follows from a page whose method cannot be read, which then answers GET. */
function isOfMethod({ code, span, related }: Diagnostic, pages: ReadonlySet<string>): boolean {
  if (code === 'missing-page') return pages.size > 0
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

/** Whether a variable is idle, or an argument, because what needs it is told not to get it. */
function isUnpassed(lacking: Diagnostic, { code, span, message }: Diagnostic): boolean {
  const isRead = lacking.code === 'missing-doc-param' && code === 'unused-assign' && lacking.span.file === span.file
  if (isRead) return slipOf(nameIn(lacking.message), [nameIn(message)]) !== null
  if (lacking.code !== 'missing-variable') return false
  const name = /variable (`[^`]+`)/.exec(lacking.message)?.[1]
  return name !== undefined && message.includes(name) && (code !== 'unused-assign' || span.file === lacking.span.file)
}
