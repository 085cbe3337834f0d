/** In a browser there are templates alone: no stylesheet names a file. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'

export function checkStylesheets(): readonly Diagnostic[] {
  return []
}
