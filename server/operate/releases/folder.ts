/**
 * Releases in a folder: a folder for each build, named by its id; the file `current`, which names the active release; and a file with the
 * asset names of each release. Every step is one rename, so a killed process leaves either the old state or the new one.
 */
import { randomBytes } from 'node:crypto'
import { statSync, watch as watchFolder } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCodeOf } from '../../core/error-code.ts'
import { fileDigest, readManifest, MANIFEST, createBuildFolder } from '../builds/build-folder.ts'
import { formatArchiveName, unpackError } from '../builds/unpack.ts'
import type { BuiltSite } from '../../web/site/load.ts'
import { removeLeftovers } from '../../core/leftovers.ts'
import { StartError } from '../../core/start-error.ts'
import { findBuild, releaseDamage, writeBuild } from './contents.ts'
import { type Pointer, pointerSchema, type Release, releaseId, type Releases } from './model.ts'

const POINTER_FILE = 'current'
/** Milliseconds after which an unfinished folder counts as abandoned. */
const MAX_UNFINISHED_AGE = 24 * 3600 * 1000

/** The releases in a folder. */
export class ReleaseFolder implements Releases {
  readonly folder: string
  readonly place: string
  readonly checkInterval = 1_000

  constructor(folder: string) {
    this.folder = folder
    this.place = `'${folder}'`
  }

  async current(): Promise<Pointer | null> {
    const text = await readText(join(this.folder, POINTER_FILE))
    if (text === null) return null
    const read = pointerSchema.safeParse(parseJson(text))
    if (read.success) return read.data
    throw new StartError(
      `'${join(this.folder, POINTER_FILE)}' is damaged: remove it, and activate a release with \`ingot release activate\`.`,
    )
  }

  async replace(previousPointer: Pointer | null, next: Pointer): Promise<Pointer | null> {
    const now = await this.current()
    if (now?.generation !== previousPointer?.generation) return null
    await mkdir(this.folder, { recursive: true })
    await replaceFile(join(this.folder, POINTER_FILE), JSON.stringify(next))
    return next
  }

  async push(given: string, isFresh = false): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const moved = isFresh ? await this.#moveBuild(given) : null
    if (moved !== null) return moved
    const source = findBuild(given)
    let isNew = true
    try {
      const place = await createBuildFolder(this.folder, async (unfinished) => {
        const id = await writeBuild(source, unfinished)
        const target = join(this.folder, id)
        isNew = statSync(target, { throwIfNoEntry: false }) === undefined
        // A stored build that was damaged is replaced.
        if (!isNew && (await this.damage(id)) !== null) await this.#removeBuild(id)
        return id
      })
      return { id: basename(place), isNew }
    } catch (error) {
      throw unpackError(error, formatArchiveName(given), this.folder)
    }
  }

  /** Moves a build that was made just now into the folder; returns null when it is on another disk. */
  async #moveBuild(given: string): Promise<{ readonly id: string; readonly isNew: boolean } | null> {
    const id = await fileDigest(join(given, MANIFEST))
    const target = join(this.folder, id)
    await mkdir(this.folder, { recursive: true })
    if (statSync(target, { throwIfNoEntry: false }) !== undefined) {
      if ((await this.damage(id)) === null) return { id, isNew: false }
      await this.#removeBuild(id)
    }
    try {
      await rename(given, target)
      return { id, isNew: true }
    } catch (error) {
      if (errorCodeOf(error) !== 'EXDEV') throw unpackError(error, formatArchiveName(given), this.folder)
      return null
    }
  }

  async list(): Promise<readonly Release[]> {
    const names = await readdir(this.folder).catch(() => [])
    const all = await Promise.all(
      names.filter((name) => releaseId.safeParse(name).success).map((id) => this.#release(id)),
    )
    return all.filter((release) => release !== null).toSorted((a, b) => b.pushedAt.getTime() - a.pushedAt.getTime())
  }

  async #release(id: string): Promise<Release | null> {
    const [files, info] = await Promise.all([
      readManifest(join(this.folder, id)),
      // A folder without a manifest is not a release.
      stat(join(this.folder, id, MANIFEST)).catch(() => null),
    ])
    if (files === null || info === null) return null
    const sizes = Object.values(files).map(({ size }) => size)
    return { id, pushedAt: info.mtime, files: sizes.length, bytes: sizes.reduce((total, size) => total + size, 0) }
  }

  async openBuild(id: string, root: string): Promise<BuiltSite> {
    return { root, folder: join(this.folder, id), releases: this.folder }
  }

  async damage(id: string): Promise<string | null> {
    return releaseDamage(id, join(this.folder, id))
  }

  async nameAssets(id: string, assets: object): Promise<void> {
    await writeAssetNames(this.folder, id, assets)
  }

  async remove(id: string): Promise<void> {
    await this.#removeBuild(id)
    await rm(assetNames(this.folder, id), { force: true })
  }

  async #removeBuild(id: string): Promise<void> {
    const removed = join(this.folder, `.gone-${randomBytes(4).toString('hex')}`)
    await rename(join(this.folder, id), removed)
    await rm(removed, { recursive: true, force: true })
  }

  /** Removes leftovers of killed processes. */
  async cleanUp(): Promise<void> {
    await removeLeftovers(this.folder, '.')
    for (const name of await readdir(this.folder).catch(() => [])) {
      if (!name.startsWith('.')) continue
      const path = join(this.folder, name)
      // The process that created the folder may have removed it meanwhile.
      const info = await stat(path).catch(() => null)
      if (info !== null && Date.now() - info.mtimeMs > MAX_UNFINISHED_AGE)
        await rm(path, { recursive: true, force: true })
    }
  }

  /** Watches for changes from this machine. Changes from other machines are found by regular checks. */
  async watch(changed: () => void): Promise<() => Promise<void>> {
    await mkdir(this.folder, { recursive: true })
    const watcher = watchFolder(this.folder, { persistent: false }, (_event, name) => {
      if (name === null || name === POINTER_FILE) changed()
    })
    // After an error, regular checks still find changes.
    watcher.on('error', () => watcher.close())
    return async () => watcher.close()
  }
}

/** Returns the path of the file with a release's asset names. */
export function assetNames(folder: string, id: string): string {
  return join(folder, `${id}.json`)
}

/** Writes the asset names, in the format that `KeptAssets` reads. */
export async function writeAssetNames(folder: string, id: string, assets: object): Promise<void> {
  await replaceFile(assetNames(folder, id), JSON.stringify({ assets }))
}

/** Replaces a file atomically. */
async function replaceFile(path: string, text: string): Promise<void> {
  const next = join(dirname(path), `.${basename(path)}-${process.pid}-${randomBytes(4).toString('hex')}`)
  const file = await open(next, 'w', 0o644)
  try {
    await file.writeFile(`${text}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}

/** Reads a file; returns null when it is missing. An unreadable file is an error, because otherwise another build would be served. */
async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT' || errorCodeOf(error) === 'ENOTDIR') return null
    throw error
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
