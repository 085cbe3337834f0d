/**
 * Reads a site's folder. The only reader of disk in the compiler's phases: everything behind it works on texts.
 *
 * Files are read by calls that wait: with a thread for each call a small file costs five times the processor time. Between some of them
 * others get their turn.
 */
import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SourceFile } from './file.ts'
import { strayPartial } from './from-texts.ts'
import { classify, type ClassifiedFile, LINT_CONFIG } from './kinds.ts'
import { linkProblem } from './links.ts'
import { isManifest, LARGEST_MANIFEST, LISTS, type Manifests, manifestsIn, readManifests } from './manifests.ts'
import { fillTemplateValues } from './template-values.ts'
import { errorCode } from './error-code.ts'

export interface PathProblem {
  readonly path: string
  /** Without a full stop: it goes into a sentence. */
  readonly message: string
}

/** A file or folder that is left out. */
export interface IgnoredPath extends PathProblem {
  /** The path that was likely meant; null where none is near. */
  readonly suggestion: string | null
}

export interface AssetFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Another one whenever the file was written, also where its size and the second are the same. */
  readonly version: string
}

export interface DiscoveredSite {
  /** In path order, files of the application before those of modules. */
  readonly files: readonly SourceFile[]
  readonly assets: readonly AssetFile[]
  /** Files and folders that cannot be read. */
  readonly problems: readonly PathProblem[]
  /** Files and folders that are left out, one remark for a folder of them. */
  readonly ignored: readonly IgnoredPath[]
  readonly siteRoot: SiteRoot
}

/** What the manifests of a site's folder tell before its files are read. */
export interface SiteRoot {
  /** The folders and files in it that the site is made of, whether they are there or not. */
  readonly roots: readonly string[]
  readonly manifests: Manifests
  /** The texts of those that are there, by path. */
  readonly manifestTexts: ReadonlyMap<string, string>
  /** The module that stands in the folder itself, in `public` and `private`; null for an ordinary site. */
  readonly ownModule: string | null
}

/** What one path of a site holds. */
export type SourceReadResult =
  | { readonly kind: 'file'; readonly file: SourceFile; readonly asset: AssetFile | null }
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'ignored'; readonly message: string; readonly path: string; readonly suggestion: string | null }
  /** Nothing there, or nothing that concerns the site. */
  | { readonly kind: 'none' }

const ROOTS: readonly string[] = ['app', 'marketplace_builder', 'modules']
/** Folders of a module that is a repository of its own. */
const OWN_ROOTS: readonly string[] = ['private', 'public']
/** Bytes of the largest file that is read as text. */
const LARGEST = 16 * 1024 * 1024
/** Folders inside each other, and files in all: a site beyond is a link gone wrong. */
const DEEPEST = 60
const MOST_FILES = 500_000
/** Files that are read before others get their turn: some milliseconds. */
const IN_A_ROW = 100

/** Reads the site in the folder `root`. Never throws for what it finds there: what cannot be read is among the problems. */
export async function discover(root: string): Promise<DiscoveredSite> {
  const walk: FolderWalk = { root, paths: [], problems: [], full: false }
  const siteRoot = readSiteRoot(root)
  // A manifest that is a link out of the site says nothing, and is not left out quietly.
  for (const path of [...manifestsIn(''), ...LISTS]) {
    const message = linkProblem(root, path)
    if (message !== null) walk.problems.push({ path, message })
  }
  for (const folder of siteRoot.roots) if (!folder.includes('.')) walkRoot(walk, folder)
  walk.paths.push(LINT_CONFIG)
  const paths = walk.paths.sort(byDeployOrder)
  const files: SourceFile[] = []
  const assets: AssetFile[] = []
  const ignored = new Map<string, IgnoredPath>()
  for (const { path, message } of [...siteRoot.manifests.problems, ...namelessModule(root, siteRoot)])
    ignored.set(path, { path, message, suggestion: null })
  for (const [at, path] of paths.entries()) {
    if (at % IN_A_ROW === IN_A_ROW - 1) await nextTurn()
    // Everything below the roots was walked, and its links were checked.
    const read = path === LINT_CONFIG ? readSource(root, path, siteRoot) : readWalked(root, path, siteRoot)
    if (read.kind === 'file') {
      files.push(read.file)
      if (read.asset !== null) assets.push(read.asset)
    } else if (read.kind === 'problem') walk.problems.push({ path, message: read.message })
    else if (read.kind === 'ignored' && !ignored.has(read.path))
      ignored.set(read.path, { path: read.path, message: read.message, suggestion: read.suggestion })
  }
  return {
    files,
    assets,
    problems: walk.problems.sort((a, b) => compare(a.path, b.path)),
    ignored: [...ignored.values()],
    siteRoot,
  }
}

