/** Finds the build that a command gets: in the folder of a site, in a folder of `ingot build --out`, or in an archive of `--pack`. */
import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Settings } from '../../core/settings.ts'
import { type BuiltSite, findBuilt } from '../../web/site/load.ts'
import { makeDataFolder } from '../../data/store/postgres/data-folder.ts'
import { DATA_FOLDER } from '../../data/store/postgres/embedded.ts'
import { unpackBuild } from './unpack.ts'

/** Folder of unpacked builds in the data folder. */
const BUILDS_FOLDER = 'builds'

/**
 * Finds a build; unpacks it when it is an archive.
 * @param path folder of a site, or an archive
 * @param out folder of its build, when it is not in the site's folder
 * @throws StartError
 */
export async function openBuild(
  path: string,
  out: string | undefined,
  settings: Pick<Settings, 'dataFolder'>,
): Promise<BuiltSite> {
  const file = resolve(path)
  if (out !== undefined || statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return findBuilt(path, out)
  const root = dirname(file)
  const data = resolve(settings.dataFolder ?? join(root, DATA_FOLDER))
  await makeDataFolder(data)
  const folder = await unpackBuild(file, join(data, BUILDS_FOLDER))
  return { ...findBuilt(root, folder), name: basename(file).replace(/\.(?:tgz|tar\.gz)$/, '') }
}
