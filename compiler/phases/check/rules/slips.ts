/** Arguments whose names are misspelled. Such a call lacks one name and has an unknown one, which is reported as one mistake. */
import { distance, findNearest } from '../../../core/diagnostics/suggest.ts'

/**
 * The misspelled names by the missing name that each was meant to be. Each missing name is matched once, and unknown names that
 * resemble none are left out.
 */
export function misspelledArguments(
  unknown: readonly string[],
  missing: Iterable<string>,
): ReadonlyMap<string, string> {
  const misspellings = new Map<string, string>()
  const free = new Set(missing)
  for (const name of unknown) {
    const missingName = findNearest(name, free)
    if (missingName === null) continue
    free.delete(missingName)
    misspellings.set(missingName, name)
  }
  const left = [...unknown].filter((name) => ![...misspellings.values()].includes(name))
  const [lone, other] = left
  const [short, another] = [...free]
  // A short name resembles any other, so that only one of each says which is meant.
  if (lone === undefined || short === undefined || other !== undefined || another !== undefined) return misspellings
  const isNear = short.length <= 3 && (lone[0] === short[0] || (short.length > 1 && distance(lone, short, 1) <= 1))
  return isNear ? misspellings.set(short, lone) : misspellings
}
