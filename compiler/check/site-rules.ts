/** Rules over the site as a whole. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Site } from '../model/site.ts'
import type { Piece, UnitFacts } from './facts.ts'
import type { Reach } from './reach.ts'

export interface SiteRules {
  readonly site: Site
  readonly pieces: readonly Piece[]
  readonly reach: Reach
  readonly factsOf: (piece: Piece) => UnitFacts | null
}

export function checkSite(_rules: SiteRules): readonly Diagnostic[] {
  return []
}
