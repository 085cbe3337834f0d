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

/** Removes all but the newest files with matching names. @throws Error if that is not permitted */
export function pruneCache(root: string, names: RegExp, maxFiles: number): void {
  const folder = join(root, CACHE)
  const files = readdirSync(folder).filter((name) => names.test(name))
  if (files.length <= maxFiles) return
  const filesWithAges = files.map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
  for (const { name } of filesWithAges.toSorted((a, b) => b.at - a.at).slice(maxFiles))
    rmSync(join(folder, name), { force: true })
}
