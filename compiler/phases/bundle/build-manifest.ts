/** `manifest.json`: what a build consists of, every file with its digest. It names no time and no place, so that the same site has the same. */
import { createHash, hash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ABI } from '../../../runtime/page/site.ts'
import { VERSION } from '../emit/manifest.ts'

export const MANIFEST = 'manifest.json'

/** Folders of others in the folder of a build: what the watcher builds, and what a check has found. They are no part of it, and outlive it. */
export const BESIDE: readonly string[] = ['dev', 'cache']

export interface BuildFile {
  /** Relative to the folder of the build, with forward slashes. */
  readonly path: string
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

/** Bytes of the largest file that is read whole: modules, of which a build has thousands, are smaller. */
const SMALL = 256 * 1024
/** Files that are read before others get their turn: some milliseconds. */
const IN_A_ROW = 64

/** The files in the folder of a build, in the order of their paths. @throws Error of the file system, with its path */
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
    if (at % IN_A_ROW === IN_A_ROW - 1) await nextTurn()
    files.push(await digested(folder, path))
  }
  return files
}

async function digested(folder: string, path: string): Promise<BuildFile> {
  const file = join(folder, path)
  if (statSync(file).size <= SMALL) {
    const bytes = readFileSync(file)
    return { path, digest: hash('sha256', bytes), size: bytes.length }
  }
  const hashing = createHash('sha256')
  const stream = createReadStream(file)
  await pipeline(stream, hashing)
  return { path, digest: hashing.digest('hex'), size: stream.bytesRead }
}

/** One file a line. */
export function manifestText(files: readonly BuildFile[]): string {
  const lines = files.map(
    ({ path, digest, size }) => `    ${JSON.stringify(path)}: ${JSON.stringify({ digest, size })}`,
  )
  const head = `  "abi": ${ABI},\n  "builtBy": ${JSON.stringify(VERSION)},\n  "files": {`
  return `{\n${head}\n${lines.join(',\n')}\n  }\n}\n`
}