/** A module that stands in the folder itself, of which the manifest does not say what it is called. */
function namelessModule(root: string, { manifests, manifestTexts }: SiteRoot): readonly PathProblem[] {
  const hasFolder = (folder: string) => infoOf(join(root, folder))?.isDirectory() === true
  if (manifests.rootModule !== null || ROOTS.some(hasFolder) || !OWN_ROOTS.some(hasFolder)) return []
  const path = manifestsIn('').find((each) => manifestTexts.has(each))
  const message = 'it has no `machine_name`, so nothing in `public` and `private` is part of a module'
  return path === undefined || manifests.problems.some((problem) => problem.path === path) ? [] : [{ path, message }]
}

/** Endings of the files that are templates where a folder has no structure of a site. */
const TEMPLATE_ENDINGS: readonly string[] = ['.liquid']

/**
 * Reads the templates below the folder `root`, which is no site: each is a partial that is called by its path without its ending. Never
 * throws for what it finds there. Links are followed within the folder only.
 */
export function discoverTemplates(root: string, endings: readonly string[] = TEMPLATE_ENDINGS): DiscoveredSite {
  const walk: FolderWalk = { root, paths: [], problems: [], full: false, outside: [] }
  walkRoot(walk, '')
  const files: SourceFile[] = []
  for (const path of walk.paths.sort(compare)) {
    const ending = endings.find((each) => path.endsWith(each))
    if (ending === undefined) continue
    try {
      const file = { ...strayPartial(path.slice(0, -ending.length), ''), path }
      const info = statSync(join(root, path))
      const text = !info.isFile() || info.size > LARGEST ? null : decode(readFileSync(join(root, path)))
      files.push(text === null ? { ...file, unreadable: 'it is not UTF-8 text of at most 16 MB' } : { ...file, text })
    } catch (error) {
      walk.problems.push({ path, message: inWords(error) })
    }
  }
  const manifests = readManifests(new Map())
  const siteRoot = { roots: [''], manifests, manifestTexts: new Map<string, string>(), ownModule: null }
  const ignored =
    walk.outside?.map((path) => ({ path, message: 'it is a link out of the folder', suggestion: null })) ?? []
  return { files, assets: [], problems: walk.problems, ignored, siteRoot }
}

/** Reads the manifests of the site in the folder `root`. Those that are not there, or cannot be read, say nothing. */
function readSiteRoot(root: string): SiteRoot {
  const modules = namesIn(join(root, 'modules'))
  const inModules = modules.map((module) => `modules/${module}/`).flatMap(manifestsIn)
  const paths = [...manifestsIn(''), ...LISTS, ...inModules]
  const manifestTexts = new Map<string, string>()
  for (const path of paths) {
    const text = readManifest(root, path)
    if (text !== null) manifestTexts.set(path, text)
  }
  const manifests = readManifests(manifestTexts)
  const { rootModule } = manifests
  const ownModule = rootModule === null || modules.includes(rootModule) ? null : rootModule
  const roots = [...ROOTS, ...(ownModule === null ? [] : OWN_ROOTS), LINT_CONFIG, ...manifestsIn('')]
  return { roots, manifests, manifestTexts, ownModule }
}

/**
 * Most of the paths of manifests are not there. One that cannot be read gives no values: each key that lacks one is told of at its place.
 * @returns null where none is there
 */
function readManifest(root: string, path: string): string | null {
  const full = join(root, path)
  if (infoOf(full) === null || linkProblem(root, path) !== null) return null
  const bytes = bytesOf(full, LARGEST_MANIFEST)
  return bytes === null ? null : (decode(bytes) ?? '')
}

/** Whether one path of the site in `root` holds what `site` was made of. For a watcher that may have read it half written. */
export function isAsRead(root: string, path: string, { files, assets, siteRoot }: DiscoveredSite): boolean {
  if (isManifest(path) || LISTS.includes(path))
    return readManifest(root, path) === (siteRoot.manifestTexts.get(path) ?? null)
  const known = files.find((file) => file.path === path)
  const read = readSource(root, path, siteRoot)
  if (read.kind !== 'file') return known === undefined
  const asset = assets.find((each) => each.path === path)
  return (
    read.file.text === known?.text &&
    read.file.unreadable === known.unreadable &&
    read.asset?.version === asset?.version
  )
}

/**
 * Reads one path of the site in `root`: what `discover` would have made of it. For a watcher that was told of a change.
 * @param siteRoot what `discover` has found the site to be
 */
export function readSource(root: string, path: string, siteRoot: SiteRoot): SourceReadResult {
  const message = linkProblem(root, path)
  if (message === null) return readWalked(root, path, siteRoot)
  return classify(path, siteRoot.ownModule) === null || isHidden(path) ? { kind: 'none' } : { kind: 'problem', message }
}

