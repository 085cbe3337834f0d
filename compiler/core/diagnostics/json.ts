/** Formats diagnostics as JSON. */
import type { Diagnostic, Severity } from './diagnostic.ts'
import { type LineRange, lineRangeFinder, type FileTextLookup } from './line-range.ts'
import { findQuickFix } from './quick-fix.ts'

export interface JsonDiagnostic extends LineRange {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly hint: string | null
  readonly check: string
  readonly file: string
  /** The change that fixes the diagnostic; null if there is no exact fix. */
  readonly fix: JsonFix | null
  readonly related: readonly (LineRange & { readonly file: string; readonly message: string })[]
}

interface JsonFix {
  readonly title: string
  /** Whether `ingot check --fix` applies the change. */
  readonly safe: boolean
  /** `start` and `end` are offsets in the text of the file, in UTF-16 units. */
  readonly edits: readonly (LineRange & {
    readonly file: string
    readonly start: number
    readonly end: number
    readonly text: string
  })[]
}

/** Returns diagnostics as JSON values. Lines and columns start at 1, columns count UTF-16 units, and the end is exclusive. */
export function jsonDiagnostics(
  diagnostics: readonly Diagnostic[],
  findText: FileTextLookup,
): readonly JsonDiagnostic[] {
  const lineRangeOf = lineRangeFinder(findText)
  const fixOf = (diagnostic: Diagnostic): JsonFix | null => {
    const fix = findQuickFix(diagnostic, findText)
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

/** Returns the array as JSON text that ends with a line feed. */
export function printJson(diagnostics: readonly Diagnostic[], findText: FileTextLookup): string {
  return `${JSON.stringify(jsonDiagnostics(diagnostics, findText), null, 2)}\n`
}
