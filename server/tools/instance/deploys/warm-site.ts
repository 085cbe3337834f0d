/**
 * The site that is served, as the compiler has it at hand: an edit of single files replaces modules of it, and needs no release of its own.
 * It is opened when it is first needed, and again after whatever did not go as it should.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { waitForServers } from '../../../operate/activation/activate.ts'
import { dropUnnamedEdits, type EditedFile, keepEdit } from '../../../operate/releases/edits.ts'
import { nextPointer, type Pointer, type Releases } from '../../../operate/releases/model.ts'
import { StartError } from '../../../core/start-error.ts'
import type { TreeFile, UnpackListener } from './archive.ts'
import type { BlobFolder } from './blobs.ts'
import type { Compiled, SiteCompiler } from './compiler.ts'
import { isAsset, isConfig } from './paths.ts'
import { type Tree, treeOf } from './site.ts'

export interface WarmSiteParts {
  readonly sql: Sql
  readonly releases: Releases
  readonly blobs: BlobFolder
  readonly compiler: SiteCompiler
}

interface Open {
  /** The pointer that names what is at hand. */
  readonly pointer: Pointer
  readonly tree: Tree
  /** Folder of the files, which the compiler reads. */
  readonly source: string
}

export class WarmSite {
  readonly #parts: WarmSiteParts
  /** Folder in which it keeps its files. */
  readonly #folder: string
  #open: Open | null = null
  /** Files that an edit has changed which was refused, as they were. */
  readonly #back = new Set<string>()
  #count = 0

  constructor(parts: WarmSiteParts, folder: string) {
    this.#parts = parts
    this.#folder = folder
  }

  /** The files of the site as a pointer names it. */
  async tree(pointer: Pointer | null): Promise<Tree> {
    if (pointer === null) return new Map()
    return this.#open !== null && isSame(this.#open.pointer, pointer)
      ? this.#open.tree
      : treeOf(this.#parts.sql, pointer)
  }

  /** Whether a folder is that of the site that is served. */
  has(source: string): boolean {
    return this.#open?.source === source
  }

  /** A folder for the files of a site as a whole. */
  async #place(): Promise<string> {
    const source = join(this.#folder, String(++this.#count))
    await rm(source, { recursive: true, force: true })
    await mkdir(join(source, 'app'), { recursive: true })
    return source
  }

  /**
   * Compiles the site as it is to be, from what is at hand where that is the site that is served.
   * @param out folder for the build, which is not there yet; null where none is wanted
   * @param sent files that were sent one by one; null for a site as a whole
   * @throws Error when the compiler ends
   */
  async build(
    pointer: Pointer | null,
    after: Tree,
    out: string | null,
    sent: readonly string[] | null,
  ): Promise<{ readonly compiled: Compiled; readonly source: string }> {
    const { sql, blobs, compiler } = this.#parts
    const open = this.#open
    if (open === null || pointer === null || !isSame(open.pointer, pointer)) {
      const source = await this.#place()
      await blobs.write(sql, after, source)
      return { compiled: await compiler.build(source, out, sent, null), source }
    }
    const { source } = open
    const paths = changedPaths(open.tree, after)
    await this.#write(open, paths, after)
    const compiled = await compiler.build(source, out, sent, this.#changedWith(paths))
    if (out === null || !compiled.built) await this.#putBack(open, paths)
    return { compiled, source }
  }

  /**
   * Has files of a site that is unpacked read by the compiler while others still come.
   * @param before the files of the site that is served
   */
  readAhead(before: Tree): UnpackListener {
    const { blobs, compiler } = this.#parts
    let config: readonly (readonly [string, TreeFile])[] = []
    return {
      // How a template is read depends on it.
      isFirst: isConfig,
      unpacked(files) {
        const some = [...files]
        config = [...config, ...some.filter(([path]) => isConfig(path))]
        const changed = some.filter(([path, { digest }]) => !isAsset(path) && before.get(path)?.digest !== digest)
        compiler.readAhead([...config, ...changed].map(([path, { digest }]) => ({ path, place: blobs.path(digest) })))
      },
    }
  }

  /** The errors and warnings of a site that `build` has compiled; none where the compiler has ended since. */
  findingsOf(compiled: Compiled): Promise<Pick<Compiled, 'errors' | 'warnings'>> {
    return this.#parts.compiler.findingsOf(compiled)
  }

  /** Another site is served than before, which `build` has compiled. */
  async served(open: Open): Promise<void> {
    const before = this.#open
    await dropUnnamedEdits(this.#parts.sql, open.pointer)
    this.#open = open
    if (before !== null && before.source !== open.source) await rm(before.source, { recursive: true, force: true })
  }

  /** What the compiler has at hand is not the site that is served. */
  async lost(source: string | null = null): Promise<void> {
    const before = this.#open
    this.#open = null
    this.#back.clear()
    for (const each of [before?.source ?? null, source])
      if (each !== null) await rm(each, { recursive: true, force: true })
  }

  /**
   * Has files served that are other ones, and nothing else of the site.
   * @param after the files of the site with them
   * @returns null where the site that is served cannot be edited
   * @throws StartError where a server cannot serve it; the one before is served
   */
  async edit(pointer: Pointer, after: Tree): Promise<Compiled | null> {
    try {
      const compiled = await this.#edit(pointer, after)
      if (compiled?.failure !== NOTHING_OPEN) return compiled
      // The compiler has ended since, and another one knows nothing.
      await this.lost()
      return await this.#edit(pointer, after)
    } catch (error) {
      await this.lost()
      throw error
    }
  }

  async #edit(pointer: Pointer, after: Tree): Promise<Compiled | null> {
    const open = await this.#at(pointer)
    if (open === null) return null
    const paths = changedPaths(open.tree, after)
    await this.#write(open, paths, after)
    const changed = this.#changedWith(paths)
    const compiled = await this.#parts.compiler.edit(paths, changed.slice(paths.length))
    if (compiled.built) {
      const next = await this.#name(pointer, paths, after, compiled)
      this.#open = { ...open, pointer: next, tree: after }
    } else await this.#putBack(open, paths)
    return compiled
  }

  /** Paths that the compiler has not seen as they are now: these, and behind them those that were put back. */
  #changedWith(paths: readonly string[]): readonly string[] {
    const back = [...this.#back].filter((path) => !paths.includes(path))
    this.#back.clear()
    return [...paths, ...back]
  }

  /** What was tried is not to be: the files are again what is served. */
  async #putBack(open: Open, paths: readonly string[]): Promise<void> {
    await this.#write(open, paths, open.tree)
    for (const path of paths) this.#back.add(path)
  }

  /** What the pointer names, opened where it is not at hand. */
  async #at(pointer: Pointer): Promise<Open | null> {
    if (this.#open !== null && isSame(this.#open.pointer, pointer)) return this.#open
    const { sql, blobs, compiler } = this.#parts
    await this.lost()
    const tree = await treeOf(sql, pointer)
    // A release that was made elsewhere is not made of modules.
    if (tree.size === 0) return null
    const source = await this.#place()
    await blobs.write(sql, tree, source)
    const { built } = await compiler.open(source)
    if (!built) {
      await this.lost(source)
      return null
    }
    await this.served({ pointer, tree, source })
    return this.#open
  }

  async #write({ source }: Open, paths: readonly string[], from: Tree): Promise<void> {
    const { sql, blobs } = this.#parts
    for (const path of paths) await rm(join(source, path), { force: true })
    const files = paths.flatMap((path): [string, TreeFile][] => {
      const file = from.get(path)
      return file === undefined ? [] : [[path, file]]
    })
    await blobs.write(sql, new Map(files), source)
  }

