/** Leaves out what follows from something else that is told: one slip, one message, at its cause. */
import { nearest } from './suggest.ts'
import type { Span } from '../source/span.ts'
import type { Diagnostic } from './diagnostic.ts'

/** Codes of files that could not be read, or of which something was refused: what they would have given is unknown. */
const UNREAD: ReadonlySet<string> = new Set([
  'unreadable-file',
  'yaml-syntax',
  'unquoted-liquid',
  'setting-refused',
  'missing-setting',
  'front-matter-unclosed',
  'graphql-syntax',
  'graphql-invalid',
])

/** What is said of names, and follows where the tag that sets them cannot be read. */
const OF_NAMES: ReadonlySet<string> = new Set([
  'undefined-variable',
  'missing-doc-param',
  'unused-assign',
  'unused-doc-param',
])

/** Whether nothing calls a file, which nobody knows while a template cannot be read. */
const OF_CALLS: ReadonlySet<string> = new Set(['unused-partial', 'unused-query'])

/** What is said of texts of translations, and follows where a file of them cannot be read. */
const OF_TEXTS: ReadonlySet<string> = new Set(['missing-translation', 'unmatched-translation', 'missing-plural'])

/** What is said of a call or a field, with the place of what it does not fit among the related ones. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  'unknown-variable',
  'missing-variable',
  'unknown-table-property',
  'unknown-form-field',
])

/** Said in many places and mended in one: as many as these are told with the first, which shows some of the others. */
const MENDED_ONCE: ReadonlyMap<string, number> = new Map([
  ['function-without-return', 2],
  ['duplicate-translation', 2],
  ['interpolation-off', 6],
])
/** Other places that are shown with the first. */
const SHOWN_PLACES = 3

/** The diagnostics of a whole site without those that follow from others. Their order stays. */
export function withoutFollowUps(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const merged = inOneTag(all)
  const unread = new Set(
    merged.filter(({ code, severity }) => severity === 'error' && UNREAD.has(code)).map(({ span }) => span.file),
  )
  const broken = new Set(
    merged
      .filter(
        ({ code, check, severity }) =>
          severity === 'error' && (check === 'LiquidHTMLSyntaxError' || code === 'unreadable-file'),
      )
      .map(({ span }) => span.file),
  )
  const noTexts = new Set(merged.filter(({ code }) => code === 'unreadable-file').map(({ span }) => span.file))
  const off = new Set(merged.filter(({ code }) => code === 'interpolation-off').map(({ span }) => span.file))
  const texts = merged.some(
    ({ code, span }) => (UNREAD.has(code) || code === 'translation-locale') && span.file.includes('translations/'),
  )
  const switched = merged.find(
    ({ code, message }) => code === 'setting-value' && message.includes('`string_interpolation`'),
  )
  const tables = [...unread].some((file) =>
    /(?:^|\/)(?:user|user_profile_types\/.*|user_profile_schemas\/.*)\.ya?ml$/.test(file),
  )
  const layouts = new Map(
    merged.filter(({ code }) => code === 'missing-content-for-layout').map((each) => [each.span.file, each]),
  )
  const missing = new Set(merged.filter(({ code }) => code === 'missing-setting').map(({ span }) => placeOf(span)))
  const kept = merged.filter((each) => {
    const { code, span, related } = each
    if (code !== 'unreadable-file' && noTexts.has(span.file)) return false
    if (code === 'unknown-setting') return !missing.has(placeOf(span))
    if (code === 'undefined-variable' && layouts.has(span.file) && isPageText(each)) return false
    if (OF_NAMES.has(code)) return !broken.has(span.file) && !(off.has(span.file) && code.startsWith('unused-'))
    if (OF_CALLS.has(code)) return broken.size === 0 && !merged.some((other) => other.code === 'foreign-markup')
    if (OF_TEXTS.has(code)) return !texts
    if (code === 'interpolation-off') return switched === undefined
    // A key that holds values in braces is one and the same while they are off.
    if (code === 'cached-visitor') return !off.has(span.file)
    // Users and their profiles have no place of their own among the related ones.
    if (OF_OTHERS.has(code))
      return (
        !related.some((other) => unread.has(other.span.file)) &&
        !(tables && related.length === 0 && /^(?:A user|Users|Profile)\b/.test(each.message))
      )
    return true
  })
  return gathered(kept)
}

/** A name that was meant to be `content_for_layout`. */
function isPageText({ message }: Diagnostic): boolean {
  const name = /`([^`]+)`/.exec(message)?.[1] ?? ''
  return name === 'yield' || name === 'content' || nearest(name, ['content_for_layout']) !== null
}

function placeOf({ file, start, end }: Span): string {
  return `${file}\0${start}\0${end}`
}

/** What is said inside one tag that cannot be read as it was meant: the worst of it, with the tag as it should be. */
function inOneTag(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const anew = all.filter((each) => each.anew !== undefined)
  if (anew.length === 0) return all
  const worst = new Map<Diagnostic, Diagnostic>()
  const gone = new Set<Diagnostic>()
  for (const each of anew) {
    const { anew: whole, ...plain } = each
    let kept: Diagnostic = plain
    for (const other of all) {
      if (other === each || whole === undefined || other.span.file !== whole.file) continue
      if (other.span.start < whole.start || other.span.end > whole.end || other.anew !== undefined) continue
      gone.add(other)
      if (other.severity === 'error' && kept.severity !== 'error' && each.hint !== undefined)
        kept = { ...other, hint: each.hint }
    }
    worst.set(each, kept)
  }
  return all.flatMap((each) => (gone.has(each) ? [] : [worst.get(each) ?? each]))
}

function gathered(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>()
  for (const each of all) {
    if (!MENDED_ONCE.has(each.code)) continue
    const same = groups.get(groupOf(each))
    if (same === undefined) groups.set(groupOf(each), [each])
    else same.push(each)
  }
  return all.flatMap((each) => {
    const [first, ...others] = groups.get(groupOf(each)) ?? []
    if (first === undefined || others.length + 1 < (MENDED_ONCE.get(each.code) ?? 0)) return [each]
    if (first !== each) return []
    const more = others.length - SHOWN_PLACES
    const related = others.slice(0, SHOWN_PLACES).map(({ span }, index) => ({
      span,
      message: `the same here${index === SHOWN_PLACES - 1 && more > 0 ? `, and in ${more} more ${more === 1 ? 'place' : 'places'}` : ''}`,
    }))
    return [{ ...each, related: [...each.related, ...related] }]
  })
}

/** Translations that are there twice are one slip where all of them stand in the same two files. */
function groupOf({ code, severity, message, span, related }: Diagnostic): string {
  const what = code === 'duplicate-translation' ? `${span.file}\0${related[0]?.span.file}` : message
  return `${code}\0${severity}\0${what}`
}
