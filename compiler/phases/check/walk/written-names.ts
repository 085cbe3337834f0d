/** Counts how often names occur in the files of a site. Of two similar spellings, the rarer one is probably the mistake. */
import type { Site } from '../../../core/model/site.ts'
import { wordCounter } from '../../../core/model/word-counter.ts'
import type { Unit } from '../../../core/model/unit.ts'

/** Counts the words of the files of a site. */
const countWords = wordCounter(({ file }: Unit) => file.text.match(/\w+/g) ?? [])

/** Returns the words of a site, each with its number of occurrences. */
export function wordsWritten({ structureVersion, byFile }: Site): ReadonlyMap<string, number> {
  return countWords(structureVersion, byFile).counts
}

/** Returns how often a name occurs as a separate word in the files of a site. */
export function timesWritten(name: string, { structureVersion, byFile }: Site): number {
  if (/^\w+$/.test(name)) return countWords(structureVersion, byFile).counts.get(name) ?? 0
  const word = new RegExp(`(?<!\\w)${name.replace(/\W/g, '\\$&')}(?!\\w)`, 'g')
  let times = 0
  for (const { file } of byFile.values()) if (file.text.includes(name)) times += file.text.match(word)?.length ?? 0
  return times
}
