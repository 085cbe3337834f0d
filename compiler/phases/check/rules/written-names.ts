/** How often names are written in the files of a site: of two that are spelled nearly alike, the rarer one is the slip. */
import type { Site } from '../../../core/model/site.ts'
import { wordCounter } from '../../../core/model/word-counter.ts'
import type { Unit } from '../../../core/model/unit.ts'

/** How often each word is written in the files of a site. */
const words = wordCounter(({ file }: Unit) => file.text.match(/\w+/g) ?? [])

/** The words of a site, each with how often it is written. */
export function wordsWritten({ frame, byFile }: Site): ReadonlyMap<string, number> {
  return words(frame, byFile).counts
}

/** The times that a name is a word of its own in any file. */
export function timesWritten(name: string, { frame, byFile }: Site): number {
  if (/^\w+$/.test(name)) return words(frame, byFile).counts.get(name) ?? 0
  const word = new RegExp(`(?<!\\w)${name.replace(/\W/g, '\\$&')}(?!\\w)`, 'g')
  let times = 0
  for (const { file } of byFile.values()) if (file.text.includes(name)) times += file.text.match(word)?.length ?? 0
  return times
}
