/**
 * Releases in a folder: each build in a folder named by its id; the file `current`, which names the one that is served and is replaced
 * as a whole; and a file of the names of each release's assets. Every step is one rename, so whoever is killed leaves the old state or
 * the new one.
 */
import { randomBytes } from 'node:crypto'
import { statSync, watch as watchFolder } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../core/error-code.ts'
import { fileDigest, filesIn, MANIFEST, placeWhole } from '../builds/place.ts'
import { nameOf, unpackError } from '../builds/unpack.ts'
import type { BuiltSite } from '../../web/site/load.ts'
import { removeLeft } from '../../core/leftovers.ts'
import { StartError } from '../../core/start-error.ts'
import { buildIn, damageOf, takeBuild } from './contents.ts'
import { type Pointer, pointerSchema, type Release, releaseId, type Releases } from './model.ts'

const CURRENT = 'current'
/** Milliseconds after which what was not finished is nobody's any more. */
const ABANDONED = 24 * 3600 * 1000

/** The releases in a folder. */
export class ReleaseFolder implements Releases {
  readonly folder: string
  readonly place: string
  readonly lookEvery = 1_000

  constructor(folder: string) {
    this.folder = folder
    this.place = `'${folder}'`
  }

  async current(): Promise<Pointer | null> {
    const text = await readText(join(this.folder, CURRENT))
    if (text === null) return null
    const read = pointerSchema.safeParse(parsed(text))
    if (read.success) return read.data
    throw new StartError(
      `'${join(this.folder, CURRENT)}' is damaged: remove it, and activate a release with \`ingot release activate\`.`,
    )
  }

  async replace(before: Pointer | null, next: Pointer): Promise<Pointer | null> {
    const now = await this.current()
    if (now?.generation !== before?.generation) return null
    await mkdir(this.folder, { recursive: true })
    await replaceFile(join(this.folder, CURRENT), JSON.stringify(next))
    return next
  }

  async push(given: string, isFresh = false): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const moved = isFresh ? await this.#moved(given) : null
    if (moved !== null) return moved
    const source = buildIn(given)
    let isNew = true
    try {
      const place = await placeWhole(this.folder, async (unfinished) => {
        const id = await takeBuild(source, unfinished)
        const there = join(this.folder, id)
        isNew = statSync(there, { throwIfNoEntry: false }) === undefined
        // One that has lost bytes since gives way to the one that is whole.
        if (!isNew && (await this.damage(id)) !== null) await this.#takeAway(id)
        return id
      })
      return { id: basename(place), isNew }
    } catch (error) {
      throw unpackError(error, nameOf(given), this.folder)
    }
  }

  /** Moves a build that was made just now; null where it stands on another disk. */
  async #moved(given: string): Promise<{ readonly id: string; readonly isNew: boolean } | null> {
    const id = await fileDigest(join(given, MANIFEST))
    const there = join(this.folder, id)
    await mkdir(this.folder, { recursive: true })
    if (statSync(there, { throwIfNoEntry: false }) !== undefined) {
      if ((await this.damage(id)) === null) return { id, isNew: false }
      await this.#takeAway(id)
    }
    try {
      await rename(given, there)
      return { id, isNew: true }
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw unpackError(error, nameOf(given), this.folder)
      return null
    }
  }

  async list(): Promise<readonly Release[]> {
    const names = await readdir(this.folder).catch(() => [])
    const all = await Promise.all(
      names.filter((name) => releaseId.safeParse(name).success).map((id) => this.#release(id)),
    )
    return all.filter((one) => one !== null).toSorted((a, b) => b.pushedAt.getTime() - a.pushedAt.getTime())
  }

  async #release(id: string): Promise<Release | null> {
    const [files, info] = await Promise.all([
      filesIn(join(this.folder, id)),
      // Without its manifest a folder is no release.
      stat(join(this.folder, id, MANIFEST)).catch(() => null),
    ])
    if (files === null || info === null) return null
    const sizes = Object.values(files).map(({ size }) => size)
    return { id, pushedAt: info.mtime, files: sizes.length, bytes: sizes.reduce((all, size) => all + size, 0) }
  }

  async built(id: string, root: string): Promise<BuiltSite> {
    return { root, folder: join(this.folder, id), releases: this.folder }
  }

  async damage(id: string): Promise<string | null> {
    return damageOf(id, join(this.folder, id))
  }

  async nameAssets(id: string, assets: object): Promise<void> {
    await writeAssetNames(this.folder, id, assets)
  }

  async remove(id: string): Promise<void> {
    await this.#takeAway(id)
    await rm(assetNames(this.folder, id), { force: true })
  }

  async #takeAway(id: string): Promise<void> {
    const gone = join(this.folder, `.gone-${randomBytes(4).toString('hex')}`)
    await rename(join(this.folder, id), gone)
    await rm(gone, { recursive: true, force: true })
  }

  /** Removes what killed processes have left; everything else is where it belongs. */
  async tidy(): Promise<void> {
    await removeLeft(this.folder, '.')
    for (const name of await readdir(this.folder).catch(() => [])) {
      if (!name.startsWith('.')) continue
      const path = join(this.folder, name)
      // Its owner may just have removed it.
      const info = await stat(path).catch(() => null)
      if (info !== null && Date.now() - info.mtimeMs > ABANDONED) await rm(path, { recursive: true, force: true })
    }
  }

  /** A change made on this machine is told by the system, another one is seen by whoever looks. */
  async watch(changed: () => void): Promise<() => Promise<void>> {
    await mkdir(this.folder, { recursive: true })
    const watcher = watchFolder(this.folder, { persistent: false }, (_event, name) => {
      if (name === null || name === CURRENT) changed()
    })
    // Whoever looks is not told then, and sees it all the same.
    watcher.on('error', () => watcher.close())
    return async () => watcher.close()
  }
}

/** The file of the names of a release's assets. */
export function assetNames(folder: string, id: string): string {
  return join(folder, `${id}.json`)
}

/** Writes them, as `KeptAssets` reads them. */
export async function writeAssetNames(folder: string, id: string, assets: object): Promise<void> {
  await replaceFile(assetNames(folder, id), JSON.stringify({ assets }))
}

/** Replaces a file, so that others read the old text or the new one. */
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

/** Null without the file. One that cannot be read is an error: without it another build would be served quietly. */
async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw error
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
