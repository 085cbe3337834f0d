/**
 * Counts words over a site, with a cache: if only the bodies of some templates have changed since the last count, only these are
 * counted again.
 */
import { attached } from './attached.ts'
import type { Site } from './site.ts'

export interface WordCounts {
  /** The words with their counts. The next count of a site with the same structureVersion updates it. */
  readonly counts: ReadonlyMap<string, number>
  /** An identity for caches: the same object as long as no count changes. */
  readonly version: object
}

interface CachedCounts<Source> {
  collection: object
  sources: readonly Source[]
  readonly counts: Map<string, number>
  version: object
}

/** A list or a map of the parts. */
type Collection<Source> = readonly Source[] | ReadonlyMap<unknown, Source>

/**
 * Creates a counter for the parts of a site, such as files or templates. Parts are compared by identity.
 * @param wordsOf returns the words of one part, repeated by their count; always the same for the same part
 */
export function wordCounter<Source>(
  wordsOf: (source: Source) => Iterable<string>,
): (structureVersion: Site['structureVersion'], whole: Collection<Source>) => WordCounts {
  const cache = attached<Site['structureVersion'], CachedCounts<Source>>()
  return (structureVersion, collection) => {
    const cached = cache.get(structureVersion)
    if (cached?.collection === collection) return cached
    const sources = 'length' in collection ? collection : [...collection.values()]
    if (cached !== undefined && cached.sources.length === sources.length) {
      updateCounts(cached, sources, wordsOf)
      cached.collection = collection
      return cached
    }
    const counts = new Map<string, number>()
    for (const source of sources) for (const word of wordsOf(source)) add(counts, word, 1)
    const entry = { collection, sources, counts, version: {} }
    cache.set(structureVersion, entry)
    return entry
  }
}

function updateCounts<Source>(
  cached: CachedCounts<Source>,
  sources: readonly Source[],
  wordsOf: (source: Source) => Iterable<string>,
): void {
  const changes = new Map<string, number>()
  for (let at = 0; at < sources.length; at++) {
    const [before, now] = [cached.sources[at], sources[at]]
    if (before === now || before === undefined || now === undefined) continue
    for (const word of wordsOf(before)) add(changes, word, -1)
    for (const word of wordsOf(now)) add(changes, word, 1)
  }
  cached.sources = sources
  let hasChanged = false
  for (const [word, by] of changes) {
    if (by === 0) continue
    hasChanged = true
    const newCount = (cached.counts.get(word) ?? 0) + by
    if (newCount === 0) cached.counts.delete(word)
    else cached.counts.set(word, newCount)
  }
  if (hasChanged) cached.version = {}
}

function add(counts: Map<string, number>, word: string, times: number): void {
  counts.set(word, (counts.get(word) ?? 0) + times)
}
