/** Finds the files that a site probably uses. */
import { onceInSteps } from './site-rule.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import { reachSteps } from './reach.ts'

/**
 * Returns the reachable files, the files that tests run, and the files that were probably meant by misspelled names. A misspelling is
 * reported only where the name is written.
 */
export const likelyFiles = onceInSteps(function* ({
  site,
  reach,
  siteTemplates,
  factsOf,
  callsOf,
}): Steps<ReadonlySet<string>> {
  const suggested = new Set<string>(site.testRuns.flatMap((name) => site.partials.get(name)?.file.path ?? []))
  yield* forEachInSteps(siteTemplates, (siteTemplate) => {
    for (const call of factsOf(siteTemplate.key)?.calls ?? []) for (const file of call.suggested) suggested.add(file)
  })
  if (suggested.size === 0) return reach.reached
  const { reached } = yield* reachSteps(site, suggested, callsOf)
  return new Set([...reach.reached, ...reached])
})
