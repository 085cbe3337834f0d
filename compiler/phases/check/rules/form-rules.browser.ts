/** Replaces the checks of form configurations in browsers, which never submit forms. This keeps the bundle small. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'

export function checkForms(): readonly Diagnostic[] {
  return []
}
