/** In a browser the pages of the site are not available, so links are not checked. */
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
