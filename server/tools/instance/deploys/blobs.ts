/** Files in the database, each once, by the digest of its bytes; each machine keeps copies of the files that it uses in a folder. */
import { createHash, randomBytes } from 'node:crypto'
import { copyFileSync, createReadStream, existsSync, linkSync, renameSync, writeFileSync } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ISql, Sql } from 'postgres'
import { errorCodeOf } from '../../../core/error-code.ts'
import { ownFolder, removeLeftovers } from '../../../core/leftovers.ts'
import type { ReadySettings } from '../../../core/settings.ts'
import { fileDigest } from '../../../operate/builds/build-folder.ts'
import type { TreeFile } from './archive.ts'

/** Returns the folder in which the process of deploys keeps the files of sites. */
export function deployedFiles({ dataFolder }: Pick<ReadySettings, 'dataFolder'>): string {
  return resolve(dataFolder, 'deploys', 'files')
}

/** Bytes of a part. */
const PART_SIZE = 512 * 1024
/** Maximum size in bytes of a file that is written together with others, and the maximum number of files in such a statement. */
const SMALL_FILE_SIZE = 32 * 1024
const MAX_FILES_PER_STATEMENT = 200
/** Number of files to link before other work can continue. */
const LINK_BATCH_SIZE = 200

/**
 * Stores a file in the database, in one transaction.
 * @param content its bytes, or the path of a file
 */
export async function storeFile(sql: Sql, content: string | Buffer): Promise<TreeFile> {
  const isPath = typeof content === 'string'
  const digest = isPath ? await fileDigest(content) : createHash('sha256').update(content).digest('hex')
  return sql.begin((transaction) => insertBlob(transaction, digest, content))
}

/** Stores a file. Called in a transaction. If two transactions store the same file, the second one waits, and changes nothing. */
async function insertBlob(sql: ISql, digest: string, content: string | Buffer): Promise<TreeFile> {
  const size = typeof content === 'string' ? (await stat(content)).size : content.length
  await sql`
    insert into ingot.blobs (digest, size) values (${digest}, ${size})
    on conflict (digest) do update set wanted_at = now()`
  const hash = createHash('sha256')
  let number = 0
  for await (const chunk of splitIntoParts(content)) {
    hash.update(chunk)
    await sql`
      insert into ingot.blob_parts (digest, number, bytes) values (${digest}, ${number++}, ${chunk})
      on conflict do nothing`
  }
  if (hash.digest('hex') !== digest) throw new Error(`the file ${digest} was changed while it was read`)
  return { digest, size }
}

async function* splitIntoParts(content: string | Buffer): AsyncIterable<Buffer> {
  if (typeof content !== 'string') {
    for (let at = 0; at < content.length; at += PART_SIZE) yield content.subarray(at, at + PART_SIZE)
    return
  }
  const stream: AsyncIterable<Buffer> = createReadStream(content, { highWaterMark: PART_SIZE })
  yield* stream
}

/** The files that a machine works with, in one folder. Existing files are complete, because they get their name after all bytes are written. */
export class BlobFolder {
  /** Folder for files that this process is writing. */
  readonly incoming: string
  readonly #folder: string
  readonly #nearby: string | null
  /** Folders that exist; none is ever removed. */
  readonly #made = new Set<string>()

  /** @param nearby a folder of another process of this machine, whose files are linked instead of fetched */
  constructor(folder: string, nearby: string | null = null) {
    this.#folder = folder
    this.#nearby = nearby
    this.incoming = ownFolder(join(folder, 'incoming'))
  }

  async open(): Promise<void> {
    await removeLeftovers(dirname(this.incoming))
    await mkdir(this.incoming, { recursive: true })
  }

  /** Returns the path of a file, which may not exist yet. */
  path(digest: string): string {
    return pathIn(this.#folder, digest)
  }

  /** Returns the path of an existing file, of this folder or of the other one; null when it must be fetched. */
  #existing(digest: string): string | null {
    const path = this.path(digest)
    if (existsSync(path)) return path
    const other = this.#nearby === null ? null : pathIn(this.#nearby, digest)
    return other !== null && existsSync(other) ? other : null
  }

  async has(digest: string): Promise<boolean> {
    return fileExists(this.path(digest))
  }

