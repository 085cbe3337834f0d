/**
 * Reads the folder of a site. This is the only part of the compiler phases that reads from disk.
 *
 * Files are read with synchronous calls, because asynchronous reads of small files need five times the processor time. The loop yields to
 * the event loop from time to time.
 */
import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SourceFile } from './file.ts'
import { strayPartial } from './from-texts.ts'
import { classify, type ClassifiedFile, isRequestTest, LINT_CONFIG } from './kinds.ts'
import { linkProblem } from './links.ts'
import { isManifest, MAX_MANIFEST_BYTES, LISTS, type Manifests, manifestsIn, readManifests } from './manifests.ts'
import { fillTemplateValues } from './template-values.ts'
import { errorCode } from './error-code.ts'

interface PathProblem {
  readonly path: string
  /** Without a period, because it becomes part of a sentence. */
  readonly message: string
}

/** A file or folder that is ignored. */
export interface IgnoredPath extends PathProblem {
  /** The path that was probably meant; null if there is none. */
  readonly suggestion: string | null
}

export interface AssetFile {
  readonly path: string
  /** The size in bytes. */
  readonly size: number
  /** Changes on every write, even if the size and the second of the modification time stay the same. */
  readonly version: string
}

export interface DiscoveredSite {
  /** All files in path order. Files of the application come before files of modules. */
  readonly files: readonly SourceFile[]
  readonly assets: readonly AssetFile[]
  /** Files and folders that cannot be read. */
  readonly problems: readonly PathProblem[]
  /** Files and folders that are ignored, with one entry per folder of such files. */
  readonly ignored: readonly IgnoredPath[]
  readonly siteRoot: SiteRoot
  /** The names of partials that request tests run (`- run: NAME` in `…_test.yml`). */
  readonly testRuns: readonly string[]
}

/** The manifests of a site folder, which are read before its files. */
export interface SiteRoot {
  /** The folders and files that can belong to the site, whether they exist or not. */
  readonly roots: readonly string[]
  readonly manifests: Manifests
  /** The texts of the existing manifests, by path. */
  readonly manifestTexts: ReadonlyMap<string, string>
  /** The module whose `public` and `private` folders are in the root folder; null for an ordinary site. */
  readonly ownModule: string | null
}

/** The result of reading one path of a site. */
export type SourceReadResult =
  | { readonly kind: 'file'; readonly file: SourceFile; readonly asset: AssetFile | null }
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'ignored'; readonly message: string; readonly path: string; readonly suggestion: string | null }
  /** Nothing exists there, or it does not belong to the site. */
  | { readonly kind: 'none' }

const ROOTS: readonly string[] = ['app', 'marketplace_builder', 'modules']
/** The folders of a module that has its own repository. */
const OWN_ROOTS: readonly string[] = ['private', 'public']
/** Maximum size of a text file in bytes. */
const MAX_BYTES = 16 * 1024 * 1024
/** Maximum depth of folders and maximum number of files. A larger site is probably caused by a wrong link. */
const MAX_DEPTH = 60
const MAX_FILES = 500_000
/** The number of files to read before yielding to the event loop, which takes some milliseconds. */
const BATCH_SIZE = 100

