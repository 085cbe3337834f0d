/** Arguments that a call gives under a misspelled name: it lacks one and has another too many, and that is told once. */
import { nearest } from '../../diagnostics/suggest.ts'

/**
 * The unknown names among the given ones, each by the missing name that it was meant to be. No two are meant to be one, and names
 * that are near to none are left out.
 */
export function slips(unknown: Iterable<string>, missing: Iterable<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const free = new Set(missing)
  for (const name of unknown) {
    const meant = nearest(name, free)
    if (meant === null) continue
    free.delete(meant)
    found.set(meant, name)
  }
  return found
}
