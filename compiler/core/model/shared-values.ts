/** Compact collections for facts that are kept in memory. Thousands of them are empty and share one empty collection. */

const NO_ENTRIES: ReadonlyMap<never, never> = new Map<never, never>()
const NO_ITEMS: ReadonlySet<never> = new Set<never>()
const NOTHING: readonly never[] = []

const texts = new Map<string, string>()
/** Maximum number of shared texts. It is larger than the number of different words in a typical site. */
const MAX_TEXTS = 20_000
/** Maximum length of a substring that V8 copies. A longer one is a view that keeps the whole text in memory. */
const MAX_COPIED_LENGTH = 12

/** Returns the same string for equal short texts, because the trees of a site use the same few names. */
export function shareText(text: string): string {
  if (text.length > MAX_COPIED_LENGTH) return text
  const shared = texts.get(text)
  if (shared !== undefined) return shared
  if (texts.size >= MAX_TEXTS) texts.clear()
  texts.set(text, text)
  return text
}

/** Returns the map, or a shared map if it is empty. The map must not be changed any more. */
export function shareMap<Key, Value>(map: ReadonlyMap<Key, Value>): ReadonlyMap<Key, Value> {
  return map.size === 0 ? NO_ENTRIES : map
}

/** Returns a copy of the list without spare capacity, or a shared list if it is empty. */
export function shareList<Item>(list: readonly Item[]): readonly Item[] {
  return list.length === 0 ? NOTHING : list.slice()
}

const sets = new Map<string, ReadonlySet<string>>()
const MAX_SETS = 20_000
/** Maximum size of a shared set. */
const MAX_SHARED_ITEMS = 4

/**
 * Returns the set of words, or a shared set with the same words in the same order if it is small. The set must not be changed any more.
 */
export function shareWords<Word extends string>(words: ReadonlySet<Word>): ReadonlySet<Word> {
  if (words.size === 0 || words.size > MAX_SHARED_ITEMS) return shareSet(words)
  for (const word of words) if (word.length > MAX_COPIED_LENGTH) return words
  const key = [...words].join('\0')
  const sharedNames = sets.get(key)
  // The key consists of the words, so the known set has the same words.
  if (sharedNames !== undefined) return sharedNames as ReadonlySet<Word>
  if (sets.size >= MAX_SETS) sets.clear()
  sets.set(key, words)
  return words
}

/** Returns the set, or a shared set if it is empty. The set must not be changed any more. */
export function shareSet<Item>(set: ReadonlySet<Item>): ReadonlySet<Item> {
  return set.size === 0 ? NO_ITEMS : set
}
