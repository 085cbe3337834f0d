/** What a check begins with, after edits of templates that do the same for others as before. */
import type { Bound } from '../model/bound.ts'
import type { Linked } from '../model/effects.ts'
import type { Operations } from '../model/operation.ts'
import type { Site } from '../model/site.ts'
import { doesTheSame } from './infer/effects.ts'
import type { InferInput } from './infer/site.ts'
import type { Piece } from './piece.ts'
import type { CheckInput } from './rounds.ts'

export interface LinkedInput extends CheckInput, InferInput {
  /** What each template does, its callees included. */
  readonly linked: Linked
}

/** The same for a site in which some templates have other bodies, that do the same for others; else null. */
export function afterEdits(
  before: LinkedInput,
  site: Site,
  operations: Operations,
  bounds: ReadonlyMap<string, Bound>,
): LinkedInput | null {
  if (before.site === site) return before
  if (before.site.frame !== site.frame) return null
  const edited = new Map<Piece, Piece>()
  const isEdited = new Set(site.units.filter((unit, at) => unit !== before.site.units[at]).map(({ file }) => file.path))
  for (const piece of before.pieces) {
    if (!isEdited.has(piece.unit.file.path)) continue
    const { key, inner } = piece
    const unit = site.byFile.get(piece.unit.file.path)
    const template = (inner === null ? unit?.template : unit?.inner.get(inner)) ?? null
    const bound = bounds.get(key)
    if (unit === undefined || template === null || bound === undefined || !doesTheSame(piece.bound, bound)) return null
    edited.set(piece, { key, unit, template, inner, bound })
  }
  const now = (piece: Piece): Piece => edited.get(piece) ?? piece
  return { ...before, site, operations, pieces: before.pieces.map(now), order: before.order.map(now) }
}
