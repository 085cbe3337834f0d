/** Converts diagnostics to the protocol's format. */
import { type Diagnostic as Shown, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver/node'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { capitalize } from '../../../core/diagnostics/words.ts'
import type { Lines } from './places.ts'

const SEVERITIES: Readonly<Record<Diagnostic['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
}

/** Converts a diagnostic. @param linesOf returns the lines and the address of another file */
export function toProtocolDiagnostic(
  { code, severity, message, hint, span, related }: Diagnostic,
  lines: Lines,
  linesOf: (path: string) => { readonly uri: string; readonly lines: Lines } | null,
): Shown {
  const places = related.flatMap(({ span, message: words }) => {
    const file = linesOf(span.file)
    return file === null ? [] : [{ location: { uri: file.uri, range: file.lines.range(span) }, message: words }]
  })
  return {
    range: lines.range(span),
    severity: SEVERITIES[severity],
    code,
    source: 'ingot',
    message: hint === undefined ? message : `${message}\n${capitalize(hint)}`,
    ...(places.length > 0 && { relatedInformation: places }),
    ...(/^un(?:used|reachable)-/.test(code) && { tags: [DiagnosticTag.Unnecessary] }),
    ...(code.startsWith('deprecated-') && { tags: [DiagnosticTag.Deprecated] }),
  }
}
