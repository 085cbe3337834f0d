/** Leaves out diagnostics that follow from another one, so that each mistake is reported once, at its cause. */
import { consequencesIn } from './consequences.ts'
import { siteFollowUps } from './site-follow-ups.ts'
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
  'old-name',
  'read-after-include',
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
  ['missing-notification', 2],
  ['graphql-invalid', 2],
  ['missing-plural', 2],
  ['unused-translation-argument', 2],
  ['missing-translation-argument', 2],
])
/** Of these several places tell of one mistake that stands in the first of the related ones. */
const ABOUT_ANOTHER: ReadonlySet<string> = new Set([
  'missing-plural',
  'missing-translation-argument',
  'unused-translation-argument',
])
/** How many of the other places the first one shows. */
const MOST_RELATED = 3

/** Codes about ways through a template, which are not known where a block has no end. */
const ABOUT_WAYS: ReadonlySet<string> = new Set([
  'unreachable-code',
  'second-answer',
  'effect-after-redirect',
  'image-without-size',
])

/**
 * The diagnostics without those that follow from others. Their order stays.
 * @param isSite whether they are all of a site, and not of templates that a program renders by their names
 */
export function withoutFollowUps(all: readonly Diagnostic[], isSite = true): readonly Diagnostic[] {
  const merged = oneForEachTag(all)
  const causes = causesIn(merged, isSite)
  return foldRepeated(asGraveAs(merged, new Set(merged.filter((each) => !followsFromAny(each, causes))), causes))
}

/** Those that are told, in their order. What leads to an error is one itself: the site is refused for it all the same. */
function asGraveAs(all: readonly Diagnostic[], told: ReadonlySet<Diagnostic>, { follows }: Causes): Diagnostic[] {
  const grave = new Set<Diagnostic>()
  for (const each of all) {
    const cause = each.severity === 'error' && !told.has(each) ? follows?.(each) : null
    if (cause != null && cause.severity !== 'error') grave.add(cause)
  }
  return all.flatMap((each) => {
    if (!told.has(each)) return []
    return [grave.has(each) ? { ...each, severity: 'error' } : each]
  })
}

/** What others follow from. Files by their paths. */
type Causes = ReturnType<typeof causesIn>

function causesIn(merged: readonly Diagnostic[], isSite: boolean) {
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
  const wrongSetting = merged.find(
    ({ code, message }) => code === 'setting-value' && message.includes('`string_interpolation`'),
  )
  const layouts = new Map(
    merged.filter(({ code }) => code === 'missing-content-for-layout').map((each) => [each.span.file, each]),
  )
  const missing = new Set(merged.filter(({ code }) => code === 'missing-setting').map(({ span }) => spanKey(span)))
  const codes = new Set(merged.map(({ code }) => code))
  const absentInJobs = merged.filter(({ code }) => code === 'absent-in-jobs').map(({ span }) => span)
  const followsInSite = isSite ? siteFollowUps(merged, { unreadable, broken }) : null
  const follows = isSite ? consequencesIn(merged) : null
  return {
    ...{ broken, notText, withoutInterpolation, wrongSetting, layouts, missing, codes, absentInJobs },
    ...{ followsInSite, follows },
  }
}

function followsFromAny(each: Diagnostic, causes: Causes): boolean {
  const { broken, notText, missing } = causes
  const { code, span } = each
  if (code !== 'unreadable-file' && notText.has(span.file)) return true
  if (code === 'unknown-setting' && missing.has(spanKey(span))) return true
  if ((causes.follows?.(each) ?? null) !== null || causes.followsInSite?.(each) === true) return true
  if (ABOUT_WAYS.has(code) && broken.has(span.file)) return true
  if (ABOUT_VALUES.has(code))
    return broken.has(span.file) && (each.severity !== 'error' || each.message.includes('is nil here'))
  return followsFromNames(each, causes)
}

/** Whether it is about names that are not known. */
function followsFromNames(each: Diagnostic, causes: Causes): boolean {
  const { codes, absentInJobs, broken, withoutInterpolation, layouts } = causes
  const { code, span } = each
  if (code === 'undefined-variable' && layouts.has(span.file) && isPageText(each)) return true
  if (ABOUT_NAMES.has(code))
    return broken.has(span.file) || (withoutInterpolation.has(span.file) && code.startsWith('unused-'))
  const misspelt = MISSPELT.get(code)
  if (misspelt !== undefined && [...codes].some((other) => misspelt.test(other))) return true
  if (ABOUT_CALLS.has(code)) return broken.size > 0 || codes.has('foreign-markup')
  // What belongs to no request there is never written there.
  if (code === 'unwritten-value') return broken.size > 0 || absentInJobs.some((whole) => isPartOf(whole, span))
  if (code === 'interpolation-off') return causes.wrongSetting !== undefined
  // A key that holds values in braces is one and the same while they are off.
  return code === 'cached-visitor' && withoutInterpolation.has(span.file)
}

/** A name that was meant to be `content_for_layout`. */
function isPageText({ message }: Diagnostic): boolean {
  const name = /`([^`]+)`/.exec(message)?.[1] ?? ''
  return name === 'yield' || name === 'content' || nearest(name, ['content_for_layout']) !== null
}

/** Whether `part` is what is read of the value at `whole`, or the value itself. */
function isPartOf(whole: Span, part: Span): boolean {
  return whole.file === part.file && whole.start <= part.end && part.start <= whole.end + 1
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
    if (isAboutAnother(each) && each.related.length === 0) return [each]
    if (first !== each) return []
    if (isAboutAnother(each)) return [toldAtRelated(each, group)]
    return [{ ...each, related: [...each.related, ...places(others, 'the same here')] }]
  })
}

/** A text that has a place in a foreign way is told of itself. */
function isAboutAnother({ code, hint = '' }: Diagnostic): boolean {
  return ABOUT_ANOTHER.has(code) && !hint.includes(' instead of ')
}

/** A mistake that the places of a group tell, at the place that it stands in. */
function toldAtRelated({ change: _, ...each }: Diagnostic, group: readonly Diagnostic[]): Diagnostic {
  const [own, ...rest] = each.related
  return own === undefined ? each : { ...each, span: own.span, related: [...rest, ...places(group, 'it is used here')] }
}

/** Some of the places of a group. */
function places(group: readonly Diagnostic[], message: string): Diagnostic['related'] {
  const more = group.length - MOST_RELATED
  return group.slice(0, MOST_RELATED).map(({ span }, index) => ({
    span,
    message: `${message}${index === MOST_RELATED - 1 && more > 0 ? `, and in ${more} more ${more === 1 ? 'place' : 'places'}` : ''}`,
  }))
}

/**
 * Duplicate translations are one mistake where all of them are in the same two files, a name is one of its file, a list that is taken for one
 * of its elements one of its name there, a property that its table does not have one, however each query and form takes it, and a field that a
 * query does not select one of that query.
 */
function groupOf({ code, severity, message, hint = '', span, related }: Diagnostic): string {
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
    case 'unused-translation-argument':
      return `${code}\0${hint.includes(' instead of ') ? spanKey(span) : message}`
    case 'graphql-invalid':
      // A query that was to be a mutation, or the reverse.
      return `${code}\0${/ on type `Root/.test(message) ? spanKey(span) : message}`
    case 'unknown-field':
    case 'field-not-selected':
      return `${code}\0${message}\0${related.map(({ span: each }) => spanKey(each)).join('\0')}`
    default:
      return `${code}\0${severity}\0${message}`
  }
}
