/** In a browser, words are counted again each time. */
import type { Site } from './site.ts'
import type { WordCounts } from './word-counter.ts'

export function wordCounter<Source>(
  wordsOf: (source: Source) => Iterable<string>,
): (structureVersion: Site['structureVersion'], whole: readonly Source[] | ReadonlyMap<unknown, Source>) => WordCounts {
  return (_frame, whole) => {
    const sources = 'length' in whole ? whole : whole.values()
    const counts = new Map<string, number>()
    for (const source of sources) for (const word of wordsOf(source)) counts.set(word, (counts.get(word) ?? 0) + 1)
    return { counts, version: {} }
  }
}
