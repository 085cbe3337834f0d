/** Diagnostics as JSON, for programs. */
import type { Diagnostic, Severity } from './diagnostic.ts'
import { type LineRange, lineRangeFinder, type TextOf } from './line-range.ts'

export interface JsonDiagnostic extends LineRange {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly hint: string | null
  readonly check: string
  readonly file: string
  readonly related: readonly (LineRange & { readonly file: string; readonly message: string })[]
}

/** Lines and columns count from 1, columns in UTF-16 units; the end stands behind the last character. */
export function jsonDiagnostics(diagnostics: readonly Diagnostic[], textOf: TextOf): readonly JsonDiagnostic[] {
  const lineRangeOf = lineRangeFinder(textOf)
  return diagnostics.map(({ code, severity, message, hint, check, span, related }) => ({
    code,
    severity,
    message,
    hint: hint ?? null,
    check,
    file: span.file,
    ...lineRangeOf(span),
    related: related.map((each) => ({ file: each.span.file, ...lineRangeOf(each.span), message: each.message })),
  }))
}

/** The array as text, ending with a line feed. */
export function printJson(diagnostics: readonly Diagnostic[], textOf: TextOf): string {
  return `${JSON.stringify(jsonDiagnostics(diagnostics, textOf), null, 2)}\n`
}
