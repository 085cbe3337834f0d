/** What a partial's name says by itself. */
import { findNearest, findNearestPath } from '../../../core/diagnostics/suggest.ts'
import { hasEnds } from '../../../core/model/bound.ts'
import type { Site } from '../../../core/model/site.ts'

/** Files that a name of no partial was likely meant to be: what its message suggests. */
export function suggestedPartials({ partials }: Site, name: string, known: Iterable<string>): readonly string[] {
  const suggestion = name.startsWith('lib/') ? name.slice('lib/'.length) : findNearestPath(name, known)
  const unit = suggestion === null ? undefined : partials.get(suggestion)
  return unit === undefined ? [] : [unit.file.path]
}

/** The prefix and suffix that were likely meant where no name has those given. One of them differs: it is the suggestion. Null for none. */
export function nearEnds(
  prefix: string,
  suffix: string,
  known: readonly string[],
): { readonly prefix: string; readonly suffix: string; readonly suggestion: string } | null {
  const bare = prefix.startsWith('lib/') ? prefix.slice('lib/'.length) : null
  if (bare !== null && known.some((name) => hasEnds(name, bare, suffix)))
    return bare === '' ? null : { prefix: bare, suffix, suggestion: bare }
  const begin =
    prefix === ''
      ? null
      : findNearest(
          prefix,
          beginnings(
            known.filter((name) => name.endsWith(suffix)),
            prefix,
          ),
        )
  if (begin !== null && known.some((name) => hasEnds(name, begin, suffix)))
    return { prefix: begin, suffix, suggestion: begin }
  const tails = known.filter((name) => name.startsWith(prefix)).map((name) => name.slice(-suffix.length))
  const end = suffix === '' ? null : findNearest(suffix, new Set(tails))
  return end !== null && known.some((name) => hasEnds(name, prefix, end))
    ? { prefix, suffix: end, suggestion: end }
    : null
}

/** Folders, where the beginning is one; and what the names have of the same length. */
function beginnings(names: readonly string[], prefix: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const name of names) {
    if (!prefix.endsWith('/')) found.add(name.slice(0, prefix.length))
    for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1))
      found.add(prefix.endsWith('/') ? name.slice(0, at + 1) : name.slice(0, at))
  }
  return found
}
