/** In a browser templates are parts of pages, not a whole site: the warnings about sites are left out to keep the bundle small. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Steps } from '../../core/model/steps.ts'

// biome-ignore lint/correctness/useYield: it has nothing to do
export function* warningSteps(): Steps<readonly Diagnostic[]> {
  return []
}
