/** What the check of a site begins with: its templates, which of them call which, and what each does beside printing. */
import type { Language } from '../language.ts'
import type { Bound } from '../model/bound.ts'
import type { FormatClass, Linked } from '../model/effects.ts'
import { type Memo, NO_MEMO } from '../model/memo.ts'
import type { Operations } from '../model/operation.ts'
import type { Site } from '../model/site.ts'
import type { Template, Unit } from '../model/unit.ts'
import { callGraph } from './infer/call-graph.ts'
import { doesTheSame, rememberedEffects } from './infer/effects.ts'
import { entriesOf } from './infer/entries.ts'
import { rootsOf } from './infer/roots.ts'
import type { InferInput } from './infer/site.ts'
import type { Piece } from './piece.ts'
import type { CheckInput } from './rounds.ts'
import { notificationTypes } from './rules/notification-types.ts'

export interface LinkedInput extends CheckInput, InferInput {
  /** What each template does, its callees included. */
  readonly linked: Linked
}

/** `format`: the one in which the host renders units by their names, where the site allows that. */
export function checkInput(
  site: Site,
  operations: Operations,
  bounds: ReadonlyMap<string, Bound>,
  memo: Memo,
  format: FormatClass,
  language: Language,
): LinkedInput {
  const make = (): LinkedInput => {
    const linked = rememberedEffects(site, bounds, entriesOf(site, format), memo)
    const pieces = piecesOf(site, bounds)
    const graph = callGraph(site, pieces, linked, memo)
    const byKey = new Map(pieces.map((piece) => [piece.key, piece]))
    const order = graph.order.flatMap((key) => byKey.get(key) ?? [])
    const notifications = notificationTypes(site, operations, memo)
    return { site, operations, pieces, order, graph, roots: rootsOf(site), notifications, memo, language, linked }
  }
  if (memo === NO_MEMO) return make()
  const last = memo.once('check input', '', [format, language], (): { input: LinkedInput | null } => ({ input: null }))
  const known = last.input === null ? null : afterEdits(last.input, site, operations, bounds)
  last.input = known ?? make()
  return last.input
}

export function piecesOf(site: Pick<Site, 'units'>, bounds: ReadonlyMap<string, Bound>): readonly Piece[] {
  const pieces: Piece[] = []
  const add = (unit: Unit, template: Template, inner: string | null) => {
    const key = inner === null ? unit.file.path : `${unit.file.path}#${inner}`
    const bound = bounds.get(key)
    if (bound !== undefined) pieces.push({ key, unit, template, inner, bound })
  }
  for (const unit of site.units) {
    if (unit.template !== null) add(unit, unit.template, null)
    for (const [inner, template] of unit.inner) add(unit, template, inner)
  }
  return pieces
}

/** The same for a site in which some templates have other bodies, that do the same for others; else null. */
function afterEdits(
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
