/**
 * Unpacks archives of sites, which come from outside: nothing is written before all names and sizes of the archive were looked at, no name
 * of it becomes a path of the disk, and every file has to have the size and the checksum that the archive claims.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream, renameSync, writeFileSync } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32, inflateRawSync } from 'node:zlib'
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import { codeOf } from '../../../core/error-code.ts'
import { pathProblem } from './paths.ts'

/** A file by the digest of its bytes. */
export interface TreeFile {
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

/** Why an archive is refused; a sentence without its beginning. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault'
}

/** Bytes that any archive may unpack to; a larger one as many times its own, up to the most. */
const FREE = 256 * 1024 * 1024
const MOST_TIMES = 100
const MOST_BYTES = 2 * 1024 * 1024 * 1024
const MOST_FILES = 65_000
/** Files that are unpacked at once, and bytes of the largest that is held in memory for that. */
const AT_ONCE = 16
const LARGEST_HELD = 1024 * 1024
/** Bytes of an archive up to which it is read at once: most are, and a stream for each of their files would take longer than the files. */
const LARGEST_HELD_ARCHIVE = 64 * 1024 * 1024
/** The method of compression that nearly all archives use. */
const DEFLATED = 8
/** Of the mode of a file in the archive: its kind, and the kinds that are taken. */
const KIND = 0o170000
const PLAIN: ReadonlySet<number> = new Set([0, 0o100000])
const FOLDER = 0o040000

/**
 * Unpacks the files of an archive into a folder of files by their digests.
 * @param wanted whether a file is; the others are looked at and left
 * @param store says whether it has the file with a digest, and gives the path of it
 * @param listener told of files as soon as they are unpacked; that others are refused may come behind
 * @returns the files by their names
 * @throws ArchiveFault, and errors of the file system
 */
export async function unpackArchive(
  path: string,
  wanted: (name: string) => boolean,
  store: Store,
  listener: UnpackListener | null = null,
): Promise<ReadonlyMap<string, TreeFile>> {
  let archive: Archive | null = null
  try {
    const { size } = await stat(path)
    archive = await openArchive(path, size)
    const { zip, bytes } = archive
    const found = (await entriesOf(zip, size)).filter(({ fileName }) => wanted(fileName))
    const isFirst = ({ fileName }: Entry): boolean => listener?.isFirst(fileName) === true
    const entries = [...found.filter(isFirst), ...found.filter((entry) => !isFirst(entry))]
    const files = new Map<string, TreeFile>()
    for (let at = 0; at < entries.length; at += AT_ONCE) {
      const batch = entries.slice(at, at + AT_ONCE)
      // All of them have ended when one has failed: the archive is closed then.
      const ended = await Promise.allSettled(batch.map((entry) => unpacked({ zip, bytes }, entry, store)))
      const some = new Map<string, TreeFile>()
      for (const [index, each] of ended.entries()) {
        if (each.status === 'rejected') throw each.reason
        some.set(batch[index]!.fileName, each.value)
      }
      for (const [name, file] of some) files.set(name, file)
      listener?.unpacked(some)
    }
    return files
  } catch (error) {
    // Errors of the file system have a code; all others are about what the archive holds.
    if (error instanceof ArchiveFault || (codeOf(error) !== null && !isZlib(error))) throw error
    throw new ArchiveFault(describe(error))
  } finally {
    archive?.zip.close()
  }
}

/** Whoever works with files of an archive while others are unpacked. */
export interface UnpackListener {
  /** Whether a file is to come before all others. */
  isFirst(name: string): boolean
  unpacked(files: ReadonlyMap<string, TreeFile>): void
}

/** An archive that is open. */
interface Archive {
  readonly zip: ZipFile
  /** All of it; null where it is too large for that. */
  readonly bytes: Buffer | null
}

async function openArchive(path: string, size: number): Promise<Archive> {
  const options = { autoClose: false, strictFileNames: true }
  if (size > LARGEST_HELD_ARCHIVE) return { zip: await openPromise(path, options), bytes: null }
  const bytes = await readFile(path)
  return { zip: await fromBufferPromise(bytes, options), bytes }
}

/** The files of an archive, without its folders. @throws ArchiveFault */
async function entriesOf(zip: ZipFile, packed: number): Promise<readonly Entry[]> {
  if (zip.entryCount > MOST_FILES)
    throw new ArchiveFault(`it has ${zip.entryCount} files, and the most is ${MOST_FILES}`)
  const limit = Math.min(MOST_BYTES, Math.max(FREE, packed * MOST_TIMES))
  const entries: Entry[] = []
  const names = new NameCheck()
  let total = 0
  for await (const entry of zip.eachEntry()) {
    const { fileName: name } = entry
    const kind = (entry.externalFileAttributes >>> 16) & KIND
    const isFolder = name.endsWith('/')
    const problem = pathProblem(isFolder ? name.slice(0, -1) : name)
    if (problem !== null) throw new ArchiveFault(problem)
    if (!PLAIN.has(kind) && !(isFolder && kind === FOLDER))
      throw new ArchiveFault(`'${name}' is a link or a device, and no file`)
    if (isFolder) continue
    if (entry.isEncrypted()) throw new ArchiveFault(`'${name}' is encrypted`)
    total += entry.uncompressedSize
    if (total > limit) throw new ArchiveFault(`it would unpack to more than ${limit} bytes`)
    names.add(name)
    entries.push(entry)
  }
  return entries
}

/** Names that would be one file, or a file and a folder, on some machine. */
class NameCheck {
  readonly #files = new Map<string, string>()
  readonly #folders = new Map<string, string>()