/** Reads the site in the folder `root`. Never throws: files that cannot be read are listed in `problems`. */
export async function discover(root: string): Promise<DiscoveredSite> {
  const walk: FolderWalk = { root, paths: [], problems: [], isFull: false }
  const siteRoot = readSiteRoot(root)
  // A manifest that is a link out of the site is ignored, but reported.
  for (const path of [...manifestsIn(''), ...LISTS]) {
    const message = linkProblem(root, path)
    if (message !== null) walk.problems.push({ path, message })
  }
  for (const folder of siteRoot.roots) if (!folder.includes('.')) walkRoot(walk, folder)
  walk.paths.push(LINT_CONFIG)
  const paths = walk.paths.sort(byDeployOrder)
  const files: SourceFile[] = []
  const assets: AssetFile[] = []
  const testRuns: string[] = []
  const ignored = new Map<string, IgnoredPath>()
  for (const { path, message } of [...siteRoot.manifests.problems, ...namelessModule(root, siteRoot)])
    ignored.set(path, { path, message, suggestion: null })
  for (const [at, path] of paths.entries()) {
    if (at % BATCH_SIZE === BATCH_SIZE - 1) await nextTurn()
    // All paths below the roots were walked, and their links were checked.
    const readResult = path === LINT_CONFIG ? readSource(root, path, siteRoot) : readContained(root, path, siteRoot)
    if (readResult.kind === 'none' && isRequestTest(path)) testRuns.push(...runsIn(join(root, path)))
    if (readResult.kind === 'file') {
      files.push(readResult.file)
      if (readResult.asset !== null) assets.push(readResult.asset)
    } else if (readResult.kind === 'problem') walk.problems.push({ path, message: readResult.message })
    else if (readResult.kind === 'ignored' && !ignored.has(readResult.path))
      ignored.set(readResult.path, {
        path: readResult.path,
        message: readResult.message,
        suggestion: readResult.suggestion,
      })
  }
  return {
    files,
    assets,
    problems: walk.problems.sort((a, b) => compare(a.path, b.path)),
    ignored: [...ignored.values()],
    siteRoot,
    testRuns,
  }
}

