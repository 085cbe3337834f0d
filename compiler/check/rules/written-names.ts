/** How often names are written in the files of a site: of two that are spelled nearly alike, the rarer one is the slip. */
import type { Site } from '../../model/site.ts'

/** The times that a name is a word of its own in any file. */
export function timesWritten(name: string, { byFile }: Site): number {
  const word = new RegExp(`(?<!\\w)${name.replace(/\W/g, '\\$&')}(?!\\w)`, 'g')
  let times = 0
  for (const { file } of byFile.values()) if (file.text.includes(name)) times += file.text.match(word)?.length ?? 0
  return times
}
