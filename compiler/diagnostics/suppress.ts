/**
 * Leaves out what the author asked to leave out: by comments in the templates, and by `.platformos-check.yml`. Names are the
 * published linter's check names or our codes.
 */
import { cutFrontMatter } from '../source/front-matter.ts'
import type { Diagnostic, Severity } from './diagnostic.ts'

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

/**
 * Without these a template cannot be compiled at all: nothing hides them and nothing makes them less than they are, or the
 * compiler would have to go on with a file that it could not read.
 */
const UNDENIABLE: ReadonlySet<string> = new Set([
  'LiquidHTMLSyntaxError',
  'JsonLiteralQuoteStyle',
  'YAMLSyntaxError',
  'UnknownFilter',
  'UnreadableFile',
  'EmitterBug',
])

/** The diagnostics that are left, with the severities that the configuration gives. `textOf` gives the text of a file. */
export function applySuppressions(
  diagnostics: readonly Diagnostic[],
  textOf: (file: string) => string | undefined,
  config: LintConfig = NO_LINT_CONFIG,
): readonly Diagnostic[] {
  const ignored = config.ignore.map(globPattern)
  const checks = [...config.checks].map(([name, check]) => ({ name, check, ignore: check.ignore.map(globPattern) }))
  const marks = new Map<string, readonly SuppressionComment[]>()
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.severity === 'error' && UNDENIABLE.has(diagnostic.check)) return [diagnostic]
    const { file } = diagnostic.span
    if (ignored.some((pattern) => pattern.test(file))) return []
    const rule = checks.findLast(({ name }) => isNamed(diagnostic, name))
    if (rule === undefined ? config.base === 'none' : !rule.check.enabled) return []
    if (rule?.ignore.some((pattern) => pattern.test(file))) return []
    let marksOfFile = marks.get(file)
    if (marksOfFile === undefined) {
      marksOfFile = findMarks(textOf(file) ?? '')
      marks.set(file, marksOfFile)
    }
    if (isOff(diagnostic, marksOfFile)) return []
    const severity = rule?.check.severity ?? null
    return [severity === null || severity === diagnostic.severity ? diagnostic : { ...diagnostic, severity }]
  })
}

/** A comment that turns checks off or on from its place onwards. */
interface SuppressionComment {
  readonly at: number
  readonly off: boolean
  /** Empty: all checks. */
  readonly names: readonly string[]
}

/** In `{% # … %}`, in a `comment`, or on a comment line of a `liquid` tag, of YAML or of GraphQL. */
const MARK =
  /(?:\{%-?\s*#|\{%-?\s*comment\s*-?%\}|^[ \t]*#)\s*platformos-check-(disable|enable)(?![\w-])[ \t]*([A-Za-z0-9_,\- \t]*)/gm

function findMarks(text: string): readonly SuppressionComment[] {
  if (!text.includes('platformos-check-')) return []
  const body = cutFrontMatter(text).bodyStart
  return [...text.matchAll(MARK)].map((match) => {
    // On the first line of the file or of the template a comment speaks for the whole file.
    const first = onFirstLine(text, 0, match.index) || onFirstLine(text, body, match.index)
    const names = (match[2] ?? '').split(/[,\s]+/).map((name) => name.replace(/-+$/, ''))
    return { at: first ? 0 : match.index, off: match[1] === 'disable', names: names.filter((name) => name !== '') }
  })
}

function onFirstLine(text: string, from: number, at: number): boolean {
  return at >= from && !text.slice(from, at).trimStart().includes('\n') && text.slice(from, at).trim() === ''
}

function isOff(diagnostic: Diagnostic, marks: readonly SuppressionComment[]): boolean {
  let off = false
  for (const mark of marks) {
    if (mark.at > diagnostic.span.start) break
    if (mark.names.length === 0 || mark.names.some((name) => isNamed(diagnostic, name))) off = mark.off
  }
  return off
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
    const char = bare[at]!
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
