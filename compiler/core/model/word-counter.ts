/**
 * Counts words over a site, with a cache: if only the bodies of some templates have changed since the last count, only these are
 * counted again.
 */
import { attached } from './attached.ts'
import type { Site } from './site.ts'

export interface WordCounts {
  /** The words with their counts. The next count of a site with the same frame updates it. */
  readonly counts: ReadonlyMap<string, number>
  /** The same object as long as no count changes. */
  readonly version: object
}

interface Kept<Source> {
  whole: object
  sources: readonly Source[]
  readonly counts: Map<string, number>
  version: object
}

/** A list or a map of the parts. */
type Whole<Source> = readonly Source[] | ReadonlyMap<unknown, Source>

/**
 * Creates a counter for the parts of a site, such as files or templates. Parts are compared by identity.
 * @param wordsOf returns the words of one part, repeated by their count; always the same for the same part
 */
export function wordCounter<Source>(
  wordsOf: (source: Source) => Iterable<string>,
): (frame: Site['frame'], whole: Whole<Source>) => WordCounts {
  const known = attached<Site['frame'], Kept<Source>>()
  return (frame, whole) => {
    const kept = known.get(frame)
    if (kept?.whole === whole) return kept
    const sources = 'length' in whole ? whole : [...whole.values()]
    if (kept !== undefined && kept.sources.length === sources.length) {
      bringUpToDate(kept, sources, wordsOf)
      kept.whole = whole
      return kept
    }
    const counts = new Map<string, number>()
    for (const source of sources) for (const word of wordsOf(source)) add(counts, word, 1)
    const counted = { whole, sources, counts, version: {} }
    known.set(frame, counted)
    return counted
  }
}

function bringUpToDate<Source>(
  kept: Kept<Source>,
  sources: readonly Source[],
  wordsOf: (source: Source) => Iterable<string>,
): void {
  const changes = new Map<string, number>()
  for (let at = 0; at < sources.length; at++) {
    const [before, now] = [kept.sources[at], sources[at]]
    if (before === now || before === undefined || now === undefined) continue
    for (const word of wordsOf(before)) add(changes, word, -1)
    for (const word of wordsOf(now)) add(changes, word, 1)
  }
  kept.sources = sources
  let isOther = false
  for (const [word, by] of changes) {
    if (by === 0) continue
    isOther = true
    const times = (kept.counts.get(word) ?? 0) + by
    if (times === 0) kept.counts.delete(word)
    else kept.counts.set(word, times)
  }
  if (isOther) kept.version = {}
}

function add(counts: Map<string, number>, word: string, times: number): void {
  counts.set(word, (counts.get(word) ?? 0) + times)
}
