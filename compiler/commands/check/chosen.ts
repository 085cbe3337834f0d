/** Which site the paths of a `check` belong to, and which of its files they choose. */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { UsageError } from '../../core/usage-error.ts'

export interface Chosen {
  /** The folder of the site. */
  readonly root: string
  /** Files and folders of it, relative to it with forward slashes; null for all of it. */
  readonly paths: readonly string[] | null
}

const SITE_FOLDERS: ReadonlySet<string> = new Set(['app', 'marketplace_builder', 'modules'])

/**
 * One folder is a site; files, and folders inside of a site, choose what is told of it.
 * @param may whether a file need not be there
 * @param command that takes the paths
 * @throws UsageError for paths of several sites, or of none
 */
export async function chosenBy(paths: readonly string[], may = false, command = 'check'): Promise<Chosen> {
  const [only = '.'] = paths
  if (paths.length <= 1 && !may && (await isSite(resolve(only)))) return { root: only, paths: null }
  const roots = new Set<string>()
  for (const path of paths) {
    // Null for what is not there, and for what cannot be reached.
    const info = may ? null : await stat(path).catch(() => null)
    if (!may && info === null) throw new UsageError(`There is no file or folder '${path}': check the path.`)
    const root = siteOf(resolve(path))
    if (root === null && info?.isDirectory() === true)
      throw new UsageError(`\`ingot ${command}\` takes one folder of a site, or files of one: '${path}' is one more.`)
    if (root === null)
      throw new UsageError(
        `'${path}' belongs to no site: its files stand below 'app', 'modules' or 'marketplace_builder'.`,
      )
    roots.add(root)
  }
  const [root = '.', other] = [...roots]
  if (other !== undefined)
    throw new UsageError(`The files are of several sites, '${root}' and '${other}': ${command} one at a time.`)
  return { root, paths: paths.map((path) => relative(root, resolve(path)).split(sep).join('/')) }
}

/** Whether a file is one of the chosen ones, or stands in one of the chosen folders. */
export function isChosen({ paths }: Chosen, file: string): boolean {
  return paths === null || paths.some((path) => file === path || path === '' || file.startsWith(`${path}/`))
}

/** What the folder `app` of a site may hold, and no site. */
const BELOW_APP = /^(?:views|lib|graphql|schema|translations|assets|forms|emails|config\.yml|user\.yml)$/

/** A folder that is no part of a site; or nothing at all, which is told where it is read. */
async function isSite(path: string): Promise<boolean> {
  // What cannot be reached is told with its reason where the site is read.
  const info = await stat(path).catch(() => null)
  if (info === null) return siteOf(path) === null
  if (!info.isDirectory()) return false
  const names = await readdir(path)
  if (names.includes('app') || names.includes('marketplace_builder')) return true
  return siteOf(path) === null || (names.includes('modules') && !names.some((name) => BELOW_APP.test(name)))
}

/** The folder that holds the site of a path; null for what stands in none. */
function siteOf(path: string): string | null {
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    if (!SITE_FOLDERS.has(basename(at))) continue
    const root = dirname(at)
    // Overrides of modules stand in the application.
    return basename(at) === 'modules' && basename(root) === 'app' ? dirname(root) : root
  }
  return null
}