  /** Returns the path of a file, and creates its folder. */
  async place(digest: string): Promise<string> {
    const path = this.path(digest)
    const folder = dirname(path)
    if (!this.#made.has(folder)) await mkdir(folder, { recursive: true })
    this.#made.add(folder)
    return path
  }

  /** Returns the path of a file, which is fetched from the database if needed. @throws Error when it is in neither */
  async get(sql: ISql, digest: string): Promise<string> {
    const path = this.path(digest)
    if (await fileExists(path)) return path
    const unfinished = join(this.incoming, randomBytes(16).toString('hex'))
    const hash = createHash('sha256')
    const file = await open(unfinished, 'wx')
    try {
      for (let number = 0; ; number++) {
        const [part] = await sql<{ bytes: Buffer }[]>`
          select bytes from ingot.blob_parts where digest = ${digest} and number = ${number}`
        if (part === undefined) break
        hash.update(part.bytes)
        await file.writeFile(part.bytes)
      }
    } finally {
      await file.close()
    }
    if (hash.digest('hex') !== digest) {
      await rm(unfinished, { force: true })
      throw new Error(`the file ${digest} of the site is not in the database, or is damaged there`)
    }
    await rename(unfinished, await this.place(digest))
    return path
  }

  /** Writes the files of a tree into an empty folder. */
  async write(sql: ISql, files: ReadonlyMap<string, TreeFile>, to: string): Promise<void> {
    const folders = new Set([...files.keys()].map((path) => dirname(path)))
    for (const folder of folders) await mkdir(join(to, folder), { recursive: true })
    await this.#getSmall(sql, [...files.values()])
    let count = 0
    for (const [path, { digest }] of files) {
      const here = this.#existing(digest)
      // The other process may have removed its file meanwhile.
      const isLinked = here !== null && linkOrCopy(here, join(to, path))
      if (!isLinked && !linkOrCopy(await this.get(sql, digest), join(to, path)))
        throw new Error(`the file ${digest} of the site was removed`)
      if (++count % LINK_BATCH_SIZE === 0) await nextTurn()
    }
  }

  /** Fetches small files that are not here from the database, many with one statement. Those that are damaged there are left to `get`. */
  async #getSmall(sql: ISql, files: readonly TreeFile[]): Promise<void> {
    const isSmall = ({ size }: TreeFile): boolean => size > 0 && size < SMALL_FILE_SIZE
    const wanted = [...new Set(files.filter(isSmall).map(({ digest }) => digest))]
    const missing = wanted.filter((digest) => this.#existing(digest) === null)
    for (let at = 0; at < missing.length; at += MAX_FILES_PER_STATEMENT) {
      const rows = await sql<{ digest: string; bytes: Buffer }[]>`
        select digest, bytes from ingot.blob_parts where number = 0 and digest in (
          select jsonb_array_elements_text(${JSON.stringify(missing.slice(at, at + MAX_FILES_PER_STATEMENT))}::text::jsonb))`
      for (const { digest, bytes } of rows) {
        if (createHash('sha256').update(bytes).digest('hex') !== digest) continue
        const unfinished = join(this.incoming, randomBytes(16).toString('hex'))
        // Synchronous, because handing thousands of small files to other threads would take most of the time.
        writeFileSync(unfinished, bytes)
        renameSync(unfinished, await this.place(digest))
      }
    }
  }

  /** Stores files of this folder in the database, if they are not there yet. */
  async keep(sql: Sql, files: readonly TreeFile[]): Promise<void> {
    const sizes = new Map(files.map(({ digest, size }) => [digest, size]))
    const all = [...sizes.keys()]
    const known = await sql<{ digest: string }[]>`
      update ingot.blobs set wanted_at = now() where digest in (select jsonb_array_elements_text(${JSON.stringify(all)}::text::jsonb))
      returning digest`
    const stored = new Set(known.map(({ digest }) => digest))
    const missingNames = all.filter((digest) => !stored.has(digest))
    const isSmall = (digest: string): boolean => (sizes.get(digest) ?? PART_SIZE) < SMALL_FILE_SIZE
    const small = missingNames.filter(isSmall)
    const large = missingNames.filter((digest) => !isSmall(digest))
    for (let at = 0; at < small.length; at += MAX_FILES_PER_STATEMENT)
      await this.#keepSmall(sql, small.slice(at, at + MAX_FILES_PER_STATEMENT))
    for (const digest of large) await sql.begin((transaction) => insertBlob(transaction, digest, this.path(digest)))
  }

  /** Removes the files of this folder that are no longer in the database. No file may be written meanwhile. */
  async keepOnly(sql: ISql): Promise<void> {
    const parts = (await readdir(this.#folder)).filter((name) => /^[\da-f]{2}$/.test(name))
    const names = (await Promise.all(parts.map((part) => readdir(join(this.#folder, part))))).flat()
    const known = await sql<{ digest: string }[]>`
      select digest from ingot.blobs where digest in (select jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb))`
    const stored = new Set(known.map(({ digest }) => digest))
    for (const name of names) if (!stored.has(name)) await rm(this.path(name), { force: true })
  }

  /** Stores many files with one statement. Existing ones stay unchanged. */
  async #keepSmall(sql: Sql, digests: readonly string[]): Promise<void> {
    const rows = await Promise.all(
      digests.map(async (digest) => {
        const bytes = await readFile(this.path(digest))
        if (createHash('sha256').update(bytes).digest('hex') !== digest)
          throw new Error(`the file ${digest} was changed while it was stored`)
        return { digest, size: bytes.length, bytes: bytes.toString('base64') }
      }),
    )
    await sql`
      with sent as (
        select digest, size, bytes from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
          as file(digest text, size bigint, bytes text)
      ), kept as (
        insert into ingot.blobs (digest, size) select digest, size from sent
        on conflict (digest) do update set wanted_at = now()
      )
      insert into ingot.blob_parts (digest, number, bytes) select digest, 0, decode(bytes, 'base64') from sent where size > 0
      on conflict do nothing`
  }
}

async function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function pathIn(folder: string, digest: string): string {
  return join(folder, digest.slice(0, 2), digest)
}

/**
 * Links or copies synchronously, because handing thousands of files to other threads would take most of the time.
 * @returns false when the file does not exist
 */
function linkOrCopy(from: string, to: string): boolean {
  try {
    linkSync(from, to)
  } catch (error) {
    const code = String(errorCodeOf(error))
    if (code === 'ENOENT') return false
    // The file system has no links, or does not allow more links to the file.
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].includes(code)) throw error
    copyFileSync(from, to)
  }
  return true
}
