/** In a browser templates are pieces of pages, and no whole site: a bundle has no room for what is told of those. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Steps } from '../../core/model/steps.ts'

// biome-ignore lint/correctness/useYield: it has nothing to do
export function* adviceSteps(): Steps<readonly Diagnostic[]> {
  return []
}
