/** Finds the files that a site probably uses. */
import { type CheckedSite, onceInSteps } from './site-rule.ts'
import type { OutgoingCall } from '../walk/facts.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import { reachSteps } from './reach.ts'

/**
 * Returns the reachable files, the files that tests run, and the files that were probably meant by misspelled names. A misspelling is
 * reported only where the name is written.
 */
export const likelyFiles = onceInSteps(function* (checked): Steps<ReadonlySet<string>> {
  const { site, reach, siteTemplates, factsOf } = checked
  const suggested = new Set<string>(site.testRuns.flatMap((name) => site.partials.get(name)?.file.path ?? []))
  yield* forEachInSteps(siteTemplates, (siteTemplate) => {
    for (const call of factsOf(siteTemplate.key)?.calls ?? []) for (const file of call.suggested) suggested.add(file)
  })
  if (suggested.size === 0) return reach.reached
  const calls = callsByFile(checked)
  const { reached } = yield* reachSteps(site, suggested, (file) => calls.get(file) ?? [])
  return new Set([...reach.reached, ...reached])
})

/** Returns the calls of each file, settings included. */
export function callsByFile({ siteTemplates, factsOf }: CheckedSite): ReadonlyMap<string, readonly OutgoingCall[]> {
  const calls = new Map<string, OutgoingCall[]>()
  for (const siteTemplate of siteTemplates) {
    const { path } = siteTemplate.unit.file
    const own = calls.get(path)
    const found = factsOf(siteTemplate.key)?.calls ?? []
    if (own === undefined) calls.set(path, [...found])
    else own.push(...found)
  }
  return calls
}
