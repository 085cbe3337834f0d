/** Updates the input of a check after edits that change nothing for other templates. */
import type { Outline } from '../../core/model/outline.ts'
import type { LinkedEffects } from '../../core/model/effects.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import { type EditedBound, effectsAfter } from '../analyze/remembered-effects.ts'
import type { InferInput } from '../analyze/site.ts'
import type { CheckInput } from './fixpoint.ts'

export interface LinkedInput extends CheckInput, InferInput {
  /** The effects of each template, including the effects of its callees. */
  readonly linkedEffects: LinkedEffects
}

/** Returns the input for a site in which some templates have other bodies; null if other templates may be affected. */
export function inputAfterEdits(
  before: LinkedInput,
  site: Site,
  operations: Operations,
  outlines: ReadonlyMap<string, Outline>,
): LinkedInput | null {
  if (before.site === site) return before
  if (before.site.structureVersion !== site.structureVersion) return null
  const siteTemplates = [...before.siteTemplates]
  const order = [...before.order]
  const edits: EditedBound[] = []
  for (const unit of site.units.filter((unit, at) => unit !== before.site.units[at])) {
    const { path } = unit.file
    for (const key of [path, ...[...unit.inner.keys()].map((inner) => `${path}#${inner}`)]) {
      const place = before.graph.places.get(key)
      const siteTemplate = place === undefined ? undefined : before.order[place]
      if (place === undefined || siteTemplate === undefined) continue
      const { inner } = siteTemplate
      const template = (inner === null ? unit.template : unit.inner.get(inner)) ?? null
      const outline = outlines.get(key)
      if (template === null || outline === undefined) return null
      edits.push({ key, oldBinding: siteTemplate.outline, newBinding: outline })
      order[place] = { key, unit, template, inner, outline }
      siteTemplates[before.siteTemplates.indexOf(siteTemplate)] = order[place]
    }
  }
  const linkedEffects = effectsAfter(before.linkedEffects, edits)
  return linkedEffects === null ? null : { ...before, site, operations, siteTemplates, order, linkedEffects }
}