/** As `readSource`, of a path that does not lead out of the site. */
function readWalked(root: string, path: string, siteRoot: SiteRoot): SourceReadResult {
  const classified = classify(path, siteRoot.ownModule)
  if (classified === null || isHidden(path)) return { kind: 'none' }
  const full = join(root, path)
  if ('reason' in classified) {
    const info = infoOf(full)
    if (info === null || info.isDirectory()) return { kind: 'none' }
    return { kind: 'ignored', message: classified.reason, path: classified.path, suggestion: classified.suggestion }
  }
  try {
    const info = statSync(full)
    if (info.isDirectory()) return { kind: 'none' }
    // A pipe or a device would never end.
    if (!info.isFile()) return { kind: 'problem', message: 'it is no ordinary file' }
    const values = siteRoot.manifests.valuesFor(path)
    if (classified.kind === 'asset') {
      const asset = { path, size: info.size, version: versionOf(info) }
      // Other bytes than those of stylesheets are served as they are where they are no text with values.
      const isRead = (values !== null || path.endsWith('.css')) && info.size <= LARGEST
      const text = isRead ? decode(readFileSync(full)) : null
      const filled = text === null || values === null ? null : fillTemplateValues(text, values, LARGEST)
      const read = filled ?? { text: path.endsWith('.css') ? (text ?? '') : '' }
      return { kind: 'file', file: { path, ...classified, ...read }, asset }
    }
    const unreadable = (why: string): SourceReadResult => {
      return { kind: 'file', file: { path, ...classified, text: '', unreadable: why }, asset: null }
    }
    if (info.size > LARGEST) return unreadable('it is larger than 16 MB')
    const text = decode(readFileSync(full))
    if (text === null && isLoosePartial(path, classified))
      return { kind: 'ignored', message: 'it is not UTF-8 text, so it is no partial', path, suggestion: null }
    if (text === null) return unreadable('it is not UTF-8 text')
    const filled = values === null ? null : fillTemplateValues(text, values, LARGEST)
    return { kind: 'file', file: { path, ...classified, text, ...filled }, asset: null }
  } catch (error) {
    if (error instanceof RangeError)
      return { kind: 'problem', message: 'with its template values it is larger than 16 MB' }
    if (errorCode(error) !== 'ENOENT') return { kind: 'problem', message: inWords(error) }
    return isLink(full) ? { kind: 'problem', message: 'it is a link to nothing' } : { kind: 'none' }
  }
}

/**
 * Reads the bytes of a file that stand elsewhere than at its path: what `discover` makes of them once they stand there, but for template
 * values.
 * @param place path of a file on disk
 * @returns null for what is no text of a site, or cannot be read
 */
export function readPlaced(path: string, place: string): SourceFile | null {
  const classified = classify(path)
  if (classified === null || 'reason' in classified || classified.kind === 'asset' || isHidden(path)) return null
  const bytes = bytesOf(place, LARGEST)
  const text = bytes === null ? null : decode(bytes)
  return text === null ? null : { path, ...classified, text }
}

/** The file with another text than the one on disk, with its template values in their places. */
export function withText(
  { written: _, unreadable: __, ...file }: SourceFile,
  text: string,
  siteRoot: SiteRoot,
): SourceFile {
  const values = siteRoot.manifests.valuesFor(file.path)
  const filled = values === null ? null : fillTemplateValues(text, values, LARGEST)
  return { ...file, text, ...filled }
}

/** A file that is replaced by another one of the same times has another number. */
function versionOf({ mtimeMs, ctimeMs, size, ino }: Stats): string {
  return [mtimeMs, ctimeMs, size, ino].join(' ')
}

/**
 * A text as the file of the site that it is, as it would have been read from disk.
 * @returns null for a path that no file of the site has
 * @throws RangeError for a text that its values make too long
 */
export function sourceOf(path: string, text: string, { ownModule, manifests }: SiteRoot): SourceFile | null {
  const classified = classify(path, ownModule)
  if (classified === null || 'reason' in classified || isHidden(path)) return null
  const values = manifests.valuesFor(path)
  const filled = values === null ? null : fillTemplateValues(text, values, LARGEST)
  const isRead = classified.kind !== 'asset' || filled !== null || path.endsWith('.css')
  return { path, ...classified, text: isRead ? text : '', ...filled }
}

interface FolderWalk {
  readonly root: string
  readonly paths: string[]
  readonly problems: PathProblem[]
  full: boolean
  /** Links that lead out of the folder, which are not followed; without the list they are. */
  readonly outside?: string[]
}

