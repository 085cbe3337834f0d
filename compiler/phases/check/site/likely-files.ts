/** Finds the files that a site probably uses. */
import { onceForSite } from './site-rule.ts'
import { reachOf } from './reach.ts'

/**
 * Returns the reachable files, the files that tests run, and the files that were probably meant by misspelled names. A misspelling is
 * reported only where the name is written.
 */
export const likelyFiles = onceForSite(({ site, reach, siteTemplates, factsOf, callsOf }): ReadonlySet<string> => {
  const suggested = new Set<string>(site.testRuns.flatMap((name) => site.partials.get(name)?.file.path ?? []))
  for (const siteTemplate of siteTemplates) {
    for (const call of factsOf(siteTemplate.key)?.calls ?? []) for (const file of call.suggested) suggested.add(file)
  }
  if (suggested.size === 0) return reach.reached
  const { reached } = reachOf(site, suggested, callsOf)
  return new Set([...reach.reached, ...reached])
})
