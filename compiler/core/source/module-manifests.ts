/**
 * Reads the manifests with the names and versions of the modules of a site. A build contains them, because it is served without the
 * site.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { linkProblem } from './links.ts'
import { MAX_MANIFEST_BYTES, manifestsIn } from './manifests.ts'

const FOLDERS: readonly string[] = ['modules', 'app/modules', 'marketplace_builder/modules']
/** Files that list the installed versions. */
const LOCKS: readonly string[] = ['pos-module.lock.json', 'app/pos-modules.lock.json']

/** Returns the texts by path, in path order. Unreadable files are left out; then the module has no version. */
export async function readModuleManifests(root: string): Promise<ReadonlyMap<string, string>> {
  const moduleFiles = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = await readdir(join(root, folder)).catch((): string[] => [])
      const parts = await Promise.all(names.map((name) => readdir(join(root, folder, name)).catch((): string[] => [])))
      // Only a folder with one of these files is a module.
      const modules = names.filter((_, at) => parts[at]?.some((part) => part === 'public' || part === 'private'))
      return modules.flatMap((name) => manifestsIn(`${folder}/${name}/`))
    }),
  )
  const paths = [...manifestsIn(''), ...LOCKS, ...moduleFiles.flat()].sort()
  const texts = await Promise.all(paths.map(async (path) => [path, await readText(root, path)] as const))
  return new Map(texts.flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])))
}

/** Returns null if the file does not exist or cannot be read. The site works without it. */
async function readText(root: string, path: string): Promise<string | null> {
  // Most modules do not have most of the possible manifests.
  const fullPath = join(root, path)
  const info = await stat(fullPath).catch(() => null)
  if (info === null || !info.isFile() || info.size > MAX_MANIFEST_BYTES) return null
  // The compiler has already reported a link out of the site.
  if (linkProblem(root, path) !== null) return null
  // The file may be deleted between the two calls, or belong to another user.
  return readFile(fullPath, 'utf8').catch(() => null)
}
