/** In a browser templates are pieces of pages: what one of them opens another may close. A bundle has no room for that. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'

export function checkBalance(): readonly Diagnostic[] {
  return []
}
