/**
 * Wraps the tests of a served site, so that they leave nothing behind when its pages call them: a test's changes are rolled back when it
 * ends, and its errors are written to its contract, so that the next tests run.
 */
import { LimitFault } from '../../../runtime/page/fault.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { Scope } from '../../../runtime/page/site.ts'
import { isTestName } from '../../../runtime/page/test-names.ts'
import { isHash } from '../../../runtime/page/values/hash.ts'
import type { LoadedSite } from '../../web/site/load.ts'
import type { TestFailure } from './model.ts'

export interface TestIsolation {
  /** Runs `body`, and rolls back its changes. @throws the errors of `body` */
  runAndRollBack(body: () => Promise<unknown>): Promise<unknown>
  failureOf(error: unknown, file: string): TestFailure
  /** Returns the failed jobs of the test that has just ended. */
  jobFailures(file: string): readonly TestFailure[]
}

/** Returns the site with isolated tests. */
export function isolateTests(loadedSite: LoadedSite, parts: TestIsolation): LoadedSite {
  const { site } = loadedSite
  const partials = Object.entries(site.partials).map(([name, unit]) => {
    const { shared, file } = unit
    if (!isTestName(name) || shared === null) return [name, unit] as const
    const isolated = async (r: Render, scope: Scope): Promise<string> => {
      const known = r.faults.length
      const failures: TestFailure[] = []
      let printedText = ''
      await parts
        .runAndRollBack(async () => {
          printedText = await shared(r, scope)
        })
        .catch((error: unknown) => {
          // A limit of the page also ends the page.
          if (error instanceof LimitFault) throw error
          failures.push(parts.failureOf(error, file))
        })
      // If errors are printed in place, the test continues after them.
      failures.push(...r.faults.slice(known).map((fault) => parts.failureOf(fault, file)), ...parts.jobFailures(file))
      addFailures(scope['contract'], failures)
      return printedText
    }
    return [name, { ...unit, shared: isolated }] as const
  })
  // The served site stays unchanged: translations that a test sets are kept for its own site object.
  return { ...loadedSite, site: { ...site, partials: Object.fromEntries(partials) } }
}

/** Adds failures to a contract like assertions do. */
function addFailures(contract: unknown, failures: readonly TestFailure[]): void {
  if (failures.length === 0 || !isHash(contract)) return
  const errors: Record<string, unknown> = isHash(contract['errors']) ? contract['errors'] : {}
  contract['errors'] = errors
  contract['success'] = false
  for (const { message, place } of failures) {
    const subject = place === null ? 'error' : `${place.file}:${place.line}`
    const before = errors[subject]
    errors[subject] = [...(Array.isArray(before) ? before : []), message]
  }
}
