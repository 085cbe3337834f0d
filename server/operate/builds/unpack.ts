/**
 * Unpacks what `ingot build --pack` wrote: once for each archive, into a folder that is named by the archive's digest. The
 * archive comes from outside: nothing of it is a path of the disk, its manifest says beforehand how much there is, and every
 * file has to have the digest by which it is listed. A folder has its name only when all of it is there.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { codeOf } from '../../core/error-code.ts'
import { parseDigestName } from '../../../runtime/page/build-archive.ts'
import { StartError } from '../../core/start-error.ts'
import { removeLeft } from '../../core/leftovers.ts'
import { fileDigest, type Files, isWhole, MANIFEST, placeWhole, readFiles } from './place.ts'
import { type Entry, TarFault, tarEntries } from './tar.ts'

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024
/** Bytes that any archive may unpack to; a larger one as many times its own. */
const FREE = 256 * 1024 * 1024
const MOST_TIMES = 100

/**
 * The folder of the build in an archive.
 * @param folder of all builds that were unpacked; it is made
 * @throws StartError when the archive is no build, damaged, or not what it says
 */
export async function unpackBuild(archive: string, folder: string): Promise<string> {
  const name = await fileDigest(archive).catch((error: unknown) => {
    throw systemError(error, archive)
  })
  const target = join(folder, name)
  if (await isWhole(target)) return target
  try {
    await mkdir(folder, { recursive: true })
    await removeLeft(folder, '.')
    return await placeWhole(folder, async (unfinished) => {
      await unpackInto(await archiveIn(archive), unfinished)
      return name
    })
  } catch (error) {
    throw unpackError(error, nameOf(archive), folder)
  }
}

/**
 * Why a build could not be unpacked or copied, as a sentence where it has one.
 * @param archive its name, for the sentence
 */
export function unpackError(error: unknown, archive: string, folder: string): unknown {
  if (error instanceof StartError) return error
  if (error instanceof TarFault || isZlib(error)) return refused(archive, describe(error))
  return systemError(error, folder)
}

/** An archive, wherever its bytes come from. */
export interface Archive {
  /** For sentences. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  chunks(): AsyncIterable<Uint8Array>
}

/** The archive in a file. @throws Error of the file system */
export async function archiveIn(path: string): Promise<Archive> {
  const { size } = await stat(path)
  return { name: nameOf(path), size, chunks: () => createReadStream(path) }
}

/** How a sentence names an archive. */
export function nameOf(path: string): string {
  return `'${basename(path)}'`
}

/**
 * Unpacks an archive into an empty folder.
 * @throws StartError, TarFault, and errors of gzip, of the file system and of where the archive is
 */
export async function unpackInto({ name: archive, size, chunks }: Archive, folder: string): Promise<void> {
  const read: { listed: Listed | null } = { listed: null }
  const take = async (entry: Entry): Promise<void> => {
    if (read.listed !== null) return takeFile(entry, read.listed, folder)
    if (entry.name !== MANIFEST || entry.size > MAX_MANIFEST_BYTES)
      throw refused(archive, 'it does not begin with a manifest')
    const bytes = await entry.bytes()
    read.listed = { archive, byDigest: byDigest(filesOf(bytes, archive, size)), done: new Set() }
    await writeFile(join(folder, MANIFEST), bytes)
  }
  const unzipped = createGunzip()
  // Its failure destroys what is read below with the same error, and is told there.
  const feeding = pipeline(chunks(), unzipped).catch(() => undefined)
  try {
    // Not a part of the pipeline, which would end before a file that is being written was closed.
    await tarEntries(unzipped, take)
  } finally {
    unzipped.destroy()
    await feeding
  }
  const { listed } = read
  if (listed === null || listed.byDigest.size !== listed.done.size) throw refused(archive, 'files are missing in it')
}

interface Listed {
  readonly archive: string
  readonly byDigest: ReadonlyMap<string, { readonly size: number; readonly paths: readonly string[] }>
  readonly done: Set<string>
}

async function takeFile(entry: Entry, { archive, byDigest, done }: Listed, folder: string): Promise<void> {
  const digest = parseDigestName(entry.name) ?? ''
  const file = byDigest.get(digest)
  if (file === undefined || file.size !== entry.size || done.has(digest))
    throw refused(archive, 'it holds a file that its manifest does not list')
  const [first = '', ...others] = file.paths.map((each) => join(folder, each))
  await mkdir(dirname(first), { recursive: true })
  const hash = createHash('sha256')
  // `wx`: nothing is there that could be a link.
  const handle = await open(first, 'wx', 0o644)
  try {
    for await (const chunk of entry.chunks()) {
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
  } finally {
    await handle.close()
  }
  if (hash.digest('hex') !== digest) throw refused(archive, 'a file in it is damaged')
  for (const other of others) {
    await mkdir(dirname(other), { recursive: true })
    await copyFile(first, other)
  }
  done.add(digest)
}

function filesOf(bytes: Buffer, archive: string, packed: number): Files {
  const files = readFiles(bytes.toString('utf8'))
  if (files === null) throw refused(archive, 'its manifest cannot be read')
  const total = Object.values(files).reduce((all, { size }) => all + size, 0)
  if (total > Math.max(FREE, packed * MOST_TIMES)) throw refused(archive, `it would unpack to ${total} bytes`)
  return files
}

function byDigest(files: Files): Listed['byDigest'] {
  const found = new Map<string, { size: number; paths: string[] }>()
  for (const [path, { digest, size }] of Object.entries(files)) {
    const known = found.get(digest)
    if (known === undefined) found.set(digest, { size, paths: [path] })
    else known.paths.push(path)
  }
  return found
}

function isZlib(error: unknown): boolean {
  return /^Z_|^ERR_ZLIB|^ERR_STREAM_PREMATURE_CLOSE/.test(codeOf(error) ?? '')
}

function describe(error: unknown): string {
  return error instanceof TarFault ? error.message : 'it is damaged, or no gzip'
}

function refused(archive: string, why: string): StartError {
  return new StartError(`${archive} cannot be served, ${why}: pack the site again with \`ingot build --pack\`.`)
}

function systemError(error: unknown, place: string): unknown {
  const code = codeOf(error)
  if (code === null) return error
  const full = code === 'ENOSPC' ? 'the disk is full' : `the system says ${code}`
  return new StartError(`'${place}' cannot be read or written: ${full}.`)
}
