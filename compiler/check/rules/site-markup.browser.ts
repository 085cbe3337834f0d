/** In a browser templates are pieces of pages, whose HTML is not looked at. A bundle has no room for that. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'

export function checkMarkup(): readonly Diagnostic[] {
  return []
}
