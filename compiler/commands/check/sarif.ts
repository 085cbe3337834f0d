/** Formats findings as SARIF. It contains the texts of all diagnostics, so it is loaded lazily. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import * as codes from '../../pipeline/diagnostics.ts'
import type { FileTextLookup } from '../../core/diagnostics/line-range.ts'
import { printSarif } from '../../core/diagnostics/sarif.ts'
import { VERSION } from '../../phases/emit/manifest.ts'

export function formatSarif(diagnostics: readonly Diagnostic[], texts: FileTextLookup): string {
  return printSarif(diagnostics, { findText: texts, codes: Object.values(codes), version: VERSION })
}
