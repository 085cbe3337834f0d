/** Replaces the checks of background jobs in browsers, which run no jobs. This keeps the bundle small. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'

export function checkRequestReads(): readonly Diagnostic[] {
  return []
}
