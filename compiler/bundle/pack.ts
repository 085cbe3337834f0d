/**
 * A build as one file: a tar archive, compressed with gzip. It holds the manifest, then every file under the digest of its
 * bytes, so that no path of the archive is one of the disk, and files that are the same are there once.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { systemless } from '../assets/compress.ts'
import { naming } from '../source/name-errors.ts'
import { type BuildFile, listFiles, MANIFEST } from './build-manifest.ts'

/** Folder of the files in an archive. */
const FILES = 'files'
/** A tar archive is written in blocks of so many bytes, and ends with two empty ones. */
const BLOCK = 512

/**
 * Packs a build.
 * @param folder that it was written to
 * @param to path of the archive, which is replaced when the new one is whole
 * @throws Error of the file system, with its path
 */
export async function packBuild(folder: string, to: string): Promise<void> {
  const unfinished = `${to}.${process.pid}.new`
  try {
    const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION })
    const archive = Readable.from(archived(folder))
    await naming(to, pipeline(archive, gzip, withoutSystem, createWriteStream(unfinished)))
    await rename(unfinished, to)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function* archived(folder: string): AsyncGenerator<Uint8Array> {
  const manifest = await readFile(join(folder, MANIFEST))
  yield header(MANIFEST, manifest.length)
  yield manifest
  yield filling(manifest.length)
  for (const { path, digest, size } of once(await listFiles(folder))) {
    yield header(`${FILES}/${digest}`, size)
    yield* createReadStream(join(folder, path)) as AsyncIterable<Uint8Array>
    yield filling(size)
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** Each of the bytes once, in the order of the digests. */
function once(files: readonly BuildFile[]): readonly BuildFile[] {
  const kept = files.filter(({ path }) => path !== MANIFEST && path !== '.gitignore' && !path.startsWith('dev/'))
  return [...new Map(kept.map((file) => [file.digest, file])).values()].sort((a, b) => (a.digest < b.digest ? -1 : 1))
}

/** The header of a file that belongs to nobody and was written at no time (POSIX ustar). */
function header(name: string, size: number): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  // The sum is taken with spaces in its own place.
  block.write('        ', 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((all, byte) => all + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** A file takes whole blocks. */
function filling(size: number): Uint8Array {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

/** The first bytes name the system that compressed them. */
async function* withoutSystem(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first = true
  for await (const chunk of chunks) {
    yield first ? systemless(chunk) : chunk
    first = false
  }
}
