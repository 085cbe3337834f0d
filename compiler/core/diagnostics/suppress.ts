/**
 * Leaves out what the author asked to leave out: by comments in the templates, and by `.platformos-check.yml`. Names are the
 * published linter's check names or our codes.
 */
import { cutFrontMatter } from '../source/front-matter.ts'
import type { Span } from '../source/span.ts'
import { uselessSuppression } from './codes/site/useless-suppression.ts'
import { type Diagnostic, inFiles, type Severity } from './diagnostic.ts'
import { nearest } from './suggest.ts'

export interface LintConfig {
  /** `none`: only the checks that are named run. */
  readonly base: 'all' | 'none'
  /** Patterns of paths in which no check runs. */
  readonly ignore: readonly string[]
  readonly checks: ReadonlyMap<string, CheckConfig>
}

export interface CheckConfig {
  readonly enabled: boolean
  readonly severity: Severity | null
  readonly ignore: readonly string[]
}

export const NO_LINT_CONFIG: LintConfig = { base: 'all', ignore: [], checks: new Map() }

/** What the compiler says of itself, and of a file that is no text: no comment is for it. */
const UNDENIABLE: ReadonlySet<string> = new Set(['UnreadableFile', 'EmitterBug'])

/**
 * The diagnostics that are left, with the severities that the configuration gives. What is certain to fail stays, as a warning: it lets a site
 * be built in which it fails where it is reached. `textOf` gives the text of a file; `whole` are the files of a site of which all findings
 * are given, so that a comment that silences nothing is told.
 */
export function applySuppressions(
  diagnostics: readonly Diagnostic[],
  textOf: (file: string) => string | undefined,
  config: LintConfig = NO_LINT_CONFIG,
  whole: Iterable<string> = [],
): readonly Diagnostic[] {
  const ignored = config.ignore.map(globPattern)
  const checks = [...config.checks].map(([name, check]) => ({ name, check, ignore: check.ignore.map(globPattern) }))
  const comments = new Map<string, readonly SuppressionComment[]>()
  const commentsIn = (file: string): readonly SuppressionComment[] => {
    const known = comments.get(file) ?? findComments(file, textOf(file) ?? '')
    comments.set(file, known)
    return known
  }
  const left = diagnostics.flatMap((diagnostic) => {
    if (UNDENIABLE.has(diagnostic.check)) return [diagnostic]
    const { file } = diagnostic.span
    // Asked first: it is of use also where the configuration silences the same.
    const comment = silencedBy(diagnostic, commentsIn(file))
    if (comment !== null) return lowered(diagnostic, comment.span)
    if (ignored.some((pattern) => pattern.test(file))) return lowered(diagnostic)
    const rule = checks.findLast(({ name }) => isNamed(diagnostic, name))
    if (rule === undefined ? config.base === 'none' : !rule.check.enabled) return lowered(diagnostic)
    if (rule?.ignore.some((pattern) => pattern.test(file))) return lowered(diagnostic)
    const severity = rule?.check.severity ?? null
    if (severity === null || severity === diagnostic.severity) return [diagnostic]
    return severity === 'info' ? lowered(diagnostic, null, 'info') : [{ ...diagnostic, severity }]
  })
  return withUseless(left, whole, commentsIn)
}

/** What is asked to be silent: an error goes on as a warning, whatever else not at all, or as what is asked for. */
function lowered(
  diagnostic: Diagnostic,
  comment: Span | null = null,
  asked: Severity | null = null,
): readonly Diagnostic[] {
  if (diagnostic.severity !== 'error') return asked === null ? [] : [{ ...diagnostic, severity: asked }]
  const place = {
    span: comment ?? diagnostic.span,
    message: 'it is no error by this comment, and fails where it is reached',
  }
  const related = comment === null ? diagnostic.related : [...diagnostic.related, place]
  return [{ ...diagnostic, severity: 'warning', related }]
}

/** Remarks on comments that silence nothing. Where a file cannot be read most findings are not known. */
function withUseless(
  left: readonly Diagnostic[],
  whole: Iterable<string>,
  commentsIn: (file: string) => readonly SuppressionComment[],
): readonly Diagnostic[] {
  const useless: Diagnostic[] = []
  for (const file of whole) {
    const own = commentsIn(file).filter(({ off }) => off)
    if (own.length === 0 || left.some(({ span, check }) => span.file === file && UNREAD.has(check))) continue
    for (const comment of own) {
      const idle = comment.names.filter((name) => !comment.silenced.has(name))
      const all = idle.length === comment.names.length
      if (comment.names.length === 0 ? comment.silenced.size > 0 : idle.length === 0) continue
      const near = left.filter(({ span }) => span.file === file).flatMap(({ check, code }) => [check, code])
      useless.push(uselessSuppression(comment.span, idle, all, idle[0] === undefined ? null : nearest(idle[0], near)))
    }
  }
  return useless.length === 0 ? left : [...left, ...useless].toSorted(inFiles)
}

