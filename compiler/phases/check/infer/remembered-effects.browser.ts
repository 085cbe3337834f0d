/** In a browser effects are computed without a cache. */
import type { Bound } from '../../../core/model/bound.ts'
import type { Linked } from '../../../core/model/effects.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Steps } from '../../../core/model/steps.ts'
import { effectsSteps, type Entry } from './effects.ts'

export function rememberedEffects(
  site: Site,
  bounds: ReadonlyMap<string, Bound>,
  entries: readonly Entry[],
): Steps<Linked> {
  return effectsSteps(site, bounds, entries)
}
