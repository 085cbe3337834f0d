/** The folder of a site in which the compiler caches its results. */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The cache folder in a site's folder. It can be deleted at any time. */
export const CACHE = '.ingot/cache'

/** Creates the folder and excludes it from git. @throws Error if that is not permitted */
export function createCacheFolder(root: string): void {
  mkdirSync(join(root, CACHE), { recursive: true })
  writeFileSync(join(root, CACHE, '.gitignore'), '*\n')
}

/** Age in milliseconds from which a draft counts as left behind by a killed process. */
const MAX_DRAFT_AGE = 3_600_000

/**
 * Removes all but the newest files with matching names, and the drafts that killed processes have left behind.
 * @throws Error if that is not permitted
 */
export function pruneCache(root: string, names: RegExp, maxFiles: number): void {
  const folder = join(root, CACHE)
  const found = readdirSync(folder).filter((name) => names.test(name) || name.endsWith('.tmp'))
  // Another process may rename its draft in the meantime.
  const aged = found.flatMap((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false })
    return stats === undefined ? [] : [{ name, at: stats.mtimeMs }]
  })
  const [drafts, files] = [true, false].map((isDraft) => aged.filter(({ name }) => name.endsWith('.tmp') === isDraft))
  const oldDrafts = drafts?.filter(({ at }) => at < Date.now() - MAX_DRAFT_AGE) ?? []
  const oldFiles = files?.toSorted((a, b) => b.at - a.at).slice(maxFiles) ?? []
  for (const { name } of [...oldDrafts, ...oldFiles]) rmSync(join(folder, name), { force: true })
}

/** Removes a file that is not needed any more. Errors are ignored. */
export function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // A part of the path is not a folder, or the folder is not writable.
  }
}
