/** Finds the texts in a site that may name files or translations. */
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { type WordCounts, wordCounter } from '../../../core/model/word-counter.ts'
import { attached } from '../../../core/model/attached.ts'
import { derived } from '../../../core/model/derived.ts'
import { namesOf } from './template-names.ts'
import { shareList, shareText } from '../../../core/model/shared-values.ts'

/** Words of a file that may name other files or keys. */
interface FileWords {
  /** Quoted texts. */
  readonly quoted: readonly string[]
  /** Names of files, such as `app.css`. */
  readonly files: readonly string[]
}

/** A character in the name of a file. */
const FILE_NAME = /[\w@.~-]/
const QUOTED = /'[^'\n]{1,100}'|"[^"\n]{1,100}"/g
/** Searches for the dot first, because most words contain no dot. */
const EXTENSION = /\.[a-z][a-z0-9]{1,5}\b/gi

/** Returns the words of a file that may name other files or keys. */
export const wordsIn = derived(({ text }: SourceFile): FileWords => {
  const quoted = new Set<string>()
  // Uses only the end of each match: creating a match array for each would take most of the time.
  for (QUOTED.lastIndex = 0; QUOTED.test(text); ) {
    const end = QUOTED.lastIndex - 1
    quoted.add(shareText(text.slice(text.lastIndexOf(text.charAt(end), end - 1) + 1, end)))
  }
  const files = new Set<string>()
  for (EXTENSION.lastIndex = 0; EXTENSION.test(text); ) {
    const end = EXTENSION.lastIndex
    const dot = text.lastIndexOf('.', end - 1)
    let start = dot
    while (start > 0 && FILE_NAME.test(text.charAt(start - 1))) start--
    if (start < dot) files.add(text.slice(start, end))
  }
  return { quoted: shareList([...quoted]), files: shareList([...files]) }
})

/** Counts the texts in tags. */
export const tagTexts = wordCounter((siteTemplate: SiteTemplate) => namesOf(siteTemplate).texts)

/** Caches a value that is computed from word counts, by the version of the counts. */
export function cacheByVersion<Value>(make: (counts: Words) => Value): (counted: WordCounts) => Value {
  const known = attached<object, { readonly value: Value }>()
  return ({ version, counts }) => {
    let kept = known.get(version)
    if (kept === undefined) known.set(version, (kept = { value: make(counts) }))
    return kept.value
  }
}

/** Number of occurrences by word. */
type Words = ReadonlyMap<string, number>
