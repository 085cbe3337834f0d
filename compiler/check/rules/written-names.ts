/** How often names are written in the files of a site: of two that are spelled nearly alike, the rarer one is the slip. */
import type { Site } from '../../model/site.ts'
import type { SourceFile } from '../../source/file.ts'

/** By the files of a site, how often each word is written in them: counted when somebody asks, and once. */
const counted = new WeakMap<Site['byFile'], ReadonlyMap<string, number>>()

/** The times that a name is a word of its own in any file. */
export function timesWritten(name: string, { byFile }: Site): number {
  if (/^\w+$/.test(name)) return wordsIn(byFile).get(name) ?? 0
  const word = new RegExp(`(?<!\\w)${name.replace(/\W/g, '\\$&')}(?!\\w)`, 'g')
  let times = 0
  for (const { file } of byFile.values()) if (file.text.includes(name)) times += file.text.match(word)?.length ?? 0
  return times
}

function wordsIn(byFile: Site['byFile']): ReadonlyMap<string, number> {
  const known = counted.get(byFile)
  if (known !== undefined) return known
  const words = new Map<string, number>()
  for (const { file } of byFile.values())
    for (const [word, times] of wordsOf(file)) words.set(word, (words.get(word) ?? 0) + times)
  counted.set(byFile, words)
  return words
}

/** The same of each file, kept while that is: of a site that is edited, one file is another one. */
const countedInFiles = new WeakMap<SourceFile, ReadonlyMap<string, number>>()

function wordsOf(file: SourceFile): ReadonlyMap<string, number> {
  const known = countedInFiles.get(file)
  if (known !== undefined) return known
  const words = new Map<string, number>()
  for (const word of file.text.match(/\w+/g) ?? []) words.set(word, (words.get(word) ?? 0) + 1)
  countedInFiles.set(file, words)
  return words
}
