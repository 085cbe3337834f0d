/** Packs a build into one gzip archive. */
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { packArchive } from '../../../runtime/page/build-archive.ts'
import { clearGzipSystem } from '../assets/compress.ts'
import { withErrorPath } from '../../core/source/name-errors.ts'
import { KEPT_FOLDERS, listFiles, MANIFEST } from './build-manifest.ts'

/**
 * Packs a build.
 * @param folder the build folder
 * @param to path of the archive, which is replaced when the new one is complete
 * @throws File-system error that names the path
 */
export async function packBuild(folder: string, to: string): Promise<void> {
  const unfinished = `${to}.${process.pid}.new`
  try {
    const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION })
    const manifest = { name: MANIFEST, bytes: await readFile(join(folder, MANIFEST)) }
    const files = (await listFiles(folder)).filter(
      ({ path }) =>
        path !== MANIFEST && path !== '.gitignore' && !KEPT_FOLDERS.some((folder) => path.startsWith(`${folder}/`)),
    )
    const archive = packArchive(manifest, files, ({ path }) => createReadStream(join(folder, path)))
    await withErrorPath(to, pipeline(Readable.from(archive), gzip, clearSystemByte, createWriteStream(unfinished)))
    await rename(unfinished, to)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** Clears the byte of the gzip header that names the operating system. */
async function* clearSystemByte(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const chunk of chunks) {
    yield isFirst ? clearGzipSystem(chunk) : chunk
    isFirst = false
  }
}