  /** @throws ArchiveFault */
  add(name: string): void {
    const key = foldedName(name)
    const same = this.#files.get(key) ?? this.#folders.get(key)
    if (same !== undefined) throw new ArchiveFault(same === name ? `it has '${name}' twice` : differ(same, name))
    this.#files.set(key, name)
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      const folder = name.slice(0, end)
      const folded = foldedName(folder)
      const other = this.#folders.get(folded) ?? this.#files.get(folded)
      if (other === folder && this.#folders.has(folded)) return
      if (other !== undefined) throw new ArchiveFault(differ(other, folder))
      this.#folders.set(folded, folder)
    }
  }
}

/** A name as machines compare it that know no case, or compose letters. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC')
}

function differ(one: string, other: string): string {
  if (one === other) return `'${one}' is a file and a folder`
  return `'${one}' and '${other}' differ only in the case or the Unicode form of letters`
}

interface Store {
  readonly incoming: string
  /** Whether a file is there already; without it all are written. */
  has?(digest: string): Promise<boolean>
  place(digest: string): Promise<string>
}

async function unpacked(archive: Archive, entry: Entry, store: Store): Promise<TreeFile> {
  const isLarge = entry.uncompressedSize > LARGEST_HELD
  return isLarge ? unpackedLarge(archive.zip, entry, store) : unpackedSmall(archive, entry, store)
}

/** Most files of a site are small, and most of those that are deployed were there before. */
async function unpackedSmall(archive: Archive, entry: Entry, store: Store): Promise<TreeFile> {
  const bytes = (await inflated(archive, entry)) ?? (await streamed(archive.zip, entry))
  if (crc32(bytes) !== entry.crc32) throw new ArchiveFault(`'${entry.fileName}' is damaged`)
  const digest = createHash('sha256').update(bytes).digest('hex')
  if ((await store.has?.(digest)) !== true) {
    const unfinished = join(store.incoming, randomBytes(16).toString('hex'))
    const place = await store.place(digest)
    // Of thousands of small files, handing each to another thread would be most of the work.
    writeFileSync(unfinished, bytes, { flag: 'wx' })
    renameSync(unfinished, place)
  }
  return { digest, size: bytes.length }
}

/** A file of an archive that is held; null where it has to be streamed. @throws ArchiveFault, and errors of zlib */
async function inflated({ zip, bytes }: Archive, entry: Entry): Promise<Buffer | null> {
  const { fileName, compressedSize, uncompressedSize } = entry
  if (bytes === null || entry.compressionMethod !== DEFLATED) return null
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const packed = bytes.subarray(fileDataStart, fileDataStart + compressedSize)
  try {
    const whole = inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) })
    if (whole.length === uncompressedSize) return whole
  } catch (error) {
    if (codeOf(error) !== 'ERR_BUFFER_TOO_LARGE') throw error
  }
  throw new ArchiveFault(`'${fileName}' is not of the size that the archive claims`)
}

async function streamed(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function unpackedLarge(zip: ZipFile, entry: Entry, store: Store): Promise<TreeFile> {
  const unfinished = join(store.incoming, randomBytes(16).toString('hex'))
  const hash = createHash('sha256')
  let checksum = 0
  try {
    await pipeline(
      await zip.openReadStreamPromise(entry),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          checksum = crc32(chunk, checksum)
          yield chunk
        }
      },
      createWriteStream(unfinished, { flags: 'wx' }),
    )
    if (checksum !== entry.crc32) throw new ArchiveFault(`'${entry.fileName}' is damaged`)
    const digest = hash.digest('hex')
    await rename(unfinished, await store.place(digest))
    return { digest, size: entry.uncompressedSize }
  } finally {
    await rm(unfinished, { force: true })
  }
}

function isZlib(error: unknown): boolean {
  return /^(?:Z_|ERR_STREAM)/.test(String(codeOf(error)))
}

function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  if (/^(?:End of central directory|Invalid comment length|unexpected EOF)/i.test(text))
    return 'it is not whole, or no zip archive'
  if (/^(?:invalid relative path|absolute path|invalid characters in fileName)/.test(text))
    return `a name in it leads out of the site (${text})`
  return text
}
