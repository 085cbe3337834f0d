/** Removes diagnostics that follow from another one, so that each error is reported once, at its cause. */
import type { moveToDeclarations } from './misspelt-declarations.ts'
import type { findCauses, findSiteCascades } from './site-cascades.ts'
import { findNearest } from './suggest.ts'
import type { SourceFile } from '../source/file.ts'
import type { Span } from '../source/span.ts'
import { type Diagnostic, findingKey } from './diagnostic.ts'
import { groupBy } from '../source/groups.ts'

/** Codes of files that could not be parsed completely. Their declarations are unknown. */
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

/** Codes about names. They follow if the tag that sets the name cannot be parsed. */
const ABOUT_NAMES: ReadonlySet<string> = new Set([
  'undefined-variable',
  'missing-doc-param',
  'unused-assign',
  'unused-doc-param',
  'old-name',
  'read-after-include',
])

/** Codes about unused files. They are uncertain while a template cannot be parsed. */
const ABOUT_CALLS: ReadonlySet<string> = new Set([
  'unused-partial',
  'unused-query',
  'unused-file',
  'unused-asset',
  'unused-translation',
])

/** Codes about unused files, with the codes about missing names that can be their cause. */
const CAUSED_BY_TYPO: ReadonlyMap<string, RegExp> = new Map([
  ['unused-file', /^missing-(?:form|policy|layout|notification|partial)$/],
  ['unused-asset', /^missing-asset$/],
  [
    'unused-translation',
    /^(?:missing-translation|unmatched-key|duplicate-translation|translation-locale|unmatched-translation)$/,
  ],
])

/** Codes about values. They are uncertain after a tag that cannot be parsed. */
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

/** Codes that occur in many places but have one fix. From this count on, only the first is reported, with some of the other places. */
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
/** Codes whose actual error is at their first related place. */
const ERROR_AT_RELATED: ReadonlySet<string> = new Set([
  'missing-plural',
  'missing-translation-argument',
  'unused-translation-argument',
])
/** Maximum number of other places to show with the first one. */
const MAX_RELATED = 3

/** Codes about paths through a template. They are uncertain if a block is not closed. */
const ABOUT_PATHS: ReadonlySet<string> = new Set([
  'unreachable-code',
  'second-answer',
  'effect-after-redirect',
  'image-without-size',
])

/** Finds what follows from other diagnostics of a whole site. */
export interface SiteCascades {
  readonly findCauses: typeof findCauses
  readonly findSiteCascades: typeof findSiteCascades
  readonly moveToDeclarations: typeof moveToDeclarations
  /**
   * Returns whether a comment may name a check that the author of the site wrote, so that nothing follows from its findings missing here.
   */
  readonly customNames: (files: readonly SourceFile[]) => (name: string) => boolean
  /** Returns the misspelled names in the configuration of the checks. Only the whole compiler knows all names. */
  readonly misspelledChecks: (files: readonly SourceFile[]) => readonly Diagnostic[]
}

/**
 * Returns the diagnostics without those that follow from others, in the same order.
 * @param ofSite finds those of a whole site; null for templates that a program renders by name
 */
export function withoutCascades(
  diagnostics: readonly Diagnostic[],
  ofSite: SiteCascades | null,
): readonly Diagnostic[] {
  const mergedDiagnostics = mergeRewrittenTags(diagnostics)
  const causes = collectCauses(mergedDiagnostics, ofSite)
  return foldRepeated(
    raiseSeverities(
      mergedDiagnostics,
      new Set(mergedDiagnostics.filter((each) => !followsFromAny(each, causes))),
      causes,
    ),
  )
}

/** Returns the reported diagnostics in order. The cause of an error becomes an error too, so that the site is still rejected. */
function raiseSeverities(
  diagnostics: readonly Diagnostic[],
  reported: ReadonlySet<Diagnostic>,
  { follows }: Causes,
): Diagnostic[] {
  const raisedCauses = new Set<Diagnostic>()
  for (const diagnostic of diagnostics) {
    const cause = diagnostic.severity === 'error' && !reported.has(diagnostic) ? follows?.(diagnostic) : null
    if (cause != null && cause.severity !== 'error') raisedCauses.add(cause)
  }
  return diagnostics.flatMap((each) => {
    if (!reported.has(each)) return []
    return [raisedCauses.has(each) ? { ...each, severity: 'error' } : each]
  })
}

/** Everything that other diagnostics can follow from. Files are identified by path. */
type Causes = ReturnType<typeof collectCauses>

