/**
 * The served site, as the compiler keeps it in memory. An edit of single files replaces modules of it, and needs no separate release. The
 * site is opened on first use, and again after any failure.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { waitForServers } from '../../../operate/activation/activate.ts'
import { removeLaterEdits, type EditedFile, storeEdit } from '../../../operate/releases/edits.ts'
import { nextPointer, type Pointer, type Releases } from '../../../operate/releases/model.ts'
import { StartError } from '../../../core/start-error.ts'
import type { TreeFile, UnpackListener } from './archive.ts'
import type { BlobFolder } from './blobs.ts'
import type { Compiled, SiteCompiler } from './compiler.ts'
import { isAsset, isConfig } from './paths.ts'
import { type Tree, treeOf } from './site.ts'

export interface WarmSiteContext {
  readonly sql: Sql
  readonly releases: Releases
  readonly blobs: BlobFolder
  readonly compiler: SiteCompiler
}

interface OpenSite {
  /** The pointer of the open site. */
  readonly pointer: Pointer
  readonly tree: Tree
  /** Folder of the files, which the compiler reads. */
  readonly source: string
}

export class WarmSite {
  readonly #parts: WarmSiteContext
  /** Folder for the files of open sites. */
  readonly #folder: string
  #open: OpenSite | null = null
  /** Files that were restored after a refused edit. */
  readonly #back = new Set<string>()
  #count = 0

  constructor(parts: WarmSiteContext, folder: string) {
    this.#parts = parts
    this.#folder = folder
  }

  /** Returns the files of the site of a pointer. */
  async tree(pointer: Pointer | null): Promise<Tree> {
    if (pointer === null) return new Map()
    return this.#open !== null && isSame(this.#open.pointer, pointer)
      ? this.#open.tree
      : treeOf(this.#parts.sql, pointer)
  }

  /** Returns whether a folder is the one of the open site. */
  has(source: string): boolean {
    return this.#open?.source === source
  }

  /** Creates a folder for the files of a whole site. */
  async #createFolder(): Promise<string> {
    const source = join(this.#folder, String(++this.#count))
    await rm(source, { recursive: true, force: true })
    await mkdir(join(source, 'app'), { recursive: true })
    return source
  }

  /**
   * Compiles the site with the changed files. Starts from the open site if that is the served one.
   * @param out new folder for the build; null to only check the site
   * @param sent files that were sent one by one; null for a whole site
   * @throws Error when the compiler ends
   */
  async build(
    pointer: Pointer | null,
    newTree: Tree,
    out: string | null,
    sent: readonly string[] | null,
  ): Promise<{ readonly compiledSite: Compiled; readonly source: string }> {
    const { sql, blobs, compiler } = this.#parts
    const openSite = this.#open
    if (openSite === null || pointer === null || !isSame(openSite.pointer, pointer)) {
      const source = await this.#createFolder()
      await blobs.write(sql, newTree, source)
      return { compiledSite: await compiler.build(source, out, sent, null), source }
    }
    const { source } = openSite
    const paths = changedPaths(openSite.tree, newTree)
    await this.#write(openSite, paths, newTree)
    const compiledSite = await compiler.build(source, out, sent, this.#changedWith(paths))
    if (out === null || !compiledSite.built) await this.#putBack(openSite, paths)
    return { compiledSite, source }
  }

  /**
   * Returns a listener that makes the compiler read files of a site while the others are still unpacked.
   * @param oldTree files of the served site
   */
  readAhead(oldTree: Tree): UnpackListener {
    const { blobs, compiler } = this.#parts
    let config: readonly (readonly [string, TreeFile])[] = []
    return {
      // Configuration files come first, because they determine how templates are compiled.
      isFirst: isConfig,
      unpacked(files) {
        const some = [...files]
        config = [...config, ...some.filter(([path]) => isConfig(path))]
        const changed = some.filter(([path, { digest }]) => !isAsset(path) && oldTree.get(path)?.digest !== digest)
        compiler.readAhead([...config, ...changed].map(([path, { digest }]) => ({ path, place: blobs.path(digest) })))
      },
    }
  }

  /** Returns the errors and warnings of a site that `build` has compiled; none when the compiler has ended meanwhile. */
  findingsOf(compiledSite: Compiled): Promise<Pick<Compiled, 'errors' | 'warnings'>> {
    return this.#parts.compiler.findingsOf(compiledSite)
  }

  /** Called when a site that `build` has compiled was activated. */
  async setServed(openSite: OpenSite): Promise<void> {
    const before = this.#open
    await removeLaterEdits(this.#parts.sql, openSite.pointer)
    this.#open = openSite
    if (before !== null && before.source !== openSite.source) await rm(before.source, { recursive: true, force: true })
  }

  /** Closes the open site, because it is not the served one. */
  async reset(source: string | null = null): Promise<void> {
    const before = this.#open
    this.#open = null
    this.#back.clear()
    for (const each of [before?.source ?? null, source])
      if (each !== null) await rm(each, { recursive: true, force: true })
  }

  /**
   * Activates changed files as an edit of the served release.
   * @param newTree all files of the site after the edit
   * @returns null when the served site cannot be edited
   * @throws StartError when a server cannot serve the edit; the previous state is served then
   */
  async edit(pointer: Pointer, newTree: Tree): Promise<Compiled | null> {
    try {
      const compiledSite = await this.#edit(pointer, newTree)
      if (compiledSite?.failure !== NO_OPEN_SITE) return compiledSite
      // The compiler was restarted, and has no open site.
      await this.reset()
      return await this.#edit(pointer, newTree)
    } catch (error) {
      await this.reset()
      throw error
    }
  }

  async #edit(pointer: Pointer, newTree: Tree): Promise<Compiled | null> {
    const openSite = await this.#openSite(pointer)
    if (openSite === null) return null
    const paths = changedPaths(openSite.tree, newTree)
    await this.#write(openSite, paths, newTree)
    const changed = this.#changedWith(paths)
    const compiledSite = await this.#parts.compiler.edit(paths, changed.slice(paths.length))
    if (compiledSite.built) {
      const next = await this.#activateEdit(pointer, paths, newTree, compiledSite)
      this.#open = { ...openSite, pointer: next, tree: newTree }
    } else await this.#putBack(openSite, paths)
    return compiledSite
  }

  /** Returns the paths whose files the compiler has not read yet: the given ones, followed by those that were restored. */
  #changedWith(paths: readonly string[]): readonly string[] {
    const back = [...this.#back].filter((path) => !paths.includes(path))
    this.#back.clear()
    return [...paths, ...back]
  }

  /** Restores files after a refused edit. */
  async #putBack(openSite: OpenSite, paths: readonly string[]): Promise<void> {
    await this.#write(openSite, paths, openSite.tree)
    for (const path of paths) this.#back.add(path)
  }

  /** Returns the site of a pointer; opens it if needed. Returns null when it cannot be edited. */
  async #openSite(pointer: Pointer): Promise<OpenSite | null> {
    if (this.#open !== null && isSame(this.#open.pointer, pointer)) return this.#open
    const { sql, blobs, compiler } = this.#parts
    await this.reset()
    const tree = await treeOf(sql, pointer)
    // A release that was not deployed has no known files.
    if (tree.size === 0) return null
    const source = await this.#createFolder()
    await blobs.write(sql, tree, source)
    const { built } = await compiler.open(source)
    if (!built) {
      await this.reset(source)
      return null
    }
    await this.setServed({ pointer, tree, source })
    return this.#open
  }

  async #write({ source }: OpenSite, paths: readonly string[], from: Tree): Promise<void> {
    const { sql, blobs } = this.#parts
    for (const path of paths) await rm(join(source, path), { force: true })
    const files = paths.flatMap((path): [string, TreeFile][] => {
      const file = from.get(path)
      return file === undefined ? [] : [[path, file]]
    })
    await blobs.write(sql, new Map(files), source)
  }

