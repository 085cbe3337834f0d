/** Writes changed texts atomically, keeping byte order marks and line ends. */
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const BYTE_ORDER_MARK = '\ufeff'

/**
 * Writes each text if its file is unchanged since it was read.
 * @param before the texts as read
 * @returns paths of files that changed meanwhile and were not written
 */
export async function writeFixed(
  root: string,
  texts: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const skipped: string[] = []
  for (const [path, text] of texts) {
    // If the path is a link, the link stays and its target is written.
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
