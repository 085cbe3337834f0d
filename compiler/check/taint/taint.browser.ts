/** In a browser, which serves nobody's pages, nothing is asked of where values come from: a bundle has no room for that. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'

export function checkTaint(): readonly Diagnostic[] {
  return []
}
