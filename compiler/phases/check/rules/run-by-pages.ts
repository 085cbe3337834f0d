/** Which files a page surely comes to. */
import type { Site } from '../../../core/model/site.ts'
import type { OutgoingCall, OutgoingQuery } from './facts.ts'
import { hasOwnPages } from './reach.ts'

/**
 * Tells of a file whether a page surely comes to it: over calls that name one file, and queries that name one document. A site
 * without pages of its own is a module, which others install beside what it needs: nothing is sure of it. Found when it is asked first.
 */
export function runByPages(
  site: Site,
  calls: (file: string) => readonly OutgoingCall[],
  queries: (file: string) => readonly OutgoingQuery[],
): (file: string) => boolean {
  if (site.openEntries) return () => true
  let run: ReadonlySet<string> | null = null
  return (file) => {
    run ??= filesRun(site, calls, queries)
    return run.has(file)
  }
}

function filesRun(
  site: Site,
  calls: (file: string) => readonly OutgoingCall[],
  queries: (file: string) => readonly OutgoingQuery[],
): ReadonlySet<string> {
  const run = new Set<string>()
  if (!hasOwnPages(site)) return run
  for (const { file, settings } of site.pages) {
    run.add(file.path)
    const layout = site.pageLayouts.get(file.path)
    if (layout !== undefined) run.add(layout.file.path)
    for (const { name } of settings.authorizationPolicies) {
      const policy = site.policies.get(name)
      if (policy !== undefined) run.add(policy.file.path)
    }
  }
  for (const file of run) {
    for (const { open, kind, targets } of calls(file)) {
      const only = targets?.length === 1 ? targets[0] : undefined
      if (!open && kind !== 'theme' && only !== undefined) run.add(only)
    }
    for (const { open, names } of queries(file)) {
      const only = open || names.length !== 1 ? undefined : names[0]
      const document = only === undefined ? undefined : site.graphql.get(only)
      if (document !== undefined) run.add(document.file.path)
    }
  }
  return run
}
