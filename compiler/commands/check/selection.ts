/** Finds the site of the paths passed to `check`, and the files that they select. */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { UsageError } from '../../core/usage-error.ts'

export interface Selection {
  /** The folder of the site. */
  readonly root: string
  /** Selected files and folders, relative to the root with forward slashes; null for all. */
  readonly paths: readonly string[] | null
}

const SITE_FOLDERS: ReadonlySet<string> = new Set(['app', 'marketplace_builder', 'modules'])

/**
 * Resolves paths. A single folder may be a site; files and folders inside a site select what is reported.
 * @param mayBeMissing whether a file need not exist
 * @param command name of the command
 * @throws UsageError for paths in several sites, or in none
 */
export async function resolveSelection(
  paths: readonly string[],
  mayBeMissing = false,
  command = 'check',
): Promise<Selection> {
  const [only = '.'] = paths
  if (paths.length <= 1 && !mayBeMissing && (await isSite(resolve(only)))) return { root: only, paths: null }
  const roots = new Set<string>()
  for (const path of paths) {
    // Null if the path does not exist or is not accessible.
    const info = mayBeMissing ? null : await stat(path).catch(() => null)
    if (!mayBeMissing && info === null) throw new UsageError(`There is no file or folder '${path}': check the path.`)
    const root = siteFolderOf(resolve(path))
    if (root === null && info?.isDirectory() === true)
      throw new UsageError(`\`ingot ${command}\` takes one folder, or files of one site: omit the folder '${path}'.`)
    if (root === null)
      throw new UsageError(
        `'${path}' belongs to no site: its files must be below 'app', 'modules' or 'marketplace_builder'.`,
      )
    roots.add(root)
  }
  const [root = '.', other] = [...roots]
  if (other !== undefined)
    throw new UsageError(`The files belong to several sites, '${root}' and '${other}': ${command} one at a time.`)
  return { root, paths: paths.map((path) => relative(root, resolve(path)).split(sep).join('/')) }
}

/** Returns true if a file is selected directly or by its folder. */
export function isSelected({ paths }: Selection, file: string): boolean {
  return paths === null || paths.some((path) => file === path || path === '' || file.startsWith(`${path}/`))
}

/** Names below the folder `app` of a site. A folder that contains them is not a site itself. */
const APP_CONTENTS = /^(?:views|lib|graphql|schema|translations|assets|forms|emails|config\.yml|user\.yml)$/

/** Returns true for a site's folder, and for a missing path outside of sites, which is reported when the site is read. */
async function isSite(path: string): Promise<boolean> {
  // An inaccessible path is reported when the site is read.
  const info = await stat(path).catch(() => null)
  if (info === null) return siteFolderOf(path) === null
  if (!info.isDirectory()) return false
  const names = await readdir(path)
  if (names.includes('app') || names.includes('marketplace_builder')) return true
  return siteFolderOf(path) === null || (names.includes('modules') && !names.some((name) => APP_CONTENTS.test(name)))
}

/** Returns the folder of the site that contains a path; null for a path outside of sites. */
function siteFolderOf(path: string): string | null {
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    if (!SITE_FOLDERS.has(basename(at))) continue
    const root = dirname(at)
    // Overrides of modules are inside `app`.
    return basename(at) === 'modules' && basename(root) === 'app' ? dirname(root) : root
  }
  return null
}
