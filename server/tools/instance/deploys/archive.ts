/**
 * Unpacks archives of sites, which are untrusted: all names and sizes are checked before anything is written, files are stored by their
 * digests, never by names from the archive, and every file must have the size and checksum that the archive states.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream, renameSync, writeFileSync } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32, inflateRawSync } from 'node:zlib'
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import { errorCodeOf } from '../../../core/error-code.ts'
import { pathProblem } from './paths.ts'

/** A file by the digest of its bytes. */
export interface TreeFile {
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

/** Thrown for an invalid archive. The message is a sentence without its subject. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault'
}

/** Bytes that any archive may unpack to. Larger archives may unpack to `MAX_EXPANSION` times their own size, up to `MAX_BYTES`. */
const ALWAYS_ALLOWED_BYTES = 256 * 1024 * 1024
const MAX_EXPANSION = 100
const MAX_BYTES = 2 * 1024 * 1024 * 1024
const MAX_FILES = 65_000
/** Number of files to unpack at once. */
const BATCH_SIZE = 16
/** Bytes of the largest file that is unpacked in memory. */
const MAX_FILE_IN_MEMORY = 1024 * 1024
/** Bytes of the largest archive that is read at once. Most are smaller, and one stream per file would take longer. */
const MAX_ARCHIVE_IN_MEMORY = 64 * 1024 * 1024
/** The compression method of nearly all archives. */
const DEFLATED = 8
/** Mask for the file type in the mode of an entry. */
const FILE_TYPE_MASK = 0o170000
/** Accepted file types: none, and regular file. */
const ACCEPTED_FILE_TYPES: ReadonlySet<number> = new Set([0, 0o100000])
const FOLDER_TYPE = 0o040000

/**
 * Unpacks the files of an archive into a store of files by digest.
 * @param wanted whether to unpack a file; the others are only checked
 * @param store stores the files
 * @param listener called with files as soon as they are unpacked, even if the archive is refused later
 * @returns the files by name
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
    const selected = (await readEntries(zip, size)).filter(({ fileName }) => wanted(fileName))
    const isFirst = ({ fileName }: Entry): boolean => listener?.isFirst(fileName) === true
    const entries = [...selected.filter(isFirst), ...selected.filter((entry) => !isFirst(entry))]
    const files = new Map<string, TreeFile>()
    for (let at = 0; at < entries.length; at += BATCH_SIZE) {
      const batch = entries.slice(at, at + BATCH_SIZE)
      // Waits for all files of the batch, because the archive is closed after a failure.
      const unpacked = async (entry: Entry) =>
        [entry.fileName, await unpackEntry({ zip, bytes }, entry, store)] as const
      const results = await Promise.allSettled(batch.map(unpacked))
      const some = new Map<string, TreeFile>()
      for (const result of results) {
        if (result.status === 'rejected') throw result.reason
        const [name, file] = result.value
        some.set(name, file)
      }
      for (const [name, file] of some) files.set(name, file)
      listener?.unpacked(some)
    }
    return files
  } catch (error) {
    // Errors of the file system have a code. All others are about the archive.
    if (error instanceof ArchiveFault || (errorCodeOf(error) !== null && !isZlib(error))) throw error
    throw new ArchiveFault(describe(error))
  } finally {
    archive?.zip.close()
  }
}

/** Works with files of an archive while others are still unpacked. */
export interface UnpackListener {
  /** Returns whether to unpack a file before all others. */
  isFirst(name: string): boolean
  unpacked(files: ReadonlyMap<string, TreeFile>): void
}

/** An open archive. */
interface Archive {
  readonly zip: ZipFile
  /** The bytes of the archive; null when it is too large to be read at once. */
  readonly bytes: Buffer | null
}

async function openArchive(path: string, size: number): Promise<Archive> {
  const options = { autoClose: false, strictFileNames: true }
  if (size > MAX_ARCHIVE_IN_MEMORY) return { zip: await openPromise(path, options), bytes: null }
  const bytes = await readFile(path)
  return { zip: await fromBufferPromise(bytes, options), bytes }
}

/** Reads and checks the entries of an archive, without its folders. @throws ArchiveFault */
async function readEntries(zip: ZipFile, packed: number): Promise<readonly Entry[]> {
  if (zip.entryCount > MAX_FILES)
    throw new ArchiveFault(`it has ${zip.entryCount} files, but at most ${MAX_FILES} are allowed`)
  const limit = Math.min(MAX_BYTES, Math.max(ALWAYS_ALLOWED_BYTES, packed * MAX_EXPANSION))
  const entries: Entry[] = []
  const names = new NameCheck()
  let total = 0
  for await (const entry of zip.eachEntry()) {
    const { fileName: name } = entry
    const kind = (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK
    const isFolder = name.endsWith('/')
    const problem = pathProblem(isFolder ? name.slice(0, -1) : name)
    if (problem !== null) throw new ArchiveFault(problem)
    if (!ACCEPTED_FILE_TYPES.has(kind) && !(isFolder && kind === FOLDER_TYPE))
      throw new ArchiveFault(`'${name}' is a link or a device instead of a file`)
    if (isFolder) continue
    if (entry.isEncrypted()) throw new ArchiveFault(`'${name}' is encrypted`)
    total += entry.uncompressedSize
    if (total > limit) throw new ArchiveFault(`it would unpack to more than ${limit} bytes`)
    names.add(name)
    entries.push(entry)
  }
  return entries
}

/** Detects names that would be the same file, or a file and a folder, on some file systems. */
class NameCheck {
  readonly #files = new Map<string, string>()
  readonly #folders = new Map<string, string>()

  /** Adds a name. @throws ArchiveFault when it conflicts with an earlier name */
  add(name: string): void {
    const key = foldName(name)
    const same = this.#files.get(key) ?? this.#folders.get(key)
    if (same !== undefined)
      throw new ArchiveFault(same === name ? `it has '${name}' twice` : sameNameMessage(same, name))
    this.#files.set(key, name)
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      const folder = name.slice(0, end)
      const folded = foldName(folder)
      const other = this.#folders.get(folded) ?? this.#files.get(folded)
      if (other === folder && this.#folders.has(folded)) return
      if (other !== undefined) throw new ArchiveFault(sameNameMessage(other, folder))
      this.#folders.set(folded, folder)
    }
  }
}

/** Returns a name as file systems compare it that ignore case, or normalize Unicode. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC')
}

function sameNameMessage(one: string, other: string): string {
  if (one === other) return `'${one}' is both a file and a folder`
  return `'${one}' and '${other}' differ only in upper and lower case, or in Unicode normalization`
}

interface Store {
  readonly incoming: string
  /** Returns whether a file exists already; when absent, all files are written. */
  has?(digest: string): Promise<boolean>
  place(digest: string): Promise<string>
}

async function unpackEntry(archive: Archive, entry: Entry, store: Store): Promise<TreeFile> {
  const isLarge = entry.uncompressedSize > MAX_FILE_IN_MEMORY
  return isLarge ? unpackLarge(archive.zip, entry, store) : unpackSmall(archive, entry, store)
}

/** Unpacks a file in memory. Most files of a site are small, and most deployed files exist already. */
async function unpackSmall(archive: Archive, entry: Entry, store: Store): Promise<TreeFile> {
  const bytes = (await inflate(archive, entry)) ?? (await readStream(archive.zip, entry))
  if (crc32(bytes) !== entry.crc32) throw new ArchiveFault(`'${entry.fileName}' is damaged`)
  const digest = createHash('sha256').update(bytes).digest('hex')
  if ((await store.has?.(digest)) !== true) {
    const unfinished = join(store.incoming, randomBytes(16).toString('hex'))
    const place = await store.place(digest)
    // Written synchronously, because handing thousands of small files to other threads would take most of the time.
    writeFileSync(unfinished, bytes, { flag: 'wx' })
    renameSync(unfinished, place)
  }
  return { digest, size: bytes.length }
}

/** Inflates a file of an archive in memory; returns null when it has to be streamed. @throws ArchiveFault, and errors of zlib */
async function inflate({ zip, bytes }: Archive, entry: Entry): Promise<Buffer | null> {
  const { fileName, compressedSize, uncompressedSize } = entry
  if (bytes === null || entry.compressionMethod !== DEFLATED) return null
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const packed = bytes.subarray(fileDataStart, fileDataStart + compressedSize)
  try {
    const whole = inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) })
    if (whole.length === uncompressedSize) return whole
  } catch (error) {
    if (errorCodeOf(error) !== 'ERR_BUFFER_TOO_LARGE') throw error
  }
  throw new ArchiveFault(`'${fileName}' does not have the size that the archive states`)
}

async function readStream(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

async function unpackLarge(zip: ZipFile, entry: Entry, store: Store): Promise<TreeFile> {
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
  return /^(?:Z_|ERR_STREAM)/.test(String(errorCodeOf(error)))
}

function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  if (/^(?:End of central directory|Invalid comment length|unexpected EOF)/i.test(text))
    return 'it is incomplete, or not a zip archive'
  if (/^(?:invalid relative path|absolute path|invalid characters in fileName)/.test(text))
    return `a name in it leads out of the site (${text})`
  return text
}
