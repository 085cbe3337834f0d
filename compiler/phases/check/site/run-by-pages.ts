/** Determines which files the pages of a site certainly run. */
import { hasOwnPages } from './reach.ts'
import type { CheckedSite } from './site-rule.ts'

/**
 * Returns a function that returns whether a page runs a file. It follows calls with exactly one possible file and queries with exactly one
 * possible document. A site without pages is a module, whose required modules are installed later: the function then returns false for
 * every file. If every template may be called from outside, it returns true for every file. The set of files is computed on the first call.
 */
export function runByPages(checked: CheckedSite): (file: string) => boolean {
  if (checked.site.openEntries) return () => true
  let files: ReadonlySet<string> | null = null
  return (file) => {
    files ??= filesRunByPages(checked)
    return files.has(file)
  }
}

function filesRunByPages({ site, callsOf, ownFacts }: CheckedSite): ReadonlySet<string> {
  const files = new Set<string>()
  if (!hasOwnPages(site)) return files
  for (const { file, settings } of site.pages) {
    files.add(file.path)
    const layout = site.pageLayouts.get(file.path)
    if (layout !== undefined) files.add(layout.file.path)
    for (const { name } of settings.authorizationPolicies) {
      const policy = site.policies.get(name)
      if (policy !== undefined) files.add(policy.file.path)
    }
  }
  for (const file of files) {
    for (const { open, kind, targets } of callsOf(file)) {
      const onlyTarget = targets?.length === 1 ? targets[0] : undefined
      if (!open && kind !== 'theme' && onlyTarget !== undefined) files.add(onlyTarget)
    }
    for (const { open, names } of ownFacts(file).flatMap(({ queries }) => queries)) {
      const onlyName = open || names.length !== 1 ? undefined : names[0]
      const document = onlyName === undefined ? undefined : site.graphql.get(onlyName)
      if (document !== undefined) files.add(document.file.path)
    }
  }
  return files
}
