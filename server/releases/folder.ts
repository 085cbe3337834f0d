/**
 * Releases in a folder: each build in a folder named by the digest of its manifest, which lists the digests of all its files; the file
 * `current`, which names the one that is served and is replaced as a whole; and in `servers/` a file of each server, with what it
 * serves. Every step is one rename, so whoever is killed leaves the old state or the new one.
 */
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import { fileDigest, filesIn, isRunning, MANIFEST, placeWhole } from '../builds/place.ts'
import { unpackError, unpackInto } from '../builds/unpack.ts'
import type { Settings } from '../settings.ts'
import type { BuiltSite } from '../site/load.ts'
import { StartError } from '../start-error.ts'
import { codeOf } from '../store/failure.ts'
import { DATA_FOLDER } from '../store/postgres/embedded.ts'

const releaseId = z.string().regex(/^[\da-f]{64}$/)

const pointerSchema = z.object({
  /** The release that is served. */
  release: releaseId,
  since: z.iso.datetime(),
  /** What was served before it, the last one first; a rollback goes back along this list. */
  earlier: z.array(releaseId),
  /** The release that could not be served, and why, when a server has gone back from it. */
  refused: z.object({ release: releaseId, reason: z.string() }).nullable(),
})
export type Pointer = z.infer<typeof pointerSchema>

const serverSchema = z.object({ host: z.string(), pid: z.number().int().positive(), release: releaseId })
/** A server, and the release that all its processes serve. */
export type ReleaseServer = z.infer<typeof serverSchema>

/** A release that is kept. */
export interface Release {
  readonly id: string
  readonly pushedAt: Date
  readonly files: number
  readonly bytes: number
}

const CURRENT = 'current'
const SERVERS = 'servers'
/** How many earlier releases are remembered. */
const MOST_EARLIER = 50
/** Milliseconds after its last sign of life in which a server of another machine is believed to live. */
const ALIVE = 15_000
/** Milliseconds after which what was not finished is nobody's any more. */
const ABANDONED = 24 * 3600 * 1000

/** The folder of the releases of a site. */
export function releasesFolder(settings: Pick<Settings, 'releases' | 'dataFolder'>, dir: string): string {
  return resolve(settings.releases ?? join(settings.dataFolder ?? join(dir, DATA_FOLDER), 'releases'))
}

/** The releases in a folder. */
export class ReleaseFolder {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** What is served; null as long as nothing was activated. @throws StartError when the file is damaged */
  async current(): Promise<Pointer | null> {
    const text = await readText(join(this.folder, CURRENT))
    if (text === null) return null
    const read = pointerSchema.safeParse(parsed(text))
    if (read.success) return read.data
    throw new StartError(
      `'${join(this.folder, CURRENT)}' is damaged: remove it, and activate a release with \`ingot release activate\`.`,
    )
  }

  /** Names another release as the one that is served. */
  async point(pointer: Pointer): Promise<void> {
    await replaceFile(
      join(this.folder, CURRENT),
      JSON.stringify({ ...pointer, earlier: pointer.earlier.slice(0, MOST_EARLIER) }),
    )
  }

  /** Goes back to the release before, when the one that cannot be served is still the one that is named. */
  async refuse(release: string, before: string, reason: string): Promise<void> {
    const now = await this.current()
    if (now?.release !== release) return
    const earlier = now.earlier.filter((id) => id !== before)
    await this.point({ release: before, since: new Date().toISOString(), earlier, refused: { release, reason } })
  }

