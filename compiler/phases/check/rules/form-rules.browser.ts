/** In a browser no form is sent. A bundle has no room for what is wrong with their configurations as a site has them. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'

export function checkForms(): readonly Diagnostic[] {
  return []
}
