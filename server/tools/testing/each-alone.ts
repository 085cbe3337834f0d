/**
 * A site whose tests leave nothing behind, whoever calls them: what a test has written is undone when it ends, and what goes wrong in it
 * is written into its contract, so that those behind it run.
 */
import { LimitFault } from '../../../runtime/page/fault.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { Scope } from '../../../runtime/page/site.ts'
import { isTestName } from '../../../runtime/page/test-names.ts'
import { isHash } from '../../../runtime/page/values/hash.ts'
import type { LoadedSite } from '../../web/site/load.ts'
import type { TestFailure } from './model.ts'

export interface AloneParts {
  /** Undoes what `body` has written. @throws what it throws */
  undone(body: () => Promise<unknown>): Promise<unknown>
  failureOf(error: unknown, file: string): TestFailure
  /** Of the test that has just ended. */
  jobFailures(file: string): readonly TestFailure[]
}

export function eachAlone(loaded: LoadedSite, parts: AloneParts): LoadedSite {
  const { site } = loaded
  const partials = Object.entries(site.partials).map(([name, unit]) => {
    const { shared, file } = unit
    if (!isTestName(name) || shared === null) return [name, unit] as const
    const alone = async (r: Render, scope: Scope): Promise<string> => {
      const known = r.faults.length
      const failures: TestFailure[] = []
      let printed = ''
      await parts
        .undone(async () => {
          printed = await shared(r, scope)
        })
        .catch((error: unknown) => {
          // What the page may not take any more is the page's.
          if (error instanceof LimitFault) throw error
          failures.push(parts.failureOf(error, file))
        })
      // Where errors are printed in place, the test has gone on behind them.
      failures.push(...r.faults.slice(known).map((fault) => parts.failureOf(fault, file)), ...parts.jobFailures(file))
      fail(scope['contract'], failures)
      return printed
    }
    return [name, { ...unit, shared: alone }] as const
  })
  // Translations that a test sets are laid over its own site.
  const translations = structuredClone(site.translations)
  return { ...loaded, site: { ...site, translations, partials: Object.fromEntries(partials) } }
}

/** Writes failures into a contract as asserts do. */
function fail(contract: unknown, failures: readonly TestFailure[]): void {
  if (failures.length === 0 || !isHash(contract)) return
  const errors = isHash(contract['errors']) ? contract['errors'] : (contract['errors'] = {})
  contract['success'] = false
  for (const { message, place } of failures) {
    const subject = place === null ? 'error' : `${place.file}:${place.line}`
    const before: unknown = (errors as Record<string, unknown>)[subject]
    Object.assign(errors as object, { [subject]: [...(Array.isArray(before) ? (before as unknown[]) : []), message] })
  }
}
