/** Determines which templates can read fields of `context` by their older names, without `context`. */
import { type OutlineCall, fits } from '../../../core/model/outline.ts'
import type { Site } from '../../../core/model/site.ts'
import { isBlock, type Unit } from '../../../core/model/unit.ts'
import { dependsOnFile, hasOldNamesEverywhere, hasOwnScope } from '../../../language/types/old-variables.ts'
import type { OldNames } from './facts.ts'
import { themeTargets } from '../../analyze/effects.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'

/**
 * Returns a function that returns how a template can use older names. A setting of the site may decide this for all files. Otherwise it
 * depends on the callers: a partial that a page includes can use older names. A partial that is called with its own scope cannot, and
 * neither can the files that it includes.
 */
export function oldNames(
  site: Site,
  siteTemplates: readonly SiteTemplate[],
  byFile: Pick<ReadonlyMap<string, readonly SiteTemplate[]>, 'get'>,
): (siteTemplate: SiteTemplate) => OldNames {
  if (site.dialect === 'liquid' || !dependsOnFile(site)) {
    const all = site.dialect === 'platform' && hasOldNamesEverywhere(site) ? 'always' : 'never'
    return () => all
  }
  const filesWithNames = new Set<string>()
  const filesWithoutNames = new Set<string>()
  const followCalls = (calls: readonly OutlineCall[], hasNames: boolean): void => {
    for (const call of calls) {
      const sharesNames = call.kind === 'include' && hasNames
      const visitedFiles = sharesNames ? filesWithNames : filesWithoutNames
      for (const { file } of possibleTargets(site, call)) {
        if (visitedFiles.has(file.path)) continue
        visitedFiles.add(file.path)
        for (const { inner, outline } of byFile.get(file.path) ?? [])
          if (inner === null) followCalls(outline.calls, sharesNames)
      }
    }
  }
  for (const { unit, inner, outline } of siteTemplates) {
    if (isBlock(inner)) followCalls(outline.calls, false)
    else if (hasOwnScope(site, unit)) followCalls(outline.calls, true)
  }
  return ({ unit, inner }) => {
    if (isBlock(inner)) return 'never'
    const { path } = unit.file
    if (hasOwnScope(site, unit)) return filesWithoutNames.has(path) ? 'sometimes' : 'always'
    return !filesWithNames.has(path) ? 'never' : filesWithoutNames.has(path) ? 'sometimes' : 'always'
  }
}

function possibleTargets(site: Site, { kind, literal, patterns }: OutlineCall): Iterable<Unit> {
  if (literal !== null && kind === 'theme') return themeTargets(site, literal)
  if (literal !== null) {
    const unit = site.partials.get(literal)
    return unit === undefined ? [] : [unit]
  }
  if (patterns === null) return new Set(site.partials.values())
  return new Set([...site.partials].flatMap(([name, unit]) => (fits(name, patterns) ? [unit] : [])))
}
