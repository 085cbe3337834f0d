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
    const oldText = await readFile(full, 'utf8')
    const bareName = oldText.startsWith(BYTE_ORDER_MARK) ? oldText.slice(1) : oldText
    if (bareName !== before.get(path)) {
      skipped.push(path)
      continue
    }
    const draft = `${full}.${process.pid}.tmp`
    try {
      const writtenText =
        /\r\n/.test(bareName) && !/(?<!\r)\n/.test(bareName) ? text.replace(/(?<!\r)\n/g, '\r\n') : text
      await writeFile(draft, `${oldText === bareName ? '' : BYTE_ORDER_MARK}${writtenText}`, {
        mode: (await stat(full)).mode,
      })
      await rename(draft, full)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }
  return skipped
}
