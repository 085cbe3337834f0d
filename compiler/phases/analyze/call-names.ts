/** Finds the files that calls refer to by name. It runs before any template is checked. */
import { absentOwner } from '../../core/diagnostics/absent-modules.ts'
import { fits, type TextPattern } from '../../core/model/outline.ts'
import type { Site } from '../../core/model/site.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'

/** Returns the files that an include names; null if an include can name any file. */
export function staticallyIncluded(site: Site, siteTemplates: readonly SiteTemplate[]): ReadonlySet<string> | null {
  const included = new Set<string>()
  for (const { outline } of siteTemplates) {
    for (const call of outline.calls) {
      if (call.kind !== 'include') continue
      if (call.literal === null) return null
      const unit = site.partials.get(call.literal)
      if (unit !== undefined) included.add(unit.file.path)
    }
  }
  return included
}

/** Returns whether a template calls a module that the site does not have, so that the effects of the call are unknown. */
export function callsAbsentModule(site: Site, siteTemplates: readonly SiteTemplate[]): boolean {
  return siteTemplates.some(({ outline }) =>
    outline.calls.some(
      ({ kind, literal }) => literal !== null && kind !== 'theme' && absentOwner(site.modules, literal) !== null,
    ),
  )
}

/** Returns the files that a call names by a literal or by a pattern, and the layout parts, because only calls can refer to those. */
export function calledByName(site: Site, siteTemplates: readonly SiteTemplate[]): ReadonlySet<string> {
  const called = new Set<string>([...site.layoutParts].map((unit) => unit.file.path))
  const patterns: TextPattern[] = []
  for (const { outline } of siteTemplates) {
    for (const call of outline.calls) {
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
