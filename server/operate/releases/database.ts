/**
 * Releases in the database, for servers that share no folder: builds as archives in parts, and one row that names the release that is
 * served. A build is there with the end of its transaction or not at all; each machine unpacks what it serves into its data folder.
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
import { fileDigest, type Files, filesIn, MANIFEST } from '../builds/place.ts'
import { type Archive, nameOf, unpackError } from '../builds/unpack.ts'
import type { BuiltSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'
import { buildIn, damageOf, takeBuild } from './contents.ts'
import type { ReleaseCopies } from './copies.ts'
import { type Pointer, pointerSchema, type Release, type Releases, shortId } from './model.ts'

/** Told when the pointer has changed. */
const CHANGED = 'ingot_releases'
/** Bytes of a part, and of the largest archive. */
const PART = 512 * 1024
const LARGEST = 1024 * 1024 * 1024

interface ReleaseRow {
  readonly id: string
  readonly files: number
  readonly bytes: string
  readonly packArchive: string
  readonly digest: string
  readonly assets: object | null
  readonly pushed_at: Date
}

/** The releases in a database. */
export class ReleaseDatabase implements Releases {
  readonly place = 'the database'
  /** A change is told, but not to whoever has lost the connection. */
  readonly lookEvery = 5_000
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
      'The row of `ingot.active_release` was written by another version of Ingot: run that version, or activate a release with this one after the row is deleted.',
    )
  }

  async replace(before: Pointer | null, next: Pointer): Promise<Pointer | null> {
    const rows = await this.#sql`
      with changed as (
        insert into ingot.active_release as a (pointer) values (${JSON.stringify(next)}::text::jsonb)
        on conflict (single) do update set pointer = excluded.pointer where a.generation = ${before?.generation ?? 0}
        returning generation
      )
      select pg_notify(${CHANGED}, generation::text) from changed`
    return rows.length === 0 ? null : next
  }

  async push(given: string, isFresh = false): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const source = buildIn(given)
    const folder = await mkdtemp(join(tmpdir(), 'ingot-release-'))
    try {
      if (isFresh) {
        const id = await fileDigest(join(given, MANIFEST))
        const files = (await filesIn(given)) ?? {}
        // Whoever deploys waits for it.
        return { id, isNew: await this.#keep(id, files, await pack(given, files, join(folder, 'site.tgz'), 1)) }
      }
      // Unpacked first: what is kept is known to be what it says.
      const build = join(folder, 'build')
      await mkdir(build)
      const id = await takeBuild(source, build)
      const files = (await filesIn(build)) ?? {}
      const archive = source.kind === 'archive' ? source.path : await pack(build, files, join(folder, 'site.tgz'))
      return { id, isNew: await this.#keep(id, files, archive) }
    } catch (error) {
      throw unpackError(error, nameOf(given), folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** @returns whether it was not there yet */
  async #keep(id: string, files: Files, archive: string): Promise<boolean> {
    const sizes = Object.values(files).map(({ size }) => size)
    const bytes = sizes.reduce((all, size) => all + size, 0)
    return this.#sql.begin(async (sql) => {
      // Two may push the same: the second one waits, and finds it there.
      const [added] = await sql`
        insert into ingot.releases (id, files, bytes, packArchive, digest)
        values (${id}, ${sizes.length}, ${bytes}, 0, '') on conflict (id) do nothing returning id`
      if (added === undefined) {
        await sql`select from ingot.releases where id = ${id} for update`
        if ((await this.#damageIn(sql, id)) === null) return false
        // One that has lost bytes since gives way to the one that is whole.
        await sql`delete from ingot.release_parts where release = ${id}`
      }
      const hash = createHash('sha256')
      let size = 0
      let number = 0
      for await (const part of parts(createReadStream(archive))) {
        size += part.length
        if (size > LARGEST)
          throw new StartError(
            `The archive has more than ${LARGEST / 1_048_576} MB, and the database takes no larger one: keep the releases in a folder, by INGOT_RELEASES.`,
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

  async built(id: string, root: string): Promise<BuiltSite> {
    const row = await this.#row(this.#sql, id)
    if (row === null) throw new StartError(`The release ${shortId(id)} is not in the database any more: push it again.`)
    const folder = await this.#copy(row)
    return { root, folder, releases: this.#copies.folder }
  }

  async damage(id: string): Promise<string | null> {
    const damage = await this.#damageIn(this.#sql, id)
    if (damage !== null) return damage
    const row = await this.#row(this.#sql, id)
    return row === null ? 'it is gone' : damageOf(id, await this.#copy(row))
  }

  /** Why its parts cannot be trusted. */
  async #damageIn(sql: ISql, id: string): Promise<string | null> {
    const row = await this.#row(sql, id)
    if (row === null) return 'it is gone'
    const hash = createHash('sha256')
    for await (const part of stored(sql, id)) hash.update(part)
    return hash.digest('hex') === row.digest ? null : 'its archive was changed'
  }

  async #row(sql: ISql, id: string): Promise<ReleaseRow | null> {
    const [row] = await sql<ReleaseRow[]>`
      select id, files, bytes, packArchive, digest, assets, pushed_at from ingot.releases where id = ${id}`
    return row ?? null
  }

  async #copy({ id, packArchive: size, assets }: ReleaseRow): Promise<string> {
    const name = `Release ${shortId(id)}`
    const archive: Archive = { name, size: Number(size), chunks: () => stored(this.#sql, id) }
    return this.#copies.of({ id, archive, assets })
  }

  async nameAssets(id: string, assets: object): Promise<void> {
    await this.#sql`update ingot.releases set assets = ${JSON.stringify(assets)}::text::jsonb where id = ${id}`
  }

  async remove(id: string): Promise<void> {
    await this.#sql`delete from ingot.releases where id = ${id}`
  }

  async tidy(warn: (sentence: string) => void): Promise<void> {
    const rows = await this.#sql<ReleaseRow[]>`
      select id, files, bytes, packArchive, digest, assets, pushed_at from ingot.releases order by pushed_at desc`
    await this.#copies.sweep(new Set(rows.map(({ id }) => id)))
    // Pages of those that were served before may come to a server that was not there then.
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
    // Listening resumes by itself after a lost connection; the second callback then looks for what was missed.
    const listening = await this.#sql.listen(CHANGED, changed, changed)
    // The connection may be gone, and then nothing is left to stop.
    return async () => listening.unlisten().catch(() => undefined)
  }
}

/** Packs the build in a folder, as `ingot build --pack` does; gives the path of the archive. */
async function pack(folder: string, files: Files, to: string, level = 6): Promise<string> {
  const manifest = { name: MANIFEST, bytes: await readFile(join(folder, MANIFEST)) }
  const listed = Object.entries(files).map(([name, { digest, size }]) => ({ name, digest, size }))
  const archive = packArchive(manifest, listed, ({ name }) => createReadStream(join(folder, name)))
  await pipeline(Readable.from(archive), createGzip({ level }), createWriteStream(to))
  return to
}

/** Bytes in parts of one size, but for the last. */
async function* parts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    waiting.push(chunk)
    size += chunk.length
    if (size < PART) continue
    const all = Buffer.concat(waiting)
    let at = 0
    for (; size - at >= PART; at += PART) yield all.subarray(at, at + PART)
    waiting = [all.subarray(at)]
    size -= at
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/** The parts of a release, one after the other. @throws Error without a code: whatever the database says is no fault of the archive */
async function* stored(sql: ISql, id: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const [row] = await sql<{ bytes: Uint8Array }[]>`
      select bytes from ingot.release_parts where release = ${id} and number = ${number}`.catch((error: unknown) => {
      throw new Error(error instanceof Error ? error.message : String(error), { cause: error })
    })
    if (row === undefined) return
    yield row.bytes
  }
}
