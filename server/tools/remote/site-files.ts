/** Lists the files of a site to send to a server, by their paths in the archive of a deploy. */
import { existsSync, statSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { outsideLink } from '../../../runtime/data/site-links.ts'
import { StartError } from '../../core/start-error.ts'
import { readIgnored } from './ignored.ts'

export interface SentSiteFile {
  /** With slashes: `app/views/pages/index.liquid`. */
  readonly path: string
  /** Local path. */
  readonly from: string
}

/** Folders of a site. */
const SITE_FOLDERS: readonly string[] = ['app', 'marketplace_builder', 'modules']
/** Files in the root folder of a site. */
const ROOT_FILES: readonly string[] = ['pos-module.json', 'pos-module.lock.json', 'template-values.json']
/** Maximum depth of folders. A deeper site probably has a wrong link. */
const MAX_DEPTH = 60
/** Maximum number of files. */
const MAX_FILES = 65_000

/**
 * Lists all files of a site, except ignored ones.
 * @param links folders outside of the site to which its links may lead
 * @throws StartError when there is no site, or a link leads out of it
 */
export async function siteFiles(dir: string, links: readonly string[]): Promise<readonly SentSiteFile[]> {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new StartError(`There is no folder '${dir}': give the folder of a site.`)
  const root = await realpath(dir)
  const all: SentSiteFile[] = []
  for (const folder of siteFolders(dir)) {
    requireInside(root, folder, links)
    await addFiles({ root, links, files: all }, folder, [])
  }
  const isIgnored = await readIgnored(dir)
  const files = all.filter(({ path }) => !isIgnored(path))
  if (files.length === 0)
    throw new StartError(
      `'${dir}' contains no site: give a folder with ${SITE_FOLDERS.map((name) => `'${name}'`).join(' or ')}.`,
    )
  for (const path of ROOT_FILES) {
    if (!existsSync(join(root, path))) continue
    requireInside(root, path, links)
    files.push({ path, from: join(root, path) })
  }
  return files
}

/** Returns the existing folders of a site. */
export function siteFolders(dir: string): readonly string[] {
  return SITE_FOLDERS.filter((name) => statSync(join(dir, name), { throwIfNoEntry: false })?.isDirectory())
}

/**
 * Returns the path by which a single file is sent; null when the file does not belong to the site.
 * @param dir folder of the site
 */
export function sitePath(dir: string, file: string): string | null {
  const path = relative(resolve(dir), resolve(file)).split(sep).join('/')
  const [folder = '', ...rest] = path.split('/')
  if (!SITE_FOLDERS.includes(folder) || rest.length === 0) return null
  return [folder, ...rest].some(isSkipped) ? null : path
}

/** Returns whether a file or folder is skipped. Sites serve `.well-known`; other dot files belong to tools. */
export function isSkipped(name: string): boolean {
  return name === 'node_modules' || (name.startsWith('.') && name !== '.well-known')
}

/**
 * Requires that a file belongs to the site. Called before the file is read.
 * @param root folder of the site
 * @param path path of the file in the site
 * @throws StartError when it leads out of the site, and not to one of the folders `links`
 */
export function requireInside(root: string, path: string, links: readonly string[]): void {
  const reason = outsideLink(root, join(root, path), links)
  if (reason !== null) throw new StartError(`'${path}' is not sent, because ${reason}.`)
}

interface Listing {
  readonly root: string
  readonly links: readonly string[]
  readonly files: SentSiteFile[]
}

/** Adds the files below a folder. @param above real paths of its parent folders, to detect circular links */
async function addFiles(all: Listing, folder: string, above: readonly string[]): Promise<void> {
  const full = join(all.root, folder)
  const real = await realpath(full)
  if (above.includes(real)) throw new StartError(`'${folder}' is a link to one of its parent folders: remove it.`)
  if (above.length >= MAX_DEPTH) throw new StartError(`The folders of '${folder}' are nested too deeply.`)
  const entries = await readdir(full, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`
    if (isSkipped(entry.name)) continue
    const info = entry.isSymbolicLink() ? await statLink(all, path) : entry
    if (info.isDirectory()) await addFiles(all, path, [...above, real])
    else if (info.isFile()) all.files.push({ path, from: join(full, entry.name) })
    if (all.files.length > MAX_FILES)
      throw new StartError(`The site has more than ${MAX_FILES} files: exclude some with \`.posignore\`.`)
  }
}

async function statLink(
  { root, links }: Listing,
  path: string,
): Promise<{ isDirectory(): boolean; isFile(): boolean }> {
  try {
    requireInside(root, path, links)
    return await stat(join(root, path))
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`'${path}' is a broken link: remove it.`)
  }
}
