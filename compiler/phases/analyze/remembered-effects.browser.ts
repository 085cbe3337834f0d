/** In a browser effects are computed without a cache. */
import type { Outline } from '../../core/model/outline.ts'
import type { LinkedEffects } from '../../core/model/effects.ts'
import type { Site } from '../../core/model/site.ts'
import type { Steps } from '../../core/model/steps.ts'
import { effectsSteps, type Entry } from './effects.ts'

export function rememberedEffects(
  site: Site,
  outlines: ReadonlyMap<string, Outline>,
  entries: readonly Entry[],
): Steps<LinkedEffects> {
  return effectsSteps(site, outlines, entries)
}
