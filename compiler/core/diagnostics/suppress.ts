/**
 * Applies suppressions: comments in templates and `.platformos-check.yml`. Both name checks of the published linter or diagnostic codes.
 */
import { cutFrontMatter } from '../source/front-matter.ts'
import type { Span } from '../source/span.ts'
import { uselessSuppression } from './codes/site/useless-suppression.ts'
import { type Diagnostic, compareByPlace, type Severity } from './diagnostic.ts'
import { findNearest } from './suggest.ts'

export interface LintConfig {
  /** `none`: only the listed checks run. */
  readonly base: 'all' | 'none'
  /** Glob patterns of files in which no check runs. */
  readonly ignore: readonly string[]
  readonly checks: ReadonlyMap<string, CheckConfig>
}

export interface CheckConfig {
  readonly enabled: boolean
  readonly severity: Severity | null
  readonly ignore: readonly string[]
}

export const NO_LINT_CONFIG: LintConfig = { base: 'all', ignore: [], checks: new Map() }

/** Checks that cannot be suppressed: compiler bugs and files that are not text. */
const NOT_SUPPRESSIBLE: ReadonlySet<string> = new Set(['UnreadableFile', 'EmitterBug'])

/**
 * Returns the remaining diagnostics, with the configured severities. A suppressed error stays as a warning, so that the site can be
 * built; the code fails at run time. `findText` returns the text of a file. `completeFiles` are the files whose diagnostics are
 * complete: useless suppression comments are reported only in these. `isCustom` returns whether a name may be that of a check of the author,
 * whose findings are not among these; for the empty text, whether there are such checks.
 */
export function applySuppressions(
  diagnostics: readonly Diagnostic[],
  findText: (file: string) => string | undefined,
  config: LintConfig = NO_LINT_CONFIG,
  completeFiles: Iterable<string> = [],
  isCustom?: (name: string) => boolean,
): readonly Diagnostic[] {
  const ignored = config.ignore.map(globPattern)
  const checks = [...config.checks].map(([name, check]) => ({ name, check, ignore: check.ignore.map(globPattern) }))
  const comments = new Map<string, readonly SuppressionComment[]>()
  const commentsIn = (file: string): readonly SuppressionComment[] => {
    const cachedComments = comments.get(file) ?? findComments(file, findText(file) ?? '')
    comments.set(file, cachedComments)
    return cachedComments
  }
  const remaining = diagnostics.flatMap((diagnostic) => {
    if (NOT_SUPPRESSIBLE.has(diagnostic.check)) return [diagnostic]
    const { file } = diagnostic.span
    // Comments come first: a comment counts as used even if the configuration suppresses the same check.
    const comment = findSuppression(diagnostic, commentsIn(file))
    if (comment !== null) return lowerSeverity(diagnostic, comment.span)
    if (ignored.some((pattern) => pattern.test(file))) return lowerSeverity(diagnostic)
    const rule = checks.findLast(({ name }) => isNamed(diagnostic, name))
    if (rule === undefined ? config.base === 'none' : !rule.check.enabled) return lowerSeverity(diagnostic)
    if (rule?.ignore.some((pattern) => pattern.test(file))) return lowerSeverity(diagnostic)
    const severity = rule?.check.severity ?? null
    if (severity === null || severity === diagnostic.severity) return [diagnostic]
    return severity === 'info' ? lowerSeverity(diagnostic, null, 'info') : [{ ...diagnostic, severity }]
  })
  return addUselessSuppressions(remaining, completeFiles, commentsIn, isCustom)
}

/** Returns a suppressed diagnostic: an error becomes a warning; others are removed, or get the requested severity. */
function lowerSeverity(
  diagnostic: Diagnostic,
  comment: Span | null = null,
  requested: Severity | null = null,
): readonly Diagnostic[] {
  if (diagnostic.severity !== 'error') return requested === null ? [] : [{ ...diagnostic, severity: requested }]
  const place = {
    span: comment ?? diagnostic.span,
    message: 'this comment makes it a warning, but the code still fails at run time',
  }
  const related = comment === null ? diagnostic.related : [...diagnostic.related, place]
  return [{ ...diagnostic, severity: 'warning', related }]
}

/** Adds remarks about comments that suppress nothing. Files that cannot be parsed are skipped, because their diagnostics are incomplete. */
function addUselessSuppressions(
  remaining: readonly Diagnostic[],
  completeFiles: Iterable<string>,
  commentsIn: (file: string) => readonly SuppressionComment[],
  isCustom: ((name: string) => boolean) | undefined,
): readonly Diagnostic[] {
  const useless: Diagnostic[] = []
  for (const file of completeFiles) {
    const disabling = commentsIn(file).filter(({ disables: off }) => off)
    if (disabling.length === 0 || remaining.some(({ span, check }) => span.file === file && PARSE_ERRORS.has(check)))
      continue
    for (const comment of disabling) {
      const unused = comment.names.filter((name) => !comment.suppressed.has(name) && !isCustom?.(name))
      const isWholeComment = unused.length === comment.names.length
      if (unused.length === 0) continue
      const similarName = remaining.filter(({ span }) => span.file === file).flatMap(({ check, code }) => [check, code])
      useless.push(
        uselessSuppression(
          comment.span,
          unused,
          isWholeComment,
          unused[0] === undefined ? null : findNearest(unused[0], similarName),
        ),
      )
    }
  }
  return useless.length === 0 ? remaining : [...remaining, ...useless].toSorted(compareByPlace)
}

