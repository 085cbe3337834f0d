/** Which templates read the fields of `context` by bare names, on a site that does not say so for all of them. */
import { type BoundCall, fits } from '../../../core/model/bound.ts'
import type { Site } from '../../../core/model/site.ts'
import { isBlock, type Unit } from '../../../core/model/unit.ts'
import { dependsOnFile, hasOldNamesEverywhere, hasOwnScope } from '../../../language/types/old-variables.ts'
import type { OldNames } from './facts.ts'
import { themeTargets } from '../infer/effects.ts'
import type { Piece } from '../piece.ts'

/**
 * Who includes a template decides: what a page includes has such names, what is called with a scope of its own has none, and neither has
 * what that includes in turn.
 */
export function oldNames(
  site: Site,
  pieces: readonly Piece[],
  byFile: Pick<ReadonlyMap<string, readonly Piece[]>, 'get'>,
): (piece: Piece) => OldNames {
  if (site.dialect === 'liquid' || !dependsOnFile(site)) {
    const all = site.dialect === 'platform' && hasOldNamesEverywhere(site) ? 'always' : 'never'
    return () => all
  }
  const has = new Set<string>()
  const lacks = new Set<string>()
  const follow = (calls: readonly BoundCall[], hasNames: boolean): void => {
    for (const call of calls) {
      const shares = call.kind === 'include' && hasNames
      const known = shares ? has : lacks
      for (const { file } of unitsMeantBy(site, call)) {
        if (known.has(file.path)) continue
        known.add(file.path)
        for (const { inner, bound } of byFile.get(file.path) ?? []) if (inner === null) follow(bound.calls, shares)
      }
    }
  }
  for (const { unit, inner, bound } of pieces) {
    if (isBlock(inner)) follow(bound.calls, false)
    else if (hasOwnScope(site, unit)) follow(bound.calls, true)
  }
  return ({ unit, inner }) => {
    if (isBlock(inner)) return 'never'
    const { path } = unit.file
    if (hasOwnScope(site, unit)) return lacks.has(path) ? 'sometimes' : 'always'
    return !has.has(path) ? 'never' : lacks.has(path) ? 'sometimes' : 'always'
  }
}

function unitsMeantBy(site: Site, { kind, literal, patterns }: BoundCall): Iterable<Unit> {
  if (literal !== null && kind === 'theme') return themeTargets(site, literal)
  if (literal !== null) {
    const unit = site.partials.get(literal)
    return unit === undefined ? [] : [unit]
  }
  if (patterns === null) return new Set(site.partials.values())
  return new Set([...site.partials].flatMap(([name, unit]) => (fits(name, patterns) ? [unit] : [])))
}
