/** Prepares the findings about a site for the pages of a site in development. */
import { createHash } from 'node:crypto'
import type { Diagnostic, Severity } from '../../core/diagnostics/diagnostic.ts'
import { type FileTextLookup, lineRangeFinder } from '../../core/diagnostics/line-range.ts'
import { printDiagnostics, SEVERITIES } from '../../core/diagnostics/print.ts'
import { findQuickFix, type PlacedEdit } from '../../core/diagnostics/quick-fix.ts'
import { groupBy } from '../../core/source/maps.ts'

/** A fix that a page can apply. */
interface ShownFix {
  /** Identifies the fix and the texts that it applies to. */
  readonly id: string
  /** The fix as an action: ``Write `upcase` ``. */
  readonly title: string
  /** `start` and `end` are offsets in the text of the file, in UTF-16 units. */
  readonly edits: readonly PlacedEdit[]
  /** SHA-256 of the text of each edited file, in hexadecimal. */
  readonly digests: Readonly<Record<string, string>>
}

/** An error as an open page shows it. */
interface ShownError {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly code: string
  readonly message: string
  readonly hint: string | null
  /** The marked line with the lines around it. `first` is the number of the first line. */
  readonly frame: { readonly first: number; readonly lines: readonly string[]; readonly length: number } | null
  readonly fix: ShownFix | null
}

/** The errors of a file. */
export interface FileErrors {
  /** The report, as the terminal prints it. */
  readonly text: string
  readonly shown: readonly ShownError[]
}

/** A finding in the list of all findings. */
interface Problem {
  readonly severity: Severity
  readonly code: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly hint: string | null
  readonly fix: ShownFix | null
}

/** Maximum number of findings in the list. The most severe ones are listed. */
const MAX_PROBLEMS = 2_000

/** Number of lines that a frame has above and below the marked line. */
const FRAME_LINES = 2
/** Maximum number of characters of a line in a frame. */
const MAX_LINE = 500
/** Maximum number of errors of a file that a page shows. */
const MAX_SHOWN = 20
/** Maximum number of characters that a fix writes. */
const MAX_FIX = 20_000
/** Number of findings in the list that have their fix. */
const MAX_FIXES = 500

/** Returns the errors of each file that has some. */
export function errorsByFile(
  diagnostics: readonly Diagnostic[],
  findText: FileTextLookup,
): ReadonlyMap<string, FileErrors> {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const lineRangeOf = lineRangeFinder(findText)
  const fixOf = fixFinder(findText)
  const shownError = (diagnostic: Diagnostic): ShownError => {
    const { span, code, message, hint } = diagnostic
    const { line, column, endLine, endColumn } = lineRangeOf(span)
    const lines = findText(span.file)?.split(/\r?\n/) ?? []
    const first = Math.max(1, line - FRAME_LINES)
    const shownLines = lines.slice(first - 1, line + FRAME_LINES).map((text) => text.slice(0, MAX_LINE))
    const end = endLine > line ? (lines[line - 1] ?? '').length + 1 : endColumn
    const isWholeFile = span.start === 0 && span.end === 0
    const frame = isWholeFile ? null : { first, lines: shownLines, length: Math.max(1, end - column) }
    return { file: span.file, line, column, code, message, hint: hint ?? null, frame, fix: fixOf(diagnostic) }
  }
  return new Map(
    [...groupBy(errors, ({ span }) => span.file)].map(([file, own]) => [
      file,
      {
        text: printDiagnostics(own, { findText, color: false, folded: SEVERITIES }),
        shown: own.slice(0, MAX_SHOWN).map(shownError),
      },
    ]),
  )
}

/** Returns a function that finds the fix of a diagnostic. It computes the digest of each file once. */
function fixFinder(findText: FileTextLookup): (diagnostic: Diagnostic) => ShownFix | null {
  const known = new Map<string, string>()
  const digestOf = (file: string): string => {
    const digest = known.get(file) ?? sha256(findText(file) ?? '')
    known.set(file, digest)
    return digest
  }
  return (diagnostic) => {
    const found = findQuickFix(diagnostic, findText)
    if (found === null || found.edits.reduce((sum, { text }) => sum + text.length, 0) > MAX_FIX) return null
    const edits = found.edits.map(({ file, start, end, text }) => ({ file, start, end, text }))
    const digests = Object.fromEntries(edits.map(({ file }) => [file, digestOf(file)]))
    return { id: sha256(JSON.stringify([edits, digests])), title: found.title, edits, digests }
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Returns all findings in the order of `diagnostics`, without the least severe ones when there are too many, and their number. */
export function problemsOf(
  diagnostics: readonly Diagnostic[],
  findText: FileTextLookup,
): { readonly problems: readonly Problem[]; readonly total: number } {
  const lineRangeOf = lineRangeFinder(findText)
  const fixOf = fixFinder(findText)
  const listed = SEVERITIES.flatMap((wanted) => diagnostics.filter(({ severity }) => severity === wanted))
  const problems = listed.slice(0, MAX_PROBLEMS).map((diagnostic, at) => {
    const { severity, code, span, message, hint } = diagnostic
    const { line, column } = lineRangeOf(span)
    const fix = at < MAX_FIXES ? fixOf(diagnostic) : null
    return { severity, code, file: span.file, line, column, message, hint: hint ?? null, fix }
  })
  return { problems, total: diagnostics.length }
}
