/** Diagnostics as JSON, for programs. */
import type { Diagnostic, Severity } from './diagnostic.ts'
import { type LineRange, lineRangeFinder, type TextOf } from './line-range.ts'
import { quickFixOf } from './quick-fix.ts'

export interface JsonDiagnostic extends LineRange {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly hint: string | null
  readonly check: string
  readonly file: string
  /** The change that takes the message away; null where none is that exact. */
  readonly fix: JsonFix | null
  readonly related: readonly (LineRange & { readonly file: string; readonly message: string })[]
}

export interface JsonFix {
  readonly title: string
  /** Whether `ingot check --fix` makes it without asking. */
  readonly safe: boolean
  /** `start` and `end` are offsets into the text of the file, in UTF-16 units. */
  readonly edits: readonly (LineRange & {
    readonly file: string
    readonly start: number
    readonly end: number
    readonly text: string
  })[]
}

/** Lines and columns count from 1, columns in UTF-16 units; the end stands behind the last character. */
export function jsonDiagnostics(diagnostics: readonly Diagnostic[], textOf: TextOf): readonly JsonDiagnostic[] {
  const lineRangeOf = lineRangeFinder(textOf)
  const fixOf = (diagnostic: Diagnostic): JsonFix | null => {
    const fix = quickFixOf(diagnostic, textOf)
    if (fix === null) return null
    const edits = fix.edits.map(({ file, start, end, text }) => ({
      file,
      ...lineRangeOf({ file, start, end }),
      start,
      end,
      text,
    }))
    return { title: fix.title, safe: fix.safe, edits }
  }
  return diagnostics.map((diagnostic) => {
    const { code, severity, message, hint, check, span, related } = diagnostic
    return {
      code,
      severity,
      message,
      hint: hint ?? null,
      check,
      file: span.file,
      ...lineRangeOf(span),
      fix: fixOf(diagnostic),
      related: related.map((each) => ({ file: each.span.file, ...lineRangeOf(each.span), message: each.message })),
    }
  })
}

/** The array as text, ending with a line feed. */
export function printJson(diagnostics: readonly Diagnostic[], textOf: TextOf): string {
  return `${JSON.stringify(jsonDiagnostics(diagnostics, textOf), null, 2)}\n`
}
