/** In a browser, which answers no requests, nothing is asked of what pages do: a bundle has no room for that. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'

export function checkDeeds(): readonly Diagnostic[] {
  return []
}
