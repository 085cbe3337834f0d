/** Replaces the checks of queries in browsers, which have no database. This keeps the bundle small. */
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
