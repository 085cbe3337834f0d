/** Leaves out diagnostics that follow from another one, so that each mistake is reported once, at its cause. */
import { nearest, slipOf } from './suggest.ts'
import type { Span } from '../source/span.ts'
import type { Diagnostic } from './diagnostic.ts'

/** Codes of files that could not be read, or not wholly: what they declare is not known. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'unreadable-file',
  'yaml-syntax',
  'unquoted-liquid',
  'setting-refused',
  'missing-setting',
  'front-matter-unclosed',
  'graphql-syntax',
  'graphql-invalid',
])

/** Codes about names that follow where the tag that sets a name cannot be read. */
const ABOUT_NAMES: ReadonlySet<string> = new Set([
  'undefined-variable',
  'missing-doc-param',
  'unused-assign',
  'unused-doc-param',
])

/** Codes of files that nothing calls, which is not known while a template cannot be read. */
const ABOUT_CALLS: ReadonlySet<string> = new Set([
  'unused-partial',
  'unused-query',
  'unused-file',
  'unused-asset',
  'unused-translation',
])

/** A name that is missing is one that nothing uses: by the code of the latter, those of the former. */
const MISSPELT: ReadonlyMap<string, RegExp> = new Map([
  ['unused-file', /^missing-(?:form|policy|layout|notification|partial)$/],
  ['unused-asset', /^missing-asset$/],
  [
    'unused-translation',
    /^(?:missing-translation|unmatched-key|duplicate-translation|translation-locale|unmatched-translation)$/,
  ],
])

/** Codes about translations that follow where a file of translations cannot be read. */
const ABOUT_TRANSLATIONS: ReadonlySet<string> = new Set([
  'missing-translation',
  'unmatched-translation',
  'missing-plural',
])

/** Codes that go by the method of a page. */
const ABOUT_METHODS: ReadonlySet<string> = new Set(['change-on-get', 'duplicate-route', 'missing-page'])

/** Codes about blocks of content, which another file fills or prints. */
const ABOUT_BLOCKS: ReadonlySet<string> = new Set(['yield-without-content', 'content-without-yield'])

/** Codes about values, which are not known behind a tag that cannot be read. */
const ABOUT_VALUES: ReadonlySet<string> = new Set([
  'unknown-field',
  'field-not-selected',
  'unknown-property',
  'invalid-write-target',
  'no-parts',
  'list-as-object',
  'object-as-list',
  'constant-condition',
  'nil-result',
])

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

/** Codes that occur in many places and are fixed in one: from this number on only the first is reported, with some of the others. */
const FIXED_ONCE: ReadonlyMap<string, number> = new Map([
  ['function-without-return', 2],
  ['duplicate-translation', 2],
  ['interpolation-off', 6],
  ['invalid-name', 2],
  ['list-as-object', 2],
  ['unknown-table-property', 2],
  ['missing-translation', 2],
  ['unknown-field', 2],
  ['field-not-selected', 2],
  ['unknown-form-field', 2],
])
/** How many of the other places the first one shows. */
const MOST_RELATED = 3

/** The diagnostics of a whole site without those that follow from others. Their order stays. */
export function withoutFollowUps(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const merged = oneForEachTag(all)
  const causes = causesIn(merged)
  return foldRepeated(merged.filter((each) => !followsFromAny(each, causes)))
}

/** What others follow from. Files by their paths. */
type Causes = ReturnType<typeof causesIn>