function walkRoot(walk: FolderWalk, folder: string): void {
  try {
    const message = folder === '' ? null : linkProblem(walk.root, folder)
    if (message !== null) walk.problems.push({ path: folder, message })
    else walkFolder(walk, folder, [realpathSync(join(walk.root, folder))])
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') walk.problems.push({ path: folder, message: inWords(error) })
  }
}

/** `chain` holds the real paths of the folders above and of this one, by which a link that leads back is known. */
function walkFolder(walk: FolderWalk, folder: string, chain: readonly string[]): void {
  for (const entry of entriesOf(walk, folder)) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (isSkipped(entry.name)) continue
    const kind = entry.isSymbolicLink() ? linked(walk, path) : entry.isDirectory() ? 'folder' : 'file'
    if (kind === 'file') {
      if (walk.paths.length >= MOST_FILES) {
        if (!walk.full)
          walk.problems.push({ path: folder, message: 'the site holds too many files, and the rest is not read' })
        walk.full = true
        return
      }
      walk.paths.push(path)
    }
    if (kind !== 'folder') continue
    const real = entry.isSymbolicLink()
      ? realpathSync(join(walk.root, path))
      : join(chain.at(-1) ?? walk.root, entry.name)
    if (chain.includes(real)) walk.problems.push({ path, message: 'it is a link to a folder that it stands in' })
    else if (chain.length >= DEEPEST) walk.problems.push({ path, message: 'its folders are nested too deeply' })
    else walkFolder(walk, path, [...chain, real])
  }
}

function entriesOf(walk: FolderWalk, folder: string): readonly Dirent[] {
  try {
    return readdirSync(join(walk.root, folder), { withFileTypes: true })
  } catch (error) {
    // A root that is a file, such as a stray `app`, is no folder of a site.
    if (errorCode(error) !== 'ENOTDIR') walk.problems.push({ path: folder, message: inWords(error) })
    return []
  }
}

function linked(walk: FolderWalk, path: string): 'file' | 'folder' | 'none' {
  try {
    if (walk.outside !== undefined && !isWithin(walk.root, path)) {
      walk.outside.push(path)
      return 'none'
    }
    const message = linkProblem(walk.root, path)
    if (message !== null) {
      walk.problems.push({ path, message })
      return 'none'
    }
    return statSync(join(walk.root, path)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    // A broken link to a file is reported when it is read; one that leads to itself has no kind at all.
    if (errorCode(error) === 'ENOENT') return 'file'
    walk.problems.push({ path, message: inWords(error) })
    return 'none'
  }
}

/** Whether a link leads to something in the folder. @throws Error of the file system */
function isWithin(root: string, path: string): boolean {
  return realpathSync(join(root, path)).startsWith(`${realpathSync(root)}${sep}`)
}

/** `.well-known` is a folder that sites serve; other dot names are the tools' own. */
function isSkipped(name: string): boolean {
  return name === 'node_modules' || (name.startsWith('.') && name !== '.well-known')
}

function isHidden(path: string): boolean {
  return path !== LINT_CONFIG && path.split('/').some(isSkipped)
}

/** The order of the files of a site, by their paths. */
export function byDeployOrder(a: string, b: string): number {
  return rank(a) - rank(b) || compare(a, b)
}

function rank(path: string): number {
  return path.startsWith('app/') || path.startsWith('marketplace_builder/') || !path.includes('/') ? 0 : 1
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A file that is only a partial because of where it lies, such as a picture beside the partial that shows it. */
function isLoosePartial(path: string, { kind }: ClassifiedFile): boolean {
  return (kind === 'partial' || kind === 'layout') && !path.endsWith('.liquid')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Null for bytes that are no UTF-8. A byte order mark is left out. */
function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** Null for what is not there, or cannot be reached. */
function infoOf(full: string): Stats | null {
  try {
    return statSync(full, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** What an ordinary file of at most `largest` bytes holds; null for all else. */
function bytesOf(full: string, largest: number): Buffer | null {
  const info = infoOf(full)
  if (info === null || !info.isFile() || info.size > largest) return null
  try {
    return readFileSync(full)
  } catch {
    // It may have gone since it was looked at.
    return null
  }
}

function namesIn(full: string): readonly string[] {
  try {
    return readdirSync(full)
  } catch {
    // Most sites have no modules, and what cannot be read is told where its files are.
    return []
  }
}

function isLink(full: string): boolean {
  try {
    return lstatSync(full).isSymbolicLink()
  } catch {
    return false
  }
}

function inWords(error: unknown): string {
  const code = errorCode(error)
  return WORDS[code ?? ''] ?? `the system says ${code ?? String(error)}`
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
  ELOOP: 'it is a link that leads back to itself',
  ENAMETOOLONG: 'its path is too long',
  EMFILE: 'too many files are open',
  EIO: 'the disk could not be read',
  EISDIR: 'it is a folder',
}