function collectCauses(merged: readonly Diagnostic[], ofSite: SiteCascades | null) {
  const unparsedFiles = new Set(
    merged.filter(({ code, severity }) => severity === 'error' && UNREADABLE.has(code)).map(({ span }) => span.file),
  )
  const brokenFiles = new Set(
    merged
      .filter(
        ({ code, check, severity, setsNothing }) =>
          severity === 'error' &&
          setsNothing !== true &&
          (check === 'LiquidHTMLSyntaxError' || code === 'unreadable-file'),
      )
      .map(({ span }) => span.file),
  )
  const unreadableFiles = new Set(merged.filter(({ code }) => code === 'unreadable-file').map(({ span }) => span.file))
  const withoutInterpolation = new Set(
    merged.filter(({ code }) => code === 'interpolation-off').map(({ span }) => span.file),
  )
  const wrongSetting = merged.find(
    ({ code, subject }) => code === 'setting-value' && subject.name === 'string_interpolation',
  )
  const layouts = new Map(
    merged.filter(({ code }) => code === 'missing-content-for-layout').map((each) => [each.span.file, each]),
  )
  const missingNames = new Set(merged.filter(({ code }) => code === 'missing-setting').map(({ span }) => spanKey(span)))
  const codes = new Set(merged.map(({ code }) => code))
  const absentInJobs = merged.filter(({ code }) => code === 'absent-in-jobs').map(({ span }) => span)
  const followsInSite = ofSite?.findSiteCascades(merged, { unreadable: unparsedFiles, brokenFiles }) ?? null
  const follows = ofSite?.findCauses(merged) ?? null
  return {
    ...{
      broken: brokenFiles,
      unreadableFiles,
      withoutInterpolation,
      wrongSetting,
      layouts,
      missing: missingNames,
      codes,
      absentInJobs,
    },
    ...{ followsInSite, follows },
  }
}

function followsFromAny(diagnostic: Diagnostic, causes: Causes): boolean {
  const { broken, unreadableFiles, missing } = causes
  const { code, span } = diagnostic
  if (code !== 'unreadable-file' && unreadableFiles.has(span.file)) return true
  if (code === 'unknown-setting' && missing.has(spanKey(span))) return true
  if ((causes.follows?.(diagnostic) ?? null) !== null || causes.followsInSite?.(diagnostic) === true) return true
  if (ABOUT_PATHS.has(code) && broken.has(span.file)) return true
  if (ABOUT_VALUES.has(code))
    return broken.has(span.file) && (diagnostic.severity !== 'error' || diagnostic.subject.type === 'nil')
  return followsFromNames(diagnostic, causes)
}

/** Returns whether the diagnostic is about a name that is unknown only because of another error. */
function followsFromNames(diagnostic: Diagnostic, causes: Causes): boolean {
  const { codes, absentInJobs, broken, withoutInterpolation, layouts } = causes
  const { code, span } = diagnostic
  if (code === 'undefined-variable' && layouts.has(span.file) && isMeantAsPageContent(diagnostic)) return true
  if (ABOUT_NAMES.has(code))
    return broken.has(span.file) || (withoutInterpolation.has(span.file) && code.startsWith('unused-'))
  const typoCodes = CAUSED_BY_TYPO.get(code)
  if (typoCodes !== undefined && [...codes].some((other) => typoCodes.test(other))) return true
  if (ABOUT_CALLS.has(code)) return broken.size > 0 || codes.has('foreign-markup')
  // A value that does not exist in jobs is also never written there.
  if (code === 'unwritten-value') return broken.size > 0 || absentInJobs.some((wholeSpan) => isPartOf(wholeSpan, span))
  if (code === 'interpolation-off') return causes.wrongSetting !== undefined
  // While interpolation is off, a cache key with `{{ }}` is the same for everyone.
  return code === 'cached-visitor' && withoutInterpolation.has(span.file)
}

/** Returns whether the name was probably meant to be `content_for_layout`. */
function isMeantAsPageContent({ subject: { name } }: Diagnostic): boolean {
  return name === 'yield' || name === 'content' || findNearest(name, ['content_for_layout']) !== null
}

/** Returns whether `part` is a field of the value at `whole`, or the value itself. */
function isPartOf(outer: Span, inner: Span): boolean {
  return outer.file === inner.file && outer.start <= inner.end && inner.start <= outer.end + 1
}

function spanKey({ file, start, end }: Span): string {
  return `${file}\0${start}\0${end}`
}

