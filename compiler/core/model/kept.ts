/** Collections of facts that are kept as long as a site is known: of thousands most are empty, and each would hold its own table. */

const NO_ENTRIES: ReadonlyMap<never, never> = new Map<never, never>()
const NO_ITEMS: ReadonlySet<never> = new Set<never>()
const NOTHING: readonly never[] = []

const texts = new Map<string, string>()
/** More than the words that sites are written with. */
const MOST_TEXTS = 20_000
/** A longer piece of a text is no copy but a view of it, which would hold the whole text. */
const LONGEST_COPIED = 12

/** The same string for all short texts that are equal: the names in the trees of a site are mostly the same few. */
export function keptText(text: string): string {
  if (text.length > LONGEST_COPIED) return text
  const known = texts.get(text)
  if (known !== undefined) return known
  if (texts.size >= MOST_TEXTS) texts.clear()
  texts.set(text, text)
  return text
}

/** The map, which nobody changes any more: one for all that are empty. */
export function keptMap<Key, Value>(map: ReadonlyMap<Key, Value>): ReadonlyMap<Key, Value> {
  return map.size === 0 ? NO_ENTRIES : map
}

/** A copy of the list without the room that an engine leaves for what is added one by one: one for all that are empty. */
export function keptList<Item>(list: readonly Item[]): readonly Item[] {
  return list.length === 0 ? NOTHING : list.slice()
}

const sets = new Map<string, ReadonlySet<string>>()
const MOST_SETS = 20_000
/** Items of a set that is likely to occur again. */
const FEW = 4

/** The set of words, which nobody changes any more: one for all small ones that have the same words in the same order. */
export function keptWords<Word extends string>(words: ReadonlySet<Word>): ReadonlySet<Word> {
  if (words.size === 0 || words.size > FEW) return keptSet(words)
  for (const word of words) if (word.length > LONGEST_COPIED) return words
  const key = [...words].join('\0')
  const known = sets.get(key)
  // The key consists of the words, so the known set has the same words.
  if (known !== undefined) return known as ReadonlySet<Word>
  if (sets.size >= MOST_SETS) sets.clear()
  sets.set(key, words)
  return words
}

/** The set, which nobody changes any more: one for all that are empty. */
export function keptSet<Item>(set: ReadonlySet<Item>): ReadonlySet<Item> {
  return set.size === 0 ? NO_ITEMS : set
}
