/** Replaces the checks of stylesheets in browsers, which only have templates. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'

export function checkStylesheets(): readonly Diagnostic[] {
  return []
}