/** Merges the diagnostics inside a tag that has a rewrite into the most severe one, with the rewrite as its change. */
function mergeRewrittenTags(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const withRewrite = diagnostics.filter((each) => each.rewritten !== undefined)
  if (withRewrite.length === 0) return diagnostics
  const merged = new Map<Diagnostic, Diagnostic>()
  const mergedAway = new Set<Diagnostic>()
  for (const diagnostic of withRewrite) {
    const { rewritten } = diagnostic
    const wholeSpan = rewritten?.span
    let main = diagnostic
    for (const other of diagnostics) {
      if (other === diagnostic || wholeSpan === undefined || other.span.file !== wholeSpan.file) continue
      if (other.span.start < wholeSpan.start || other.span.end > wholeSpan.end || other.rewritten !== undefined)
        continue
      mergedAway.add(other)
      if (other.severity === 'error' && main.severity !== 'error' && diagnostic.hint !== undefined)
        main = {
          ...other,
          hint: diagnostic.hint,
          ...(diagnostic.change === undefined ? {} : { change: diagnostic.change }),
          ...(rewritten && { rewritten }),
        }
    }
    merged.set(diagnostic, main)
  }
  return diagnostics.flatMap((each) => (mergedAway.has(each) ? [] : [merged.get(each) ?? each]))
}

function foldRepeated(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const repeatable = diagnostics.filter(({ code }) => FIXED_ONCE.has(code))
  const groups = groupBy(repeatable, groupKey)
  return diagnostics.flatMap((each) => {
    const group = groups.get(groupKey(each)) ?? []
    const firstDiagnostic = group.find(({ severity }) => severity === 'error') ?? group[0]
    const otherDiagnostics = group.filter((other) => other !== firstDiagnostic)
    if (firstDiagnostic === undefined || group.length < (FIXED_ONCE.get(each.code) ?? 0)) return [each]
    if (isErrorAtRelated(each) && each.related.length === 0) return [each]
    if (firstDiagnostic !== each) return []
    if (isErrorAtRelated(each)) return [moveToRelated(each, group)]
    return [{ ...each, related: [...each.related, ...relatedPlaces(otherDiagnostics, 'the same here')] }]
  })
}

/** Returns whether the error is at the related place. Each misspelled placeholder is reported separately. */
function isErrorAtRelated({ code, subject }: Diagnostic): boolean {
  return ERROR_AT_RELATED.has(code) && subject.kind !== 'placeholder'
}

/** Moves the diagnostic of a group to its related place, where the error is. */
function moveToRelated({ change: _, ...each }: Diagnostic, group: readonly Diagnostic[]): Diagnostic {
  const [own, ...rest] = each.related
  return own === undefined
    ? each
    : { ...each, span: own.span, related: [...rest, ...relatedPlaces(group, 'the translation is used here')] }
}

/** Returns some places of a group as related places. */
function relatedPlaces(group: readonly Diagnostic[], message: string): Diagnostic['related'] {
  const unlistedCount = group.length - MAX_RELATED
  return group.slice(0, MAX_RELATED).map(({ span }, index) => ({
    span,
    message: `${message}${index === MAX_RELATED - 1 && unlistedCount > 0 ? `, and in ${unlistedCount} more ${unlistedCount === 1 ? 'place' : 'places'}` : ''}`,
  }))
}

/**
 * Returns the key of the group that has a common cause. For example, duplicate translations belong together if they are in the same two
 * files, and unknown properties if they have the same table and name.
 */
function groupKey(diagnostic: Diagnostic): string {
  const { code, severity, subject, span, related } = diagnostic
  const key = findingKey(diagnostic)
  switch (code) {
    case 'duplicate-translation':
      return `${code}\0${severity}\0${span.file}\0${related[0]?.span.file}`
    case 'invalid-name':
      return `${key}\0${severity}\0${span.file}`
    case 'list-as-object':
      return `${code}\0${span.file}\0${subject.of ?? subject.name}`
    case 'unknown-table-property':
    case 'unknown-form-field':
      // A form and a query may lack the same property.
      return subject.kind !== 'field' && subject.of != null ? `property\0${subject.of}\0${subject.name}` : key
    case 'unused-translation-argument':
      return subject.kind === 'placeholder' ? `${code}\0${spanKey(span)}` : key
    case 'graphql-invalid':
      // A query that was meant to be a mutation, or the reverse.
      return subject.kind === 'query: unknown field' && subject.type?.startsWith('Root') === true
        ? `${code}\0${spanKey(span)}`
        : key
    case 'unknown-field':
    case 'field-not-selected':
      return `${key}\0${related.map(({ span: each }) => spanKey(each)).join('\0')}`
    default:
      return `${key}\0${severity}`
  }
}
