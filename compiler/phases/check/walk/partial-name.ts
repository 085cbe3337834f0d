/** Suggestions for misspelled names of partials. */
import { findNearest, findNearestPath } from '../../../core/diagnostics/suggest.ts'
import { hasEnds } from '../../../core/model/outline.ts'
import type { Site } from '../../../core/model/site.ts'

/** Returns the files that were probably meant by a misspelled name, as its message suggests; empty if there are none. */
export function suggestedPartials({ partials }: Pick<Site, 'partials'>, name: string): readonly string[] {
  const suggestion = name.startsWith('lib/') ? name.slice('lib/'.length) : findNearestPath(name, partials.keys())
  const unit = suggestion === null ? undefined : partials.get(suggestion)
  return unit === undefined ? [] : [unit.file.path]
}

/**
 * Suggests another prefix or suffix if no known name has both. Returns the corrected prefix and suffix, with the changed one also as
 * `suggestion`; null if none is similar.
 */
export function nearEnds(
  prefix: string,
  suffix: string,
  knownNames: readonly string[],
): { readonly prefix: string; readonly suffix: string; readonly suggestion: string } | null {
  const bareName = prefix.startsWith('lib/') ? prefix.slice('lib/'.length) : null
  if (bareName !== null && knownNames.some((name) => hasEnds(name, bareName, suffix)))
    return bareName === '' ? null : { prefix: bareName, suffix, suggestion: bareName }
  const begin =
    prefix === ''
      ? null
      : findNearest(
          prefix,
          collectPrefixes(
            knownNames.filter((name) => name.endsWith(suffix)),
            prefix,
          ),
        )
  if (begin !== null && knownNames.some((name) => hasEnds(name, begin, suffix)))
    return { prefix: begin, suffix, suggestion: begin }
  const tails = knownNames.filter((name) => name.startsWith(prefix)).map((name) => name.slice(-suffix.length))
  const end = suffix === '' ? null : findNearest(suffix, new Set(tails))
  return end !== null && knownNames.some((name) => hasEnds(name, prefix, end))
    ? { prefix, suffix: end, suggestion: end }
    : null
}

/** Returns the possible prefixes of names: their folders and, unless `prefix` is a folder, their beginnings with the length of `prefix`. */
function collectPrefixes(names: readonly string[], prefix: string): ReadonlySet<string> {
  const foundNames = new Set<string>()
  for (const name of names) {
    if (!prefix.endsWith('/')) foundNames.add(name.slice(0, prefix.length))
    for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1))
      foundNames.add(prefix.endsWith('/') ? name.slice(0, at + 1) : name.slice(0, at))
  }
  return foundNames
}
