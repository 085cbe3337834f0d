/** Writes changed texts to the files of a site: whole, by rename, with the marks and line ends that a file had. */
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const BYTE_ORDER_MARK = '\ufeff'

/**
 * Writes each text where the file still holds what was read of it.
 * @param before the texts as they were read
 * @returns the paths of files that somebody changed meanwhile: they stay as they are
 */
export async function writeFixed(
  root: string,
  texts: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const skipped: string[] = []
  for (const [path, text] of texts) {
    // A link stays one: what it leads to is written.
    const full = await realpath(join(root, path))
    const old = await readFile(full, 'utf8')
    const bare = old.startsWith(BYTE_ORDER_MARK) ? old.slice(1) : old
    if (bare !== before.get(path)) {
      skipped.push(path)
      continue
    }
    const draft = `${full}.${process.pid}.tmp`
    try {
      const written = /\r\n/.test(bare) && !/(?<!\r)\n/.test(bare) ? text.replace(/(?<!\r)\n/g, '\r\n') : text
      await writeFile(draft, `${old === bare ? '' : BYTE_ORDER_MARK}${written}`, { mode: (await stat(full)).mode })
      await rename(draft, full)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }
  return skipped
}
