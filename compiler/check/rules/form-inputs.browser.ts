/** In a browser the HTML of forms is not looked at. A bundle has no room for that. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'

export function checkInputs(): readonly Diagnostic[] {
  return []
}
