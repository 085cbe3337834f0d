/** In a browser templates are pieces of sites: nothing is asked of what others of them say. A bundle has no room for that. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'

export function checkNames(): readonly Diagnostic[] {
  return []
}

export function checkParameterNames(): readonly Diagnostic[] {
  return []
}
