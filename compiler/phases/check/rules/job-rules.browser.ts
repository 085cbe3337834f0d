/** In a browser no job runs. A bundle has no room for what is wrong with those of a server. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'

export function checkRequestReads(): readonly Diagnostic[] {
  return []
}