  /**
   * Keeps a build.
   * @param given the folder of a site or of a build, or an archive
   * @returns its id, and whether it was there already
   * @throws StartError
   */
  async push(given: string): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const source = buildIn(given)
    let isNew = true
    try {
      const place = await placeWhole(this.folder, async (unfinished) => {
        if (source.kind === 'archive') await unpackInto(source.path, unfinished)
        else await copyBuild(source.path, unfinished)
        const id = await fileDigest(join(unfinished, MANIFEST))
        const there = join(this.folder, id)
        isNew = statSync(there, { throwIfNoEntry: false }) === undefined
        // One that has lost bytes since gives way to the one that is whole.
        if (!isNew && (await damageIn(there)) !== null) await this.#takeAway(id)
        return id
      })
      return { id: basename(place), isNew }
    } catch (error) {
      throw unpackError(error, given, this.folder)
    }
  }

  /** The releases, the newest first. */
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

  /** The id of the release that a beginning of it names. @throws StartError */
  async find(beginning: string): Promise<string> {
    const ids = (await this.list()).map(({ id }) => id)
    const found = /^[\da-f]{4,64}$/.test(beginning) ? ids.filter((id) => id.startsWith(beginning)) : []
    const [id, other] = found
    if (id === undefined)
      throw new StartError(
        `There is no release '${beginning}' in '${this.folder}': \`ingot release list\` shows them, and four letters or more of its name are enough.`,
      )
    if (other !== undefined) throw new StartError(`Several releases begin with '${beginning}': give more of the name.`)
    return id
  }

  /** The build of a release, for whoever serves it. */
  built(id: string, root: string): BuiltSite {
    return { root, folder: join(this.folder, id), releases: this.folder }
  }

  /** Why the build of a release cannot be trusted; null when every file has its digest. */
  async damage(id: string): Promise<string | null> {
    const folder = join(this.folder, id)
    // A manifest that cannot be read has not the digest either.
    if ((await fileDigest(join(folder, MANIFEST)).catch(() => null)) !== id) return 'its manifest was changed'
    return damageIn(folder)
  }

  /** Keeps the names of a release's assets, by which they are found when another release is served. */
  async nameAssets(id: string, assets: object): Promise<void> {
    await replaceFile(join(this.folder, `${id}.json`), JSON.stringify({ assets }))
  }

  /** Removes a release, and what others have left unfinished. */
  async remove(id: string): Promise<void> {
    await this.#takeAway(id)
    await rm(join(this.folder, `${id}.json`), { force: true })
  }

  async #takeAway(id: string): Promise<void> {
    const gone = join(this.folder, `.gone-${randomBytes(4).toString('hex')}`)
    await rename(join(this.folder, id), gone)
    await rm(gone, { recursive: true, force: true })
  }

  /** Removes what killed processes have left. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      if (!name.startsWith('.')) continue
      const path = join(this.folder, name)
      // Its owner may just have removed it.
      const info = await stat(path).catch(() => null)
      if (info !== null && Date.now() - info.mtimeMs > ABANDONED) await rm(path, { recursive: true, force: true })
    }
  }

  /** Tells what this process serves, and that it lives. */
  async tell(release: string): Promise<void> {
    const server: ReleaseServer = { host: hostname(), pid: process.pid, release }
    await mkdir(join(this.folder, SERVERS), { recursive: true })
    await replaceFile(this.#own(), JSON.stringify(server))
  }

  /** Tells that this process serves no longer. */
  async leave(): Promise<void> {
    await rm(this.#own(), { force: true })
  }

  #own(): string {
    return join(this.folder, SERVERS, `${hostname()}-${process.pid}.json`)
  }

  /** The servers that live. */
  async servers(): Promise<readonly ReleaseServer[]> {
    const folder = join(this.folder, SERVERS)
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
    const all = await Promise.all(
      names.map(async (name) => {
        const [text, info] = await Promise.all([
          readText(join(folder, name)),
          // A server that stops removes its own file.
          stat(join(folder, name)).catch(() => null),
        ])
        const read = serverSchema.safeParse(text === null ? null : parsed(text))
        if (!read.success || info === null) return null
        const lives = read.data.host === hostname() ? isRunning(read.data.pid) : Date.now() - info.mtimeMs < ALIVE
        return lives ? read.data : null
      }),
    )
    return all.filter((one) => one !== null)
  }
}

/** @throws StartError when nothing is built there */
function buildIn(given: string): { readonly kind: 'archive' | 'folder'; readonly path: string } {
  const path = resolve(given)
  const info = statSync(path, { throwIfNoEntry: false })
  if (info?.isFile() === true) return { kind: 'archive', path }
  for (const folder of [path, join(path, '.ingot')])
    if (statSync(join(folder, MANIFEST), { throwIfNoEntry: false })?.isFile() === true)
      return { kind: 'folder', path: folder }
  throw new StartError(
    `There is no build in '${given}': give an archive of \`ingot build --pack\`, a folder of \`ingot build --out\`, or a site that was built.`,
  )
}

/** Copies what a manifest lists, and nothing else, and holds every file against its digest. */
async function copyBuild(from: string, to: string): Promise<void> {
  const files = await filesIn(from)
  if (files === null || Object.keys(files).length === 0)
    throw new StartError(`The manifest of the build in '${from}' lists no files: build the site again.`)
  for (const path of Object.keys(files)) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await copyFile(join(from, path), join(to, path)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      throw new StartError(
        `The build in '${from}' has no file '${path}', which its manifest lists: build the site again.`,
      )
    })
  }
  await copyFile(join(from, MANIFEST), join(to, MANIFEST))
  const damage = await damageIn(to)
  if (damage !== null) throw new StartError(`The build in '${from}' cannot be kept, ${damage}: build the site again.`)
}

async function damageIn(folder: string): Promise<string | null> {
  const files = await filesIn(folder)
  if (files === null) return 'its manifest cannot be read'
  for (const [path, { digest }] of Object.entries(files)) {
    // The reason why it cannot be read matters little: it cannot be served.
    const is = await fileDigest(join(folder, path)).catch(() => null)
    if (is === null) return `'${path}' is missing`
    if (is !== digest) return `'${path}' was changed`
  }
  return null
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
