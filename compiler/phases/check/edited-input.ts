/** Updates the input of a check after edits that change nothing for other templates. */
import type { Bound } from '../../core/model/bound.ts'
import type { Linked } from '../../core/model/effects.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import { type EditedBound, effectsAfter } from './infer/remembered-effects.ts'
import type { InferInput } from './infer/site.ts'
import type { CheckInput } from './rounds.ts'

export interface LinkedInput extends CheckInput, InferInput {
  /** The effects of each template, including the effects of its callees. */
  readonly linked: Linked
}

/** Returns the input for a site in which some templates have other bodies; null if other templates may be affected. */
export function afterEdits(
  before: LinkedInput,
  site: Site,
  operations: Operations,
  bounds: ReadonlyMap<string, Bound>,
): LinkedInput | null {
  if (before.site === site) return before
  if (before.site.frame !== site.frame) return null
  const pieces = [...before.pieces]
  const order = [...before.order]
  const edits: EditedBound[] = []
  for (const unit of site.units.filter((unit, at) => unit !== before.site.units[at])) {
    const { path } = unit.file
    for (const key of [path, ...[...unit.inner.keys()].map((inner) => `${path}#${inner}`)]) {
      const place = before.graph.places.get(key)
      const piece = place === undefined ? undefined : before.order[place]
      if (place === undefined || piece === undefined) continue
      const { inner } = piece
      const template = (inner === null ? unit.template : unit.inner.get(inner)) ?? null
      const bound = bounds.get(key)
      if (template === null || bound === undefined) return null
      edits.push({ key, before: piece.bound, after: bound })
      order[place] = { key, unit, template, inner, bound }
      pieces[before.pieces.indexOf(piece)] = order[place]
    }
  }
  const linked = effectsAfter(before.linked, edits)
  return linked === null ? null : { ...before, site, operations, pieces, order, linked }
}
