/** In a browser nothing is asked of a database. A bundle has no room for what is wrong with queries of a whole site. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'

export function checkUnusedQueries(): readonly Diagnostic[] {
  return []
}

export function hasUnreadableTemplate(): boolean {
  return true
}

export function checkNesting(): readonly Diagnostic[] {
  return []
}
