/** Leaves out diagnostics that follow from another one, so that each mistake is reported once, at its cause. */
import { nearest } from './suggest.ts'
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
])
/** How many of the other places the first one shows. */
const MOST_RELATED = 3

/** The diagnostics of a whole site without those that follow from others. Their order stays. */
export function withoutFollowUps(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const merged = oneForEachTag(all)
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
  const missing = new Set(merged.filter(({ code }) => code === 'missing-setting').map(({ span }) => spanKey(span)))
  const kept = merged.filter((each) => {
    const { code, span, related } = each
    if (code !== 'unreadable-file' && notText.has(span.file)) return false
    if (code === 'unknown-setting') return !missing.has(spanKey(span))
    if (code === 'undefined-variable' && layouts.has(span.file) && isPageText(each)) return false
    if (ABOUT_NAMES.has(code))
      return !broken.has(span.file) && !(withoutInterpolation.has(span.file) && code.startsWith('unused-'))
    const misspelt = MISSPELT.get(code)
    if (misspelt !== undefined && merged.some((other) => misspelt.test(other.code))) return false
    if (ABOUT_CALLS.has(code)) return broken.size === 0 && !merged.some((other) => other.code === 'foreign-markup')
    // What belongs to no request there is never written there.
    if (code === 'unwritten-value')
      return !merged.some((other) => other.code === 'absent-in-jobs' && touches(other.span, span))
    if (ABOUT_TRANSLATIONS.has(code))
      return !lacksTranslations && !(code !== 'missing-translation' && brokenTranslations)
    if (code === 'interpolation-off') return wrongSetting === undefined
    // A key that holds values in braces is one and the same while they are off.
    if (code === 'cached-visitor') return !withoutInterpolation.has(span.file)
    // Users and their profiles have no place of their own among the related ones.
    if (ABOUT_OTHER_FILES.has(code))
      return (
        !related.some((other) => unreadable.has(other.span.file)) &&
        !(lacksUsers && related.length === 0 && /^(?:A user|Users|Profile)\b/.test(each.message))
      )
    return true
  })
  return foldRepeated(kept)
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
    const [first, ...others] = groups.get(groupOf(each)) ?? []
    if (first === undefined || others.length + 1 < (FIXED_ONCE.get(each.code) ?? 0)) return [each]
    if (first !== each) return []
    const more = others.length - MOST_RELATED
    const related = others.slice(0, MOST_RELATED).map(({ span }, index) => ({
      span,
      message: `the same here${index === MOST_RELATED - 1 && more > 0 ? `, and in ${more} more ${more === 1 ? 'place' : 'places'}` : ''}`,
    }))
    return [{ ...each, related: [...each.related, ...related] }]
  })
}

/** Duplicate translations are one mistake where all of them are in the same two files, and a name is one of its file. */
function groupOf({ code, severity, message, span, related }: Diagnostic): string {
  const what =
    code === 'duplicate-translation'
      ? `${span.file}\0${related[0]?.span.file}`
      : `${message}${code === 'invalid-name' ? `\0${span.file}` : ''}`
  return `${code}\0${severity}\0${what}`
}