/** Checks of what cannot be read, and of what is not there: what else would be found is not known. */
const UNREAD: ReadonlySet<string> = new Set([
  'LiquidHTMLSyntaxError',
  'YAMLSyntaxError',
  'GraphQLCheck',
  'UnreadableFile',
])

/** A comment that turns checks off or on from its place onwards. */
interface SuppressionComment {
  readonly at: number
  readonly off: boolean
  /** Empty: all checks. */
  readonly names: readonly string[]
  readonly span: Span
  /** Those of its names that something was found by; an empty one where it names none. */
  readonly silenced: Set<string>
}

/** In `{% # … %}`, in a `comment`, or on a comment line of a `liquid` tag, of YAML or of GraphQL. */
const MARK =
  /(?:\{%-?\s*#|\{%-?\s*comment\s*-?%\}|^[ \t]*#)\s*platformos-check-(disable|enable)(?![\w-])[ \t]*([A-Za-z0-9_,\- \t]*)/gm

function findComments(file: string, text: string): readonly SuppressionComment[] {
  if (!text.includes('platformos-check-')) return []
  const body = cutFrontMatter(text).bodyStart
  return [...text.matchAll(MARK)].map((match) => {
    // On the first line of the file or of the template a comment speaks for the whole file.
    const first = onFirstLine(text, 0, match.index) || onFirstLine(text, body, match.index)
    const names = (match[2] ?? '').split(/[,\s]+/).map((name) => name.replace(/-+$/, ''))
    const start = match.index + (/^[ \t]*/.exec(match[0])?.[0].length ?? 0)
    return {
      at: first ? 0 : match.index,
      off: match[1] === 'disable',
      names: names.filter((name) => name !== ''),
      span: { file, start, end: endOf(text, start) },
      silenced: new Set<string>(),
    }
  })
}

/** Where a comment ends: its tag, its block, or its line. */
function endOf(text: string, start: number): number {
  const rest = text.slice(start)
  const whole = /^(?:\{%-?\s*comment\b[^]*?\{%-?\s*endcomment\s*-?%\}|\{%-?\s*#[^]*?%\}|.*)/.exec(rest)?.[0] ?? ''
  return start + whole.trimEnd().length
}

function onFirstLine(text: string, from: number, at: number): boolean {
  return at >= from && !text.slice(from, at).trimStart().includes('\n') && text.slice(from, at).trim() === ''
}

/** The comment that turns the check off at the diagnostic's place; all that do so have silenced something then. */
function silencedBy(diagnostic: Diagnostic, comments: readonly SuppressionComment[]): SuppressionComment | null {
  let active: SuppressionComment[] = []
  for (const comment of comments) {
    if (comment.at > diagnostic.span.start) break
    if (comment.names.length > 0 && !comment.names.some((name) => isNamed(diagnostic, name))) continue
    active = comment.off ? [...active, comment] : []
  }
  for (const { names, silenced } of active) {
    if (names.length === 0) silenced.add('')
    for (const name of names) if (isNamed(diagnostic, name)) silenced.add(name)
  }
  return active.at(-1) ?? null
}

function isNamed(diagnostic: Diagnostic, name: string): boolean {
  return name === diagnostic.check || name === diagnostic.code
}

/**
 * `*` within a folder, `**` across folders, `?`, `{a,b}`. A pattern that fits a folder fits all that stands in it, and one
 * without a slash fits at any depth.
 */
export function globPattern(glob: string): RegExp {
  const bare = glob.replace(/^\.?\//, '').replace(/\/+$/, '')
  let pattern = bare.includes('/') ? '' : '(?:.*/)?'
  let braces = 0
  for (let at = 0; at < bare.length; at++) {
    const char = bare.charAt(at)
    if (bare.startsWith('**/', at)) {
      pattern += '(?:[^/]+/)*'
      at += 2
    } else if (bare.startsWith('**', at)) {
      pattern += '.*'
      at++
    } else if (char === '*') pattern += '[^/]*'
    else if (char === '?') pattern += '[^/]'
    else if (char === '{' && bare.includes('}', at)) {
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
