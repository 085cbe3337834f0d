/** The files of a site as they are sent to a server: by their paths in the archive of a deploy. */
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

/** Folders of a site, and what stands beside them. */
const FOLDERS: readonly string[] = ['app', 'marketplace_builder', 'modules']
const BESIDE: readonly string[] = ['pos-module.json', 'pos-module.lock.json', 'template-values.json']
/** Folders inside each other, and files in all: a site beyond is a link gone wrong. */
const DEEPEST = 60
const MOST_FILES = 65_000

/**
 * All files of the site in a folder, but for those that it leaves out.
 * @param links folders outside of it to which its links may lead
 * @throws StartError where there is no site, or a link leads out of it
 */
export async function siteFiles(dir: string, links: readonly string[]): Promise<readonly SentSiteFile[]> {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new StartError(`There is no folder '${dir}': give the folder of a site.`)
  const root = await realpath(dir)
  const all: SentSiteFile[] = []
  for (const folder of siteFolders(dir)) {
    requireInside(root, folder, links)
    await walk({ root, links, files: all }, folder, [])
  }
  const isIgnored = await readIgnored(dir)
  const files = all.filter(({ path }) => !isIgnored(path))
  if (files.length === 0)
    throw new StartError(
      `'${dir}' holds no site: its files stand in ${FOLDERS.map((name) => `'${name}'`).join(' or ')}.`,
    )
  for (const path of BESIDE) {
    if (!existsSync(join(root, path))) continue
    requireInside(root, path, links)
    files.push({ path, from: join(root, path) })
  }
  return files
}

/** The folders of a site that are there. */
export function siteFolders(dir: string): readonly string[] {
  return FOLDERS.filter((name) => statSync(join(dir, name), { throwIfNoEntry: false })?.isDirectory())
}

/**
 * The path by which a local file is sent alone; null for one that is no file of a site.
 * @param dir folder of the site
 */
export function sitePath(dir: string, file: string): string | null {
  const path = relative(resolve(dir), resolve(file)).split(sep).join('/')
  const [folder = '', ...rest] = path.split('/')
  if (!FOLDERS.includes(folder) || rest.length === 0) return null
  return [folder, ...rest].some(isSkipped) ? null : path
}

/** `.well-known` is a folder that sites serve; other dot names are the tools' own. */
export function isSkipped(name: string): boolean {
  return name === 'node_modules' || (name.startsWith('.') && name !== '.well-known')
}

/**
 * Called before a file of a site is read.
 * @param root folder of the site
 * @param path of the file, in it
 * @throws StartError where it leads out of the site, and not to one of the folders `links`
 */
export function requireInside(root: string, path: string, links: readonly string[]): void {
  const why = outsideLink(root, join(root, path), links)
  if (why !== null) throw new StartError(`'${path}' is not sent, because ${why}.`)
}

interface Walk {
  readonly root: string
  readonly links: readonly string[]
  readonly files: SentSiteFile[]
}

/** @param above the real paths of the folders around it, by which a link that leads back is known */
async function walk(all: Walk, folder: string, above: readonly string[]): Promise<void> {
  const full = join(all.root, folder)
  const real = await realpath(full)
  if (above.includes(real)) throw new StartError(`'${folder}' is a link to a folder that it stands in.`)
  if (above.length >= DEEPEST) throw new StartError(`The folders of '${folder}' are nested too deeply.`)
  const entries = await readdir(full, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`
    if (isSkipped(entry.name)) continue
    const info = entry.isSymbolicLink() ? await linked(all, path) : entry
    if (info.isDirectory()) await walk(all, path, [...above, real])
    else if (info.isFile()) all.files.push({ path, from: join(full, entry.name) })
    if (all.files.length > MOST_FILES) throw new StartError(`The site has more than ${MOST_FILES} files.`)
  }
}

async function linked({ root, links }: Walk, path: string): Promise<{ isDirectory(): boolean; isFile(): boolean }> {
  try {
    requireInside(root, path, links)
    return await stat(join(root, path))
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`'${path}' is a link to nothing.`)
  }
}
