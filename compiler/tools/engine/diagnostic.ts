/** Diagnostics for users of the library: plain objects with lines and columns. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { lineRangeFinder } from '../../core/diagnostics/line-range.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import { LiquidFault, SyntaxFault } from '../../../runtime/index.ts'
import { withReferenceMessage } from '../../../runtime/page/renderer/entry-render.ts'

export interface EngineDiagnostic {
  readonly code: string
  readonly severity: Diagnostic['severity']
  readonly message: string
  readonly hint: string | null
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** Returns a diagnostic as a plain object. `texts` are the files as written, by path. */
export function plainDiagnostic(diagnostic: Diagnostic, texts: ReadonlyMap<string, string>): EngineDiagnostic {
  const { code, severity, message, hint = null, span } = diagnostic
  return { code, severity, message, hint, file: span.file, ...lineRangeFinder((file) => texts.get(file))(span) }
}

/**
 * Returns the error thrown when a file with this diagnostic is rendered. For base Liquid, the message is that of the reference
 * implementation.
 */
export function siteError(diagnostic: EngineDiagnostic, dialect: Dialect): LiquidFault {
  const fault = new (dialect === 'liquid' ? SyntaxFault : LiquidFault)(diagnostic.message)
  fault.file = diagnostic.file
  fault.line = diagnostic.line
  return dialect === 'liquid' ? withReferenceMessage(fault, diagnostic.file) : fault
}
