/**
 * Unpacks archives of `ingot build --pack`, each once, into a folder named by the archive's digest. The archive is untrusted: paths and
 * sizes come from its validated manifest, and every file must have the listed digest. The folder gets its name only when it is
 * complete.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { errorCodeOf } from '../../core/error-code.ts'
import { parseDigestName } from '../../../runtime/page/build-archive.ts'
import { StartError } from '../../core/start-error.ts'
import { removeLeftovers } from '../../core/leftovers.ts'
import { fileDigest, type Files, createBuildFolder, isComplete, MANIFEST, parseManifest } from './build-folder.ts'
import { readTar, type TarEntry, TarError } from './tar.ts'

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024
/** Bytes that any archive may unpack to. Larger archives may unpack to `MAX_EXPANSION` times their own size. */
const ALWAYS_ALLOWED_BYTES = 256 * 1024 * 1024
const MAX_EXPANSION = 100

/**
 * Unpacks an archive, unless it already was. Returns the folder of the build.
 * @param folder folder of all unpacked builds, which is created
 * @throws StartError when the archive is damaged, or not a build
 */
export async function unpackBuild(archive: string, folder: string): Promise<string> {
  const name = await fileDigest(archive).catch((error: unknown) => {
    throw systemError(error, archive)
  })
  const target = join(folder, name)
  if (await isComplete(target)) return target
  try {
    await mkdir(folder, { recursive: true })
    await removeLeftovers(folder, '.')
    return await createBuildFolder(folder, async (unfinished) => {
      await unpackInto(await openArchive(archive), unfinished)
      return name
    })
  } catch (error) {
    throw unpackError(error, formatArchiveName(archive), folder)
  }
}

/**
 * Converts an error of unpacking or copying a build to a StartError, where its cause is known.
 * @param archive name for the message
 */
export function unpackError(error: unknown, archive: string, folder: string): unknown {
  if (error instanceof StartError) return error
  if (error instanceof TarError || isZlib(error)) return archiveError(archive, describeError(error))
  return systemError(error, folder)
}

/** An archive from any source. */
export interface Archive {
  /** For messages. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  chunks(): AsyncIterable<Uint8Array>
}

/** Opens an archive file. @throws Error of the file system */
export async function openArchive(path: string): Promise<Archive> {
  const { size } = await stat(path)
  return { name: formatArchiveName(path), size, chunks: () => createReadStream(path) }
}

/** Returns the name of an archive for messages. */
export function formatArchiveName(path: string): string {
  return `'${basename(path)}'`
}

/**
 * Unpacks an archive into an empty folder.
 * @throws StartError, TarError, and errors of gzip, of the file system and of the archive's source
 */
export async function unpackInto({ name: archive, size, chunks }: Archive, folder: string): Promise<void> {
  const state: { listed: ListedFiles | null } = { listed: null }
  const onEntry = async (entry: TarEntry): Promise<void> => {
    if (state.listed !== null) return unpackFile(entry, state.listed, folder)
    if (entry.name !== MANIFEST || entry.size > MAX_MANIFEST_BYTES)
      throw archiveError(archive, 'it does not begin with a manifest')
    const bytes = await entry.bytes()
    state.listed = { archive, byDigest: groupByDigest(parseFiles(bytes, archive, size)), done: new Set() }
    await writeFile(join(folder, MANIFEST), bytes)
  }
  const unzipped = createGunzip()
  // A failure destroys `unzipped` with the same error, so `readTar` throws it.
  const decompression = pipeline(chunks(), unzipped).catch(() => undefined)
  try {
    // `readTar` is not part of the pipeline, because the pipeline would end before an open file is closed.
    await readTar(unzipped, onEntry)
  } finally {
    unzipped.destroy()
    await decompression
  }
  const { listed } = state
  if (listed === null || listed.byDigest.size !== listed.done.size)
    throw archiveError(archive, 'files are missing in it')
}

interface ListedFiles {
  readonly archive: string
  readonly byDigest: ReadonlyMap<string, { readonly size: number; readonly paths: readonly string[] }>
  readonly done: Set<string>
}

async function unpackFile(entry: TarEntry, { archive, byDigest, done }: ListedFiles, folder: string): Promise<void> {
  const digest = parseDigestName(entry.name) ?? ''
  const file = byDigest.get(digest)
  if (file === undefined || file.size !== entry.size || done.has(digest))
    throw archiveError(archive, 'it contains a file that its manifest does not list')
  const [first = '', ...others] = file.paths.map((each) => join(folder, each))
  await mkdir(dirname(first), { recursive: true })
  const hash = createHash('sha256')
  // `wx` fails if the path exists, so nothing is written through a link.
  const handle = await open(first, 'wx', 0o644)
  try {
    for await (const chunk of entry.chunks()) {
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
  } finally {
    await handle.close()
  }
  if (hash.digest('hex') !== digest) throw archiveError(archive, 'a file in it is damaged')
  for (const other of others) {
    await mkdir(dirname(other), { recursive: true })
    await copyFile(first, other)
  }
  done.add(digest)
}

function parseFiles(bytes: Buffer, archive: string, packed: number): Files {
  const files = parseManifest(bytes.toString('utf8'))
  if (files === null) throw archiveError(archive, 'its manifest cannot be read')
  const total = Object.values(files).reduce((total, { size }) => total + size, 0)
  if (total > Math.max(ALWAYS_ALLOWED_BYTES, packed * MAX_EXPANSION))
    throw archiveError(archive, `it would unpack to ${total} bytes`)
  return files
}

function groupByDigest(files: Files): ListedFiles['byDigest'] {
  const groups = new Map<string, { size: number; paths: string[] }>()
  for (const [path, { digest, size }] of Object.entries(files)) {
    const group = groups.get(digest)
    if (group === undefined) groups.set(digest, { size, paths: [path] })
    else group.paths.push(path)
  }
  return groups
}

function isZlib(error: unknown): boolean {
  return /^Z_|^ERR_ZLIB|^ERR_STREAM_PREMATURE_CLOSE/.test(errorCodeOf(error) ?? '')
}

function describeError(error: unknown): string {
  return error instanceof TarError ? error.message : 'it is damaged, or not gzip'
}

function archiveError(archive: string, reason: string): StartError {
  return new StartError(
    `${archive} cannot be served, because ${reason}: pack the site again with \`ingot build --pack\`.`,
  )
}

function systemError(error: unknown, place: string): unknown {
  const code = errorCodeOf(error)
  if (code === null) return error
  if (error instanceof Error && error.name === 'PostgresError')
    return new StartError(`The database reported an error: ${error.message}.`)
  const reason = code === 'ENOSPC' ? 'the disk is full' : `system error ${code}`
  return new StartError(`'${place}' cannot be read or written: ${reason}.`)
}
