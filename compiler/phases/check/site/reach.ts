/** Computes which templates are reachable. */
import { derivedFromFrame } from '../../../core/model/derived.ts'
import type { Site } from '../../../core/model/site.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import type { OutgoingCall } from '../walk/facts.ts'

export interface Reach {
  /** Files that can run. */
  readonly reached: ReadonlySet<string>
  /** Files that a computed name or the host can call, so that not all of their arguments are known. */
  readonly open: ReadonlySet<string>
  /** Files that a template can include. */
  readonly included: ReadonlySet<string>
}

/**
 * Computes which files are reachable.
 * @param calls returns the calls of a file, including the calls in its settings
 */
export function reachOf(
  site: Site,
  roots: ReadonlySet<string>,
  calls: (file: string) => readonly OutgoingCall[],
): Reach {
  const everyPartial = [...new Set([...site.partials.values()].map((unit) => unit.file.path))]
  const reached = new Set(roots)
  const addAll = (files: Set<string>, targets: OutgoingCall['targets']): void => {
    for (const target of targets ?? everyPartial) files.add(target)
  }
  for (const file of reached) {
    for (const { targets } of calls(file)) addAll(reached, targets)
  }
  const open = new Set<string>()
  const included = new Set<string>()
  for (const {
    file: { path },
  } of site.units) {
    for (const call of calls(path)) {
      if (call.open || call.kind === 'theme') addAll(open, call.targets)
      if (call.kind === 'include') addAll(included, call.targets)
    }
    if (roots.has(path)) open.add(path)
  }
  return { reached, open, included }
}

/** Returns the first name of each partial, by path. */
export const namesOfPartials = derivedFromFrame(({ partials }) => {
  const names = new Map<string, string>()
  for (const [name, unit] of partials) if (!names.has(unit.file.path)) names.set(unit.file.path, name)
  return names
})

/** Returns whether a site has pages. A site without pages is a module, which is installed into other sites. */
export function hasOwnPages({ pages }: Site): boolean {
  return pages.some(({ file }) => file.module === null || file.override)
}

/** Returns whether a template is a page with a policy, which may admit only users. */
export function isGuardedPage({ unit: { settings } }: SiteTemplate): boolean {
  return settings.kind === 'page' && settings.authorizationPolicies.length > 0
}

/** Returns whether a template of the site could not be parsed, so that its calls and names are unknown. */
export function hasUnreadableTemplate(site: Site): boolean {
  for (const { template } of site.byFile.values()) if (template?.isBroken === true) return true
  return false
}