/** Returns the names of the partials that a list of requests runs. A file with mistakes is reported by `ingot test`. */
function runsIn(path: string): readonly string[] {
  const text = decode(readBytes(path, MAX_BYTES) ?? new Uint8Array()) ?? ''
  return [...text.matchAll(/^[ \t]*(?:-[ \t]+)?run:[ \t]*["']?([^\s"'#]+)/gm)].flatMap(([, name]) => name ?? [])
}

/** Reports a module in the root folder whose manifest has no name. */
function namelessModule(root: string, { manifests, manifestTexts }: SiteRoot): readonly PathProblem[] {
  const hasFolder = (folder: string) => statFile(join(root, folder))?.isDirectory() === true
  if (manifests.rootModule !== null || ROOTS.some(hasFolder) || !OWN_ROOTS.some(hasFolder)) return []
  const path = manifestsIn('').find((each) => manifestTexts.has(each))
  const message = 'it has no `machine_name`, so `public` and `private` do not belong to a module'
  return path === undefined || manifests.problems.some((problem) => problem.path === path) ? [] : [{ path, message }]
}

/** The extensions of templates in a folder without the structure of a site. */
const TEMPLATE_ENDINGS: readonly string[] = ['.liquid']

/**
 * Reads the templates in a folder that is not a site. Each is a partial whose name is its path without the extension. Never throws for
 * files that cannot be read. Links are followed only within the folder.
 */
export function discoverTemplates(root: string, endings: readonly string[] = TEMPLATE_ENDINGS): DiscoveredSite {
  const walk: FolderWalk = { root, paths: [], problems: [], isFull: false, outsideLinks: [] }
  walkRoot(walk, '')
  const files: SourceFile[] = []
  for (const path of walk.paths.sort(compare)) {
    const ending = endings.find((each) => path.endsWith(each))
    if (ending === undefined) continue
    try {
      const partial = { ...strayPartial(path.slice(0, -ending.length), ''), path }
      const info = statSync(join(root, path))
      const text = !info.isFile() || info.size > MAX_BYTES ? null : decode(readFileSync(join(root, path)))
      files.push(
        text === null ? { ...partial, unreadable: 'it is not UTF-8 text of at most 16 MB' } : { ...partial, text },
      )
    } catch (error) {
      walk.problems.push({ path, message: describeError(error) })
    }
  }
  const manifests = readManifests(new Map())
  const siteRoot = { roots: [''], manifests, manifestTexts: new Map<string, string>(), ownModule: null }
  const ignored =
    walk.outsideLinks?.map((path) => ({
      path,
      message: 'it is a symbolic link to a path outside of the folder',
      suggestion: null,
    })) ?? []
  return { files, assets: [], problems: walk.problems, ignored, siteRoot, testRuns: [] }
}

/** Reads the manifests of the site in the folder `root`. Missing and unreadable manifests are skipped. */
function readSiteRoot(root: string): SiteRoot {
  const modules = listNames(join(root, 'modules'))
  const moduleManifests = modules.map((module) => `modules/${module}/`).flatMap(manifestsIn)
  const paths = [...manifestsIn(''), ...LISTS, ...moduleManifests]
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
 * Reads a manifest; most of the possible paths do not exist. An unreadable manifest has no values, and each missing value is reported
 * where it is used.
 * @returns null if the file does not exist
 */
function readManifest(root: string, path: string): string | null {
  const fullPath = join(root, path)
  if (statFile(fullPath) === null || linkProblem(root, path) !== null) return null
  const bytes = readBytes(fullPath, MAX_MANIFEST_BYTES)
  return bytes === null ? null : (decode(bytes) ?? '')
}

/**
 * Returns whether the file on disk still equals the version in `site`. A watcher uses it to detect files that it read while they were
 * written.
 */
export function isAsRead(root: string, path: string, { files, assets, siteRoot }: DiscoveredSite): boolean {
  if (isManifest(path) || LISTS.includes(path))
    return readManifest(root, path) === (siteRoot.manifestTexts.get(path) ?? null)
  const knownFile = files.find((file) => file.path === path)
  const current = readSource(root, path, siteRoot)
  if (current.kind !== 'file') return knownFile === undefined
  const asset = assets.find((each) => each.path === path)
  return (
    current.file.text === knownFile?.text &&
    current.file.unreadable === knownFile.unreadable &&
    current.asset?.version === asset?.version
  )
}

/**
 * Reads one path of the site in `root`, with the same result as `discover`. Used by the watcher after a change.
 * @param siteRoot the site root that `discover` found
 */
export function readSource(root: string, path: string, siteRoot: SiteRoot): SourceReadResult {
  const message = linkProblem(root, path)
  if (message === null) return readContained(root, path, siteRoot)
  return classify(path, siteRoot.ownModule) === null || isHidden(path) ? { kind: 'none' } : { kind: 'problem', message }
}

/** Like `readSource`, for a path that does not lead out of the site. */
function readContained(root: string, path: string, siteRoot: SiteRoot): SourceReadResult {
  const classified = classify(path, siteRoot.ownModule)
  if (classified === null || isHidden(path)) return { kind: 'none' }
  const full = join(root, path)
  if ('reason' in classified) {
    const info = statFile(full)
    if (info === null || info.isDirectory()) return { kind: 'none' }
    return { kind: 'ignored', message: classified.reason, path: classified.path, suggestion: classified.suggestion }
  }
  try {
    const info = statSync(full)
    if (info.isDirectory()) return { kind: 'none' }
    // Reading a pipe or a device would never end.
    if (!info.isFile()) return { kind: 'problem', message: 'it is not a regular file' }
    const values = siteRoot.manifests.valuesFor(path)
    if (classified.kind === 'asset') {
      const asset = { path, size: info.size, version: fileVersion(info) }
      // Other assets are served as bytes unless they contain template values.
      const hasText = (values !== null || path.endsWith('.css')) && info.size <= MAX_BYTES
      const text = hasText ? decode(readFileSync(full)) : null
      const filledText = text === null || values === null ? null : fillTemplateValues(text, values, MAX_BYTES)
      const textFields = filledText ?? { text: path.endsWith('.css') ? (text ?? '') : '' }
      return { kind: 'file', file: { path, ...classified, ...textFields }, asset }
    }
    const unreadable = (reason: string): SourceReadResult => {
      return { kind: 'file', file: { path, ...classified, text: '', unreadable: reason }, asset: null }
    }
    if (info.size > MAX_BYTES) return unreadable('it is larger than 16 MB')
    const text = decode(readFileSync(full))
    if (text === null && isLoosePartial(path, classified))
      return { kind: 'ignored', message: 'it is not UTF-8 text, so it cannot be a partial', path, suggestion: null }
    if (text === null) return unreadable('it is not UTF-8 text')
    const filledText = values === null ? null : fillTemplateValues(text, values, MAX_BYTES)
    return { kind: 'file', file: { path, ...classified, text, ...filledText }, asset: null }
  } catch (error) {
    if (error instanceof RangeError)
      return { kind: 'problem', message: 'with its template values it is larger than 16 MB' }
    if (errorCode(error) !== 'ENOENT') return { kind: 'problem', message: describeError(error) }
    return isLink(full) ? { kind: 'problem', message: 'it is a broken symbolic link' } : { kind: 'none' }
  }
}

/**
 * Reads a file of a site that is stored under another path. The result is the same as that of `discover` after moving it there, except for
 * template values.
 * @param storedPath the path of the stored file on disk
 * @returns null if it is not a text file of a site, or cannot be read
 */
export function readStoredFile(path: string, storedPath: string): SourceFile | null {
  const classified = classify(path)
  if (classified === null || 'reason' in classified || classified.kind === 'asset' || isHidden(path)) return null
  const bytes = readBytes(storedPath, MAX_BYTES)
  const text = bytes === null ? null : decode(bytes)
  return text === null ? null : { path, ...classified, text }
}

/** Returns the file with a text other than the one on disk, with its template values filled in. */
export function withText(
  { writtenText: _, unreadable: __, ...file }: SourceFile,
  text: string,
  siteRoot: SiteRoot,
): SourceFile {
  const values = siteRoot.manifests.valuesFor(file.path)
  const filled = values === null ? null : fillTemplateValues(text, values, MAX_BYTES)
  return { ...file, text, ...filled }
}

/** Returns the version of a file. The inode number changes if a file is replaced by another one with the same times. */
function fileVersion({ mtimeMs, ctimeMs, size, ino }: Stats): string {
  return [mtimeMs, ctimeMs, size, ino].join(' ')
}

/**
 * Converts a text to a file of the site, as if it had been read from disk.
 * @returns null if the path does not belong to a site
 * @throws RangeError if the text is too long with its template values
 */
export function sourceOf(path: string, text: string, { ownModule, manifests }: SiteRoot): SourceFile | null {
  const classified = classify(path, ownModule)
  if (classified === null || 'reason' in classified || isHidden(path)) return null
  const values = manifests.valuesFor(path)
  const filled = values === null ? null : fillTemplateValues(text, values, MAX_BYTES)
  const hasText = classified.kind !== 'asset' || filled !== null || path.endsWith('.css')
  return { path, ...classified, text: hasText ? text : '', ...filled }
}

interface FolderWalk {
  readonly root: string
  readonly paths: string[]
  readonly problems: PathProblem[]
  isFull: boolean
  /** Links out of the folder, which are not followed. Without this list, such links are followed. */
  readonly outsideLinks?: string[]
}

function walkRoot(walk: FolderWalk, folder: string): void {
  try {
    const message = folder === '' ? null : linkProblem(walk.root, folder)
    if (message !== null) walk.problems.push({ path: folder, message })
    else walkFolder(walk, folder, [realpathSync(join(walk.root, folder))])
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') walk.problems.push({ path: folder, message: describeError(error) })
  }
}

/** Collects the files of a folder. `chain`: the real paths of this folder and its parents, to detect circular links. */
function walkFolder(walk: FolderWalk, folder: string, chain: readonly string[]): void {
  for (const entry of listEntries(walk, folder)) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (isSkipped(entry.name)) continue
    const kind = entry.isSymbolicLink() ? linkTarget(walk, path) : entry.isDirectory() ? 'folder' : 'file'
    if (kind === 'file') {
      if (walk.paths.length >= MAX_FILES) {
        if (!walk.isFull)
          walk.problems.push({ path: folder, message: 'the site has too many files, so the rest is not read' })
        walk.isFull = true
        return
      }
      walk.paths.push(path)
    }
    if (kind !== 'folder') continue
    const real = entry.isSymbolicLink()
      ? realpathSync(join(walk.root, path))
      : join(chain.at(-1) ?? walk.root, entry.name)
    if (chain.includes(real))
      walk.problems.push({ path, message: 'it is a symbolic link to a folder that contains it' })
    else if (chain.length >= MAX_DEPTH) walk.problems.push({ path, message: 'its folders are nested too deeply' })
    else walkFolder(walk, path, [...chain, real])
  }
}

function listEntries(walk: FolderWalk, folder: string): readonly Dirent[] {
  try {
    return readdirSync(join(walk.root, folder), { withFileTypes: true })
  } catch (error) {
    // A root that is a file, such as a stray `app`, is not a site folder.
    if (errorCode(error) !== 'ENOTDIR') walk.problems.push({ path: folder, message: describeError(error) })
    return []
  }
}

function linkTarget(walk: FolderWalk, path: string): 'file' | 'folder' | 'none' {
  try {
    if (walk.outsideLinks !== undefined && !isWithin(walk.root, path)) {
      walk.outsideLinks.push(path)
      return 'none'
    }
    const message = linkProblem(walk.root, path)
    if (message !== null) {
      walk.problems.push({ path, message })
      return 'none'
    }
    return statSync(join(walk.root, path)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    // A broken link to a file is reported when it is read. A link to itself is neither a file nor a folder.
    if (errorCode(error) === 'ENOENT') return 'file'
    walk.problems.push({ path, message: describeError(error) })
    return 'none'
  }
}

/** Returns whether a link leads to a path in the folder. @throws Error of the file system */
function isWithin(root: string, path: string): boolean {
  return realpathSync(join(root, path)).startsWith(`${realpathSync(root)}${sep}`)
}

/** Sites serve `.well-known`. Other names with a dot belong to tools. */
function isSkipped(name: string): boolean {
  return name === 'node_modules' || (name.startsWith('.') && name !== '.well-known')
}

function isHidden(path: string): boolean {
  return path !== LINT_CONFIG && path.split('/').some(isSkipped)
}

/** Compares two paths in the order in which the files of a site are processed. */
export function byDeployOrder(a: string, b: string): number {
  return rank(a) - rank(b) || compare(a, b)
}

function rank(path: string): number {
  return path.startsWith('app/') || path.startsWith('marketplace_builder/') || !path.includes('/') ? 0 : 1
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns whether the file is a partial only because of its folder, such as an image next to a partial. */
function isLoosePartial(path: string, { kind }: ClassifiedFile): boolean {
  return (kind === 'partial' || kind === 'layout') && !path.endsWith('.liquid')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8 without a byte order mark; null if the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** Returns the file status; null if the file does not exist or cannot be reached. */
function statFile(full: string): Stats | null {
  try {
    return statSync(full, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** Returns the content of an ordinary file of at most `largest` bytes; otherwise null. */
function readBytes(full: string, maxBytes: number): Buffer | null {
  const info = statFile(full)
  if (info === null || !info.isFile() || info.size > maxBytes) return null
  try {
    return readFileSync(full)
  } catch {
    // The file may have been deleted since it was checked.
    return null
  }
}

function listNames(full: string): readonly string[] {
  try {
    return readdirSync(full)
  } catch {
    // Most sites have no modules. Unreadable folders are reported with their files.
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

function describeError(error: unknown): string {
  const code = errorCode(error)
  return ERRORS[code ?? ''] ?? `the system reports ${code ?? String(error)}`
}

const ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission to read it',
  EPERM: 'there is no permission to read it',
  ELOOP: 'it is a symbolic link that leads back to itself',
  ENAMETOOLONG: 'its path is too long',
  EMFILE: 'too many files are open',
  EIO: 'the disk could not be read',
  EISDIR: 'it is a folder',
}
