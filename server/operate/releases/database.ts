/**
 * Releases in the database, for servers that do not share a folder: builds as archives in parts, and one row that names the active
 * release. A build is stored in one transaction. Each machine unpacks what it serves into its data folder.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { ISql, Sql } from 'postgres'
import { packArchive } from '../../../runtime/page/build-archive.ts'
import { fileDigest, type Files, readManifest, MANIFEST } from '../builds/build-folder.ts'
import { type Archive, formatArchiveName, unpackError } from '../builds/unpack.ts'
import type { BuiltSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'
import { findBuild, releaseDamage, writeBuild } from './contents.ts'
import type { ReleaseCopies } from './copies.ts'
import { type Pointer, pointerSchema, type Release, type Releases, shortId } from './model.ts'

/** Notification channel for changes of the pointer. */
const CHANGE_CHANNEL = 'ingot_releases'
/** Size of a part in bytes. */
const PART_SIZE = 512 * 1024
/** Maximum size of an archive in bytes. */
const MAX_ARCHIVE_SIZE = 1024 * 1024 * 1024

interface ReleaseRow {
  readonly id: string
  readonly files: number
  readonly bytes: string
  readonly packed: string
  readonly digest: string
  readonly assets: object | null
  readonly pushed_at: Date
}

/** The releases in a database. */
export class ReleaseDatabase implements Releases {
  readonly place = 'the database'
  /** Changes are notified, but notifications are lost while the connection is down, so changes are also checked for. */
  readonly checkInterval = 5_000
  readonly #sql: Sql
  readonly #copies: ReleaseCopies

  constructor(sql: Sql, copies: ReleaseCopies) {
    this.#sql = sql
    this.#copies = copies
  }

  async current(): Promise<Pointer | null> {
    const [row] = await this.#sql<{ pointer: unknown }[]>`select pointer from ingot.active_release`
    if (row === undefined) return null
    const read = pointerSchema.safeParse(row.pointer)
    if (read.success) return read.data
    throw new StartError(
      'The row of `ingot.active_release` was written by another version of Ingot: run that version, or delete the row and activate a release with this version.',
    )
  }

