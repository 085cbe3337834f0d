/**
 * Writes `manifest.json`, the list of a build's files with their digests. It contains no time or path, so that builds are reproducible.
 */
import { createHash, hash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ABI } from '../../../runtime/page/site.ts'
import { VERSION } from '../emit/manifest.ts'

export const MANIFEST = 'manifest.json'

/** Folders in the build folder that are not part of the build and are kept: the watcher's build, and cached check results. */
export const KEPT_FOLDERS: readonly string[] = ['dev', 'cache']

interface BuildFile {
  /** Relative to the build folder, with forward slashes. */
  readonly path: string
  /** SHA-256 in hexadecimal. */
  readonly digest: string
  /** Size in bytes. */
  readonly size: number
}

/** Maximum size in bytes of a file that is read with one call. A build has thousands of smaller modules. */
const SMALL_FILE_SIZE = 256 * 1024
/** Number of files to read before yielding to other tasks. Reading them takes a few milliseconds. */
const FILES_PER_TURN = 64

/** Returns the files of a build folder, sorted by path. @throws File-system error that names the path */
export async function listFiles(folder: string): Promise<readonly BuildFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
  const files: BuildFile[] = []
  for (const [at, path] of paths.entries()) {
    if (at % FILES_PER_TURN === FILES_PER_TURN - 1) await nextTurn()
    files.push(await digestFile(folder, path))
  }
  return files
}

async function digestFile(folder: string, path: string): Promise<BuildFile> {
  const file = join(folder, path)
  if (statSync(file).size <= SMALL_FILE_SIZE) {
    const bytes = readFileSync(file)
    return { path, digest: hash('sha256', bytes), size: bytes.length }
  }
  const sha256 = createHash('sha256')
  const stream = createReadStream(file)
  await pipeline(stream, sha256)
  return { path, digest: sha256.digest('hex'), size: stream.bytesRead }
}

/** Returns the manifest with one file per line. */
export function formatManifest(files: readonly BuildFile[]): string {
  const lines = files.map(
    ({ path, digest, size }) => `    ${JSON.stringify(path)}: ${JSON.stringify({ digest, size })}`,
  )
  const head = `  "abi": ${ABI},\n  "builtBy": ${JSON.stringify(VERSION)},\n  "files": {`
  return `{\n${head}\n${lines.join(',\n')}\n  }\n}\n`
}
