/** The manifests that tell the names and versions of a site's modules: a build brings them along, since it is served without the site's folder. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { linkProblem } from './links.ts'
import { LARGEST_MANIFEST, manifestsIn } from './manifests.ts'

const FOLDERS: readonly string[] = ['modules', 'app/modules', 'marketplace_builder/modules']
/** Files that list the versions which were installed. */
const LOCKS: readonly string[] = ['pos-module.lock.json', 'app/pos-modules.lock.json']

/** Their texts by path, in the order of the paths. What cannot be read is left out: a module then has no version. */
export async function readModuleManifests(root: string): Promise<ReadonlyMap<string, string>> {
  const below = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = await readdir(join(root, folder)).catch((): string[] => [])
      const parts = await Promise.all(names.map((name) => readdir(join(root, folder, name)).catch((): string[] => [])))
      // Only a folder that has one of these is a module.
      const modules = names.filter((_, at) => parts[at]?.some((part) => part === 'public' || part === 'private'))
      return modules.flatMap((name) => manifestsIn(`${folder}/${name}/`))
    }),
  )
  const paths = [...manifestsIn(''), ...LOCKS, ...below.flat()].sort()
  const texts = await Promise.all(paths.map(async (path) => [path, await textOf(root, path)] as const))
  return new Map(texts.flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])))
}

/** Null where there is no such file; one that cannot be read tells nothing either, and the site runs without it. */
async function textOf(root: string, path: string): Promise<string | null> {
  // Most modules lack most of the names that are tried.
  const full = join(root, path)
  const info = await stat(full).catch(() => null)
  if (info === null || !info.isFile() || info.size > LARGEST_MANIFEST) return null
  // The compiler has reported it.
  if (linkProblem(root, path) !== null) return null
  // It may vanish between the two, or be another user's.
  return readFile(full, 'utf8').catch(() => null)
}
