/** In a browser, which serves nobody's pages, nothing is asked of where values come from: a bundle has no room for that. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Steps } from '../../model/steps.ts'

// biome-ignore lint/correctness/useYield: it has nothing to do
export function* taintSteps(): Steps<readonly Diagnostic[]> {
  return []
}