  /** Stores an edit, and makes every server follow it. @throws StartError */
  async #activateEdit(
    previousPointer: Pointer,
    paths: readonly string[],
    newTree: Tree,
    { changed, removed }: Compiled,
  ): Promise<Pointer> {
    const { sql, releases } = this.#parts
    const { release } = previousPointer
    const files = paths.map((path): EditedFile => ({ path, ...(newTree.get(path) ?? REMOVED_FILE) }))
    const revision = previousPointer.generation + 1
    const modules = [
      ...changed,
      ...removed.map((path) => ({ path, digest: null, script: null, file: null, source: null })),
    ]
    await storeEdit(sql, { release, revision, files, modules })
    const named = await releases.replace(previousPointer, nextPointer(previousPointer, { release, revision }))
    if (named === null) throw new StartError('Another release was activated meanwhile: try again.')
    const { pointer: now } = await waitForServers(this.#parts, named)
    if (now.release === release && now.revision === revision) return now
    const { refused } = now
    const reason =
      refused?.revision === revision ? `${refused.reason} (${refused.server})` : 'another release was activated'
    throw new StartError(`The edit cannot be served: ${reason}\nThe site is served as before.`)
  }
}

/** The compiler's failure when it has no open site. */
const NO_OPEN_SITE = 'no site is open'
const REMOVED_FILE = { digest: null, size: null }

function isSame(one: Pointer, other: Pointer): boolean {
  return one.release === other.release && one.revision === other.revision && one.place === other.place
}

/** Returns the paths of files that differ. */
export function changedPaths(oldTree: Tree, newTree: Tree): readonly string[] {
  const changed = [...newTree]
    .filter(([path, { digest }]) => oldTree.get(path)?.digest !== digest)
    .map(([path]) => path)
  return [...changed, ...[...oldTree.keys()].filter((path) => !newTree.has(path))]
}