  async replace(previousPointer: Pointer | null, next: Pointer): Promise<Pointer | null> {
    const rows = await this.#sql`
      with changed as (
        insert into ingot.active_release as a (pointer) values (${JSON.stringify(next)}::text::jsonb)
        on conflict (single) do update set pointer = excluded.pointer where a.generation = ${previousPointer?.generation ?? 0}
        returning generation
      )
      select pg_notify(${CHANGE_CHANNEL}, generation::text) from changed`
    return rows.length === 0 ? null : next
  }

  async push(given: string, isFresh = false): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const source = findBuild(given)
    const folder = await mkdtemp(join(tmpdir(), 'ingot-release-'))
    try {
      if (isFresh) {
        const id = await fileDigest(join(given, MANIFEST))
        const files = (await readManifest(given)) ?? {}
        // Fast compression, because the client of the deploy waits.
        return { id, isNew: await this.#store(id, files, await pack(given, files, join(folder, 'site.tgz'), 1)) }
      }
      // Unpacked first, to check the digests of the files.
      const build = join(folder, 'build')
      await mkdir(build)
      const id = await writeBuild(source, build)
      const files = (await readManifest(build)) ?? {}
      const archive = source.kind === 'archive' ? source.path : await pack(build, files, join(folder, 'site.tgz'))
      return { id, isNew: await this.#store(id, files, archive) }
    } catch (error) {
      throw unpackError(error, formatArchiveName(given), folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Stores an archive. @returns whether the release is new */
  async #store(id: string, files: Files, archive: string): Promise<boolean> {
    const sizes = Object.values(files).map(({ size }) => size)
    const bytes = sizes.reduce((total, size) => total + size, 0)
    return this.#sql.begin(async (sql) => {
      // If two commands push the same build, the second one waits, and finds the release.
      const [added] = await sql`
        insert into ingot.releases (id, files, bytes, packed, digest)
        values (${id}, ${sizes.length}, ${bytes}, 0, '') on conflict (id) do nothing returning id`
      if (added === undefined) {
        await sql`select from ingot.releases where id = ${id} for update`
        if ((await this.#findDamage(sql, id)) === null) return false
        // A stored archive that was damaged is replaced.
        await sql`delete from ingot.release_parts where release = ${id}`
      }
      const hash = createHash('sha256')
      let size = 0
      let number = 0
      for await (const part of splitIntoParts(createReadStream(archive))) {
        size += part.length
        if (size > MAX_ARCHIVE_SIZE)
          throw new StartError(
            `The archive has more than ${MAX_ARCHIVE_SIZE / 1_048_576} MB, which is too large for the database: store the releases in a folder with INGOT_RELEASES.`,
          )
        hash.update(part)
        await sql`insert into ingot.release_parts (release, number, bytes) values (${id}, ${number++}, ${part})`
      }
      await sql`update ingot.releases set packed = ${size}, digest = ${hash.digest('hex')} where id = ${id}`
      return added !== undefined
    })
  }

  async list(): Promise<readonly Release[]> {
    const rows = await this.#sql<ReleaseRow[]>`
      select id, files, bytes, pushed_at from ingot.releases order by pushed_at desc, id`
    return rows.map(({ id, files, bytes, pushed_at: pushedAt }) => ({ id, pushedAt, files, bytes: Number(bytes) }))
  }

  async openBuild(id: string, root: string): Promise<BuiltSite> {
    const row = await this.#row(this.#sql, id)
    if (row === null) throw new StartError(`The release ${shortId(id)} is no longer in the database: push it again.`)
    const folder = await this.#copy(row)
    return { root, folder, releases: this.#copies.folder }
  }

  async damage(id: string): Promise<string | null> {
    const damage = await this.#findDamage(this.#sql, id)
    if (damage !== null) return damage
    const row = await this.#row(this.#sql, id)
    return row === null ? 'it was removed' : releaseDamage(id, await this.#copy(row))
  }

  /** Returns why the stored archive cannot be trusted; null when it has its digest. */
  async #findDamage(sql: ISql, id: string): Promise<string | null> {
    const row = await this.#row(sql, id)
    if (row === null) return 'it was removed'
    const hash = createHash('sha256')
    for await (const part of readParts(sql, id)) hash.update(part)
    return hash.digest('hex') === row.digest ? null : 'its archive was changed'
  }

  async #row(sql: ISql, id: string): Promise<ReleaseRow | null> {
    const [row] = await sql<ReleaseRow[]>`
      select id, files, bytes, packed, digest, assets, pushed_at from ingot.releases where id = ${id}`
    return row ?? null
  }

  async #copy({ id, packed: size, assets }: ReleaseRow): Promise<string> {
    const name = `Release ${shortId(id)}`
    const archive: Archive = { name, size: Number(size), chunks: () => readParts(this.#sql, id) }
    return this.#copies.folderOf({ id, archive, assets })
  }

  async nameAssets(id: string, assets: object): Promise<void> {
    await this.#sql`update ingot.releases set assets = ${JSON.stringify(assets)}::text::jsonb where id = ${id}`
  }

  async remove(id: string): Promise<void> {
    await this.#sql`delete from ingot.releases where id = ${id}`
  }

  async cleanUp(warn: (sentence: string) => void): Promise<void> {
    const rows = await this.#sql<ReleaseRow[]>`
      select id, files, bytes, packed, digest, assets, pushed_at from ingot.releases order by pushed_at desc`
    await this.#copies.sweep(new Set(rows.map(({ id }) => id)))
    // Copies of earlier releases are needed too, because visitors may still have their pages open.
    for (const row of rows.filter(({ assets }) => assets !== null)) {
      try {
        await this.#copy(row)
      } catch (error) {
        if (!(error instanceof StartError)) throw error
        warn(error.message)
      }
    }
  }

  async watch(changed: () => void): Promise<() => Promise<void>> {
    // Listening resumes automatically after a lost connection. The second callback then checks for missed changes.
    const listening = await this.#sql.listen(CHANGE_CHANNEL, changed, changed)
    // If the connection is already lost, there is nothing to stop.
    return async () => listening.unlisten().catch(() => undefined)
  }
}

/** Packs the build in a folder, like `ingot build --pack`. Returns the path of the archive. */
async function pack(folder: string, files: Files, to: string, level = 6): Promise<string> {
  const manifest = { name: MANIFEST, bytes: await readFile(join(folder, MANIFEST)) }
  const listed = Object.entries(files).map(([name, { digest, size }]) => ({ name, digest, size }))
  const archive = packArchive(manifest, listed, ({ name }) => createReadStream(join(folder, name)))
  await pipeline(Readable.from(archive), createGzip({ level }), createWriteStream(to))
  return to
}

/** Splits bytes into parts of the same size, except for the last one. */
async function* splitIntoParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    waiting.push(chunk)
    size += chunk.length
    if (size < PART_SIZE) continue
    const all = Buffer.concat(waiting)
    let at = 0
    for (; size - at >= PART_SIZE; at += PART_SIZE) yield all.subarray(at, at + PART_SIZE)
    waiting = [all.subarray(at)]
    size -= at
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/** Reads the parts of a release in order. @throws Error without a code, so that a database error does not look like a damaged archive */
async function* readParts(sql: ISql, id: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const [row] = await sql<{ bytes: Uint8Array }[]>`
      select bytes from ingot.release_parts where release = ${id} and number = ${number}`.catch((error: unknown) => {
      throw new Error(error instanceof Error ? error.message : String(error), { cause: error })
    })
    if (row === undefined) return
    yield row.bytes
  }
}