function causesIn(merged: readonly Diagnostic[]) {
  const unreadable = new Set(
    merged.filter(({ code, severity }) => severity === 'error' && UNREADABLE.has(code)).map(({ span }) => span.file),
  )
  const broken = new Set(
    merged
      .filter(
        ({ code, check, severity, setsNothing }) =>
          severity === 'error' &&
          setsNothing !== true &&
          (check === 'LiquidHTMLSyntaxError' || code === 'unreadable-file'),
      )
      .map(({ span }) => span.file),
  )
  const notText = new Set(merged.filter(({ code }) => code === 'unreadable-file').map(({ span }) => span.file))
  const withoutInterpolation = new Set(
    merged.filter(({ code }) => code === 'interpolation-off').map(({ span }) => span.file),
  )
  const lacksTranslations = merged.some(
    ({ code, span }) =>
      (code === 'unreadable-file' || code === 'translation-locale') && span.file.includes('translations/'),
  )
  const brokenTranslations = [...unreadable].some((file) => file.includes('translations/'))
  const wrongSetting = merged.find(
    ({ code, message }) => code === 'setting-value' && message.includes('`string_interpolation`'),
  )
  const lacksUsers = [...unreadable].some((file) =>
    /(?:^|\/)(?:user|user_profile_types\/.*|user_profile_schemas\/.*)\.ya?ml$/.test(file),
  )
  const layouts = new Map(
    merged.filter(({ code }) => code === 'missing-content-for-layout').map((each) => [each.span.file, each]),
  )
  const wrongMethods = new Set(
    merged
      .filter(
        ({ code, message, hint, span }) =>
          (/^(?:setting-value|unknown-setting)$/.test(code) && /`method`/.test(`${message} ${hint}`)) ||
          (UNREADABLE.has(code) && /\/pages\//.test(span.file)),
      )
      .map(({ span }) => span.file),
  )
  const withoutProperties = new Set(
    merged
      .filter(({ code, hint = '' }) => code === 'unknown-setting' && hint.includes('`properties`'))
      .map(({ span }) => /([^/]+)\.ya?ml$/.exec(span.file)?.[1] ?? ''),
  )
  const missing = new Set(merged.filter(({ code }) => code === 'missing-setting').map(({ span }) => spanKey(span)))
  return {
    merged,
    unreadable,
    broken,
    notText,
    withoutInterpolation,
    lacksTranslations,
    brokenTranslations,
    wrongSetting,
    lacksUsers,
    layouts,
    wrongMethods,
    withoutProperties,
    missing,
  }
}

function followsFromAny(each: Diagnostic, causes: Causes): boolean {
  const { merged, broken, notText, missing } = causes
  const { code, span } = each
  if (code !== 'unreadable-file' && notText.has(span.file)) return true
  if (code === 'unknown-setting') return missing.has(spanKey(span))
  if (ABOUT_METHODS.has(code) && isOfMethod(each, causes.wrongMethods)) return true
  if (ABOUT_BLOCKS.has(code)) return broken.size > 0 || causes.unreadable.size > 0
  if (ABOUT_VALUES.has(code)) return each.severity !== 'error' && broken.has(span.file)
  if (code === 'missing-translation' && isOtherwiseUnmatched(each, merged)) return true
  if (
    ABOUT_PROPERTIES.has(code) &&
    causes.withoutProperties.has(/`([^`]+)` has no property/.exec(each.message)?.[1] ?? '')
  )
    return true
  if (code === 'stray-markup' && merged.some((other) => isCutName(other, span))) return true
  if (ABOUT_UNPASSED.has(code) && merged.some((other) => isUnpassed(other, each))) return true
  return followsFromNames(each, causes)
}

/** Whether it is about names that are not known. */
function followsFromNames(each: Diagnostic, causes: Causes): boolean {
  const { merged, unreadable, broken, withoutInterpolation, layouts } = causes
  const { code, span, related } = each
  if (code === 'undefined-variable' && layouts.has(span.file) && isPageText(each)) return true
  if (ABOUT_NAMES.has(code))
    return broken.has(span.file) || (withoutInterpolation.has(span.file) && code.startsWith('unused-'))
  const misspelt = MISSPELT.get(code)
  if (misspelt !== undefined && merged.some((other) => misspelt.test(other.code))) return true
  if (ABOUT_CALLS.has(code)) return broken.size > 0 || merged.some((other) => other.code === 'foreign-markup')
  // What belongs to no request there is never written there.
  if (code === 'unwritten-value')
    return merged.some((other) => other.code === 'absent-in-jobs' && touches(other.span, span))
  if (ABOUT_TRANSLATIONS.has(code))
    return causes.lacksTranslations || (code !== 'missing-translation' && causes.brokenTranslations)
  if (code === 'interpolation-off') return causes.wrongSetting !== undefined
  // A key that holds values in braces is one and the same while they are off.
  if (code === 'cached-visitor') return withoutInterpolation.has(span.file)
  // Users and their profiles have no place of their own among the related ones.
  if (ABOUT_OTHER_FILES.has(code))
    return (
      related.some((other) => unreadable.has(other.span.file)) ||
      (causes.lacksUsers && related.length === 0 && /^(?:A user|Users|Profile)\b/.test(each.message))
    )
  return false
}

/** Whether it follows from a page whose method cannot be read, which then answers GET. */
function isOfMethod({ code, span, related, message }: Diagnostic, pages: ReadonlySet<string>): boolean {
  if (code === 'missing-page') return pages.size > 0 && !message.includes('`GET ')
  return pages.has(span.file) || related.some((other) => pages.has(other.span.file))
}

/** Whether the languages of the site are told to differ by a key that a template asks for. */
function isOtherwiseUnmatched({ message }: Diagnostic, all: readonly Diagnostic[]): boolean {
  const key = /`[^`]+`/.exec(message)?.[0] ?? ''
  return all.some((other) => other.code === 'unmatched-translation' && other.message.includes(key))
}

/** Whether a name of a file before this place goes on up to it, because its quote is missing. */
function isCutName({ code, span, message }: Diagnostic, at: Span): boolean {
  return (
    /^missing-(?:partial|query)$/.test(code) &&
    span.file === at.file &&
    /[,:]/.test(message) &&
    Math.abs(at.start - span.end) <= 2
  )
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

/** A name that was meant to be `content_for_layout`. */
function isPageText({ message }: Diagnostic): boolean {
  const name = /`([^`]+)`/.exec(message)?.[1] ?? ''
  return name === 'yield' || name === 'content' || nearest(name, ['content_for_layout']) !== null
}

function touches(a: Span, b: Span): boolean {
  return a.file === b.file && a.start <= b.end && b.start <= a.end
}

function spanKey({ file, start, end }: Span): string {
  return `${file}\0${start}\0${end}`
}

/** Of the diagnostics inside a tag that has a rewrite, only the worst one, with the rewrite as its hint. */
function oneForEachTag(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const anew = all.filter((each) => each.rewritten !== undefined)
  if (anew.length === 0) return all
  const merged = new Map<Diagnostic, Diagnostic>()
  const covered = new Set<Diagnostic>()
  for (const each of anew) {
    const { rewritten: whole, ...plain } = each
    let kept: Diagnostic = plain
    for (const other of all) {
      if (other === each || whole === undefined || other.span.file !== whole.file) continue
      if (other.span.start < whole.start || other.span.end > whole.end || other.rewritten !== undefined) continue
      covered.add(other)
      if (other.severity === 'error' && kept.severity !== 'error' && each.hint !== undefined)
        kept = { ...other, hint: each.hint, ...(each.change === undefined ? {} : { change: each.change }) }
    }
    merged.set(each, kept)
  }
  return all.flatMap((each) => (covered.has(each) ? [] : [merged.get(each) ?? each]))
}

function foldRepeated(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>()
  for (const each of all) {
    if (!FIXED_ONCE.has(each.code)) continue
    const same = groups.get(groupOf(each))
    if (same === undefined) groups.set(groupOf(each), [each])
    else same.push(each)
  }
  return all.flatMap((each) => {
    const group = groups.get(groupOf(each)) ?? []
    const first = group.find(({ severity }) => severity === 'error') ?? group[0]
    const others = group.filter((other) => other !== first)
    if (first === undefined || group.length < (FIXED_ONCE.get(each.code) ?? 0)) return [each]
    if (first !== each) return []
    const more = others.length - MOST_RELATED
    const related = others.slice(0, MOST_RELATED).map(({ span }, index) => ({
      span,
      message: `the same here${index === MOST_RELATED - 1 && more > 0 ? `, and in ${more} more ${more === 1 ? 'place' : 'places'}` : ''}`,
    }))
    return [{ ...each, related: [...each.related, ...related] }]
  })
}

/**
 * Duplicate translations are one mistake where all of them are in the same two files, a name is one of its file, a list that is taken for one
 * of its elements one of its name there, a property that its table does not have one, however each query and form takes it, and a field that a
 * query does not select one of that query.
 */
function groupOf({ code, severity, message, span, related }: Diagnostic): string {
  switch (code) {
    case 'duplicate-translation':
      return `${code}\0${severity}\0${span.file}\0${related[0]?.span.file}`
    case 'invalid-name':
      return `${code}\0${severity}\0${message}\0${span.file}`
    case 'list-as-object':
      return `${code}\0${span.file}\0${/^`[^`]*`/.exec(message)?.[0]}`
    case 'unknown-table-property':
    case 'unknown-form-field':
      return /`[^`]+` has no property `[^`]+`/.exec(message)?.[0] ?? `${code}\0${message}`
    case 'unknown-field':
    case 'field-not-selected':
      return `${code}\0${message}\0${related.map(({ span: each }) => spanKey(each)).join('\0')}`
    default:
      return `${code}\0${severity}\0${message}`
  }
}
