/** The folder of a site in which the compiler caches its results. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The cache folder in a site's folder. It can be deleted at any time. */
export const CACHE = '.ingot/cache'

/** Creates the folder and excludes it from git. @throws Error if that is not permitted */
export function createCacheFolder(root: string): void {
  mkdirSync(join(root, CACHE), { recursive: true })
  writeFileSync(join(root, CACHE, '.gitignore'), '*\n')
}
