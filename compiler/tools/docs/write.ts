/** Writes the reference into a folder. It may only replace an earlier reference. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GENERATOR, SECTIONS } from './html.ts'

/** Returns true if the folder is missing, empty, or contains an earlier reference. @throws Error of the file system */
export async function isReplaceable(dir: string): Promise<boolean> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw Object.assign(error, { path: dir })
  })
  if (names.length === 0) return true
  const index = await readFile(join(dir, 'index.html'), 'utf8').catch(() => '')
  return index.slice(0, 1000).includes(GENERATOR)
}

/**
 * Writes the files. Files that only the earlier reference has are removed; other files stay.
 * @param files path → text
 * @throws Error of the file system
 */
export async function writeReference(dir: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [section] of SECTIONS) {
    const folder = join(dir, section)
    const oldText = await readdir(folder).catch(() => [])
    for (const name of oldText) {
      if (/\.(?:html|md)$/.test(name) && !files.has(`${section}/${name}`)) await rm(join(folder, name), { force: true })
    }
    await mkdir(folder, { recursive: true })
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
}