  /** Keeps what an edit has changed, and has every server follow. @throws StartError */
  async #name(
    before: Pointer,
    paths: readonly string[],
    after: Tree,
    { changed, removed }: Compiled,
  ): Promise<Pointer> {
    const { sql, releases } = this.#parts
    const { release } = before
    const files = paths.map((path): EditedFile => ({ path, ...(after.get(path) ?? GONE) }))
    const revision = before.generation + 1
    const modules = [
      ...changed,
      ...removed.map((path) => ({ path, digest: null, script: null, file: null, source: null })),
    ]
    await keepEdit(sql, { release, revision, files, modules })
    const named = await releases.replace(before, nextPointer(before, { release, revision }))
    if (named === null) throw new StartError('Another release was named as the current one meanwhile.')
    const { now } = await waitForServers(this.#parts, named)
    if (now.release === release && now.revision === revision) return now
    const { refused } = now
    const why = refused?.revision === revision ? `${refused.reason} (${refused.server})` : 'another one was named'
    throw new StartError(`The edit cannot be served: ${why}\nThe site is served as before.`)
  }
}

/** How the compiler says that it has nothing at hand. */
const NOTHING_OPEN = 'no site is open'
const GONE = { digest: null, size: null }

function isSame(one: Pointer, other: Pointer): boolean {
  return one.release === other.release && one.revision === other.revision && one.place === other.place
}

/** The files that differ. */
export function changedPaths(before: Tree, after: Tree): readonly string[] {
  const changed = [...after].filter(([path, { digest }]) => before.get(path)?.digest !== digest).map(([path]) => path)
  return [...changed, ...[...before.keys()].filter((path) => !after.has(path))]
}
