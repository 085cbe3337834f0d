/** Finds misspelled names of arguments. An unknown name and a missing name that resemble each other are reported as one mistake. */
import { distance, findNearest } from '../../../core/diagnostics/suggest.ts'

/**
 * Returns the misspelled names, keyed by the missing name that each resembles. Each missing name is matched at most once. Unknown names
 * that resemble none are left out.
 */
export function misspelledArguments(
  unknown: readonly string[],
  missingNames: Iterable<string>,
): ReadonlyMap<string, string> {
  const misspellings = new Map<string, string>()
  const unmatchedMissing = new Set(missingNames)
  for (const name of unknown) {
    const missingName = findNearest(name, unmatchedMissing)
    if (missingName === null) continue
    unmatchedMissing.delete(missingName)
    misspellings.set(missingName, name)
  }
  const unmatchedUnknown = [...unknown].filter((name) => ![...misspellings.values()].includes(name))
  const [unknownName, secondUnknown] = unmatchedUnknown
  const [shortName, secondMissing] = [...unmatchedMissing]
  // A short name resembles many others, so it is only matched if exactly one unknown and one missing name are left.
  if (
    unknownName === undefined ||
    shortName === undefined ||
    secondUnknown !== undefined ||
    secondMissing !== undefined
  )
    return misspellings
  const isNear =
    shortName.length <= 3 &&
    (unknownName[0] === shortName[0] || (shortName.length > 1 && distance(unknownName, shortName, 1) <= 1))
  return isNear ? misspellings.set(shortName, unknownName) : misspellings
}
