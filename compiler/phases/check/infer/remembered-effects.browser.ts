/** In a browser effects are computed without a cache. */
import type { BindResult } from '../../../core/model/bound.ts'
import type { LinkedEffects } from '../../../core/model/effects.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Steps } from '../../../core/model/steps.ts'
import { effectsSteps, type Entry } from './effects.ts'

export function rememberedEffects(
  site: Site,
  bindResults: ReadonlyMap<string, BindResult>,
  entries: readonly Entry[],
): Steps<LinkedEffects> {
  return effectsSteps(site, bindResults, entries)
}