/** Checks that report parse errors. In such a file, other diagnostics are incomplete. */
const PARSE_ERRORS: ReadonlySet<string> = new Set([
  'LiquidHTMLSyntaxError',
  'YAMLSyntaxError',
  'GraphQLCheck',
  'UnreadableFile',
])

/** A comment that turns checks off or on from its place on. */
interface SuppressionComment {
  readonly offset: number
  readonly disables: boolean
  /** The names of the checks; a single empty text for all checks. */
  readonly names: readonly string[]
  readonly span: Span
  /** The names that suppressed something. */
  readonly suppressed: Set<string>
}

/** A suppression in `{% # … %}`, in a `comment` block, or in a comment line of a `liquid` tag, YAML or GraphQL. */
const MARK =
  /(?:\{%-?\s*#|\{%-?\s*comment\s*-?%\}|^[ \t]*#)\s*platformos-check-(disable|enable)(?![\w-])[ \t]*([A-Za-z0-9_,\- \t]*)/gm

function findComments(file: string, text: string): readonly SuppressionComment[] {
  if (!text.includes('platformos-check-')) return []
  const body = cutFrontMatter(text).bodyStart
  return [...text.matchAll(MARK)].map((match) => {
    // A comment on the first line of the file or template applies to the whole file.
    const isFirst = onFirstLine(text, 0, match.index) || onFirstLine(text, body, match.index)
    const names = (match[2] ?? '').split(/[,\s]+/).map((name) => name.replace(/-+$/, ''))
    const start = match.index + (/^[ \t]*/.exec(match[0])?.[0].length ?? 0)
    return {
      offset: isFirst ? 0 : match.index,
      disables: match[1] === 'disable',
      names: names.join('') === '' ? [''] : names.filter((name) => name !== ''),
      span: { file, start, end: findCommentEnd(text, start) },
      suppressed: new Set<string>(),
    }
  })
}

/** Returns the end of a comment: of its tag, block or line. */
function findCommentEnd(text: string, start: number): number {
  const rest = text.slice(start)
  const whole = /^(?:\{%-?\s*comment\b[^]*?\{%-?\s*endcomment\s*-?%\}|\{%-?\s*#[^]*?%\}|.*)/.exec(rest)?.[0] ?? ''
  return start + whole.trimEnd().length
}

function onFirstLine(text: string, from: number, at: number): boolean {
  return at >= from && !text.slice(from, at).trimStart().includes('\n') && text.slice(from, at).trim() === ''
}

/** Returns the comment that suppresses the diagnostic, and marks all comments that do so as used. */
function findSuppression(diagnostic: Diagnostic, comments: readonly SuppressionComment[]): SuppressionComment | null {
  let active: SuppressionComment[] = []
  for (const comment of comments) {
    if (comment.offset > diagnostic.span.start) break
    if (!comment.names.some((name) => isNamed(diagnostic, name))) continue
    active = comment.disables ? [...active, comment] : []
  }
  for (const { names, suppressed } of active) {
    for (const name of names) if (isNamed(diagnostic, name)) suppressed.add(name)
  }
  return active.at(-1) ?? null
}

function isNamed(diagnostic: Diagnostic, name: string): boolean {
  return name === '' || name === diagnostic.check || name === diagnostic.code
}

/**
 * Converts a glob to a regular expression: `*` within a folder, `**` across folders, `?` and `{a,b}`. A pattern that matches a folder
 * matches all files in it. A pattern without a slash matches at any depth.
 * @internal Exported for tests.
 */
export function globPattern(glob: string): RegExp {
  const trimmedGlob = glob.replace(/^\.?\//, '').replace(/\/+$/, '')
  let pattern = trimmedGlob.includes('/') ? '' : '(?:.*/)?'
  let braces = 0
  for (let at = 0; at < trimmedGlob.length; at++) {
    const char = trimmedGlob.charAt(at)
    if (trimmedGlob.startsWith('**/', at)) {
      pattern += '(?:[^/]+/)*'
      at += 2
    } else if (trimmedGlob.startsWith('**', at)) {
      pattern += '.*'
      at++
    } else if (char === '*') pattern += '[^/]*'
    else if (char === '?') pattern += '[^/]'
    else if (char === '{' && trimmedGlob.includes('}', at)) {
      braces++
      pattern += '(?:'
    } else if (char === '}' && braces > 0) {
      braces--
      pattern += ')'
    } else if (char === ',' && braces > 0) pattern += '|'
    else pattern += char.replace(/[.+^$()[\]{}|\\]/, '\\$&')
  }
  return new RegExp(`^${pattern}${')'.repeat(braces)}(?:/.*)?$`)
}
