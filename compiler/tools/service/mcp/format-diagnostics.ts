/** Formats diagnostics for agents. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { jsonDiagnostics } from '../../../core/diagnostics/json.ts'
import type { FileTextLookup } from '../../../core/diagnostics/line-range.ts'

/** Maximum number of diagnostics in one answer. */
const MAX_DIAGNOSTICS = 50

/** Returns the first diagnostics, errors before warnings, each with its position, hint and suggested edits. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], textOf: FileTextLookup): readonly object[] {
  const order = ['error', 'warning', 'info']
  const sorted = diagnostics.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  const all: object[] = jsonDiagnostics(sorted.slice(0, MAX_DIAGNOSTICS), textOf).map(
    ({ file, line, column, code, severity, message, hint, fix, related }) => ({
      ...{ file, line, column, severity, code, message },
      ...(hint !== null && { hint }),
      ...(fix !== null && {
        change: fix.edits.map(({ file: of, line: at, column: from, endLine, endColumn, text }) => ({
          ...(of !== file && { file: of }),
          ...{ line: at, column: from, endLine, endColumn, text },
        })),
      }),
      ...(related.length > 0 && {
        related: related.slice(0, 3).map((each) => ({ file: each.file, line: each.line, message: each.message })),
      }),
    }),
  )
  const remaining = sorted.length - MAX_DIAGNOSTICS
  return remaining > 0 ? [...all, { more: remaining }] : all
}

/** Returns the diagnostics that are not in the earlier list. Positions are ignored, because an edit moves the text after it. */
export function newDiagnostics(after: readonly Diagnostic[], before: readonly Diagnostic[]): readonly Diagnostic[] {
  const counts = new Map<string, number>()
  for (const diagnostic of before)
    counts.set(diagnosticKey(diagnostic), (counts.get(diagnosticKey(diagnostic)) ?? 0) + 1)
  return after.filter((each) => {
    const remaining = counts.get(diagnosticKey(each)) ?? 0
    counts.set(diagnosticKey(each), remaining - 1)
    return remaining <= 0
  })
}

function diagnosticKey({ code, severity, span, message }: Diagnostic): string {
  return [code, severity, span.file, message].join('\0')
}
