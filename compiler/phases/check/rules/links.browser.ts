/** In a browser there are no pages of a site that links could lead to. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'

export function checkLinks(): readonly Diagnostic[] {
  return []
}

export function linksOfSettings(): readonly never[] {
  return []
}

export function linkOf(): null {
  return null
}
