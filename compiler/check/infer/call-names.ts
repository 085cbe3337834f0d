/** What the names in calls say by themselves, before any template is checked: which files they mean, and in which order to look. */
import { absentIn } from '../../diagnostics/absent-modules.ts'
import { fits, type NamePattern } from '../../model/bound.ts'
import type { Site } from '../../model/site.ts'
import type { Piece } from '../piece.ts'

/** Files that some include names; null when an include can name any. */
export function staticallyIncluded(site: Site, pieces: readonly Piece[]): ReadonlySet<string> | null {
  const included = new Set<string>()
  for (const { bound } of pieces) {
    for (const call of bound.calls) {
      if (call.kind !== 'include') continue
      if (call.literal === null) return null
      const unit = site.partials.get(call.literal)
      if (unit !== undefined) included.add(unit.file.path)
    }
  }
  return included
}

/** Whether a template calls what is in no module of the site, so that not all is known of what runs. */
export function callsAbsentModule(site: Site, pieces: readonly Piece[]): boolean {
  return pieces.some(({ bound }) =>
    bound.calls.some(
      ({ kind, literal }) => literal !== null && kind !== 'theme' && absentIn(site.modules, literal) !== null,
    ),
  )
}

/** Files that some call names by a text or by its ends, and those beside layouts that nothing else can mean. */
export function calledByName(site: Site, pieces: readonly Piece[]): ReadonlySet<string> {
  const called = new Set<string>([...site.layoutParts].map((unit) => unit.file.path))
  const patterns: NamePattern[] = []
  for (const { bound } of pieces) {
    for (const call of bound.calls) {
      const unit = call.literal === null ? undefined : site.partials.get(call.literal)
      if (unit !== undefined) called.add(unit.file.path)
      patterns.push(...(call.patterns ?? []))
    }
  }
  if (patterns.length > 0)
    for (const [name, unit] of site.partials)
      if (unit.file.kind === 'layout' && fits(name, patterns)) called.add(unit.file.path)
  return called
}

/** Templates behind all that they call by a literal name; those of a cycle in any order. */
export function calleesFirst(site: Site, pieces: readonly Piece[]): readonly Piece[] {
  const order: Piece[] = []
  const byKey = new Map(pieces.map((piece) => [piece.key, piece]))
  const seen = new Set<Piece>()
  for (const root of pieces) {
    if (seen.has(root)) continue
    seen.add(root)
    const path: { readonly piece: Piece; at: number }[] = [{ piece: root, at: 0 }]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const call = top.piece.bound.calls[top.at++]
      if (call === undefined) {
        order.push(top.piece)
        path.pop()
        continue
      }
      const unit = call.literal === null ? undefined : site.partials.get(call.literal)
      const next = unit === undefined ? undefined : byKey.get(unit.file.path)
      if (next === undefined || seen.has(next)) continue
      seen.add(next)
      path.push({ piece: next, at: 0 })
    }
  }
  return order
}
