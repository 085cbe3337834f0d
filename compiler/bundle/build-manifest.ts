/** `manifest.json`: what a build consists of, every file with its digest. It names no time and no place, so that the same site has the same. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ABI } from '../../runtime/page/site.ts'
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
  for (let at = 0; at < paths.length; at += 64)
    files.push(...(await Promise.all(paths.slice(at, at + 64).map((path) => digested(folder, path)))))
  return files
}

async function digested(folder: string, path: string): Promise<BuildFile> {
  const hash = createHash('sha256')
  const stream = createReadStream(join(folder, path))
  await pipeline(stream, hash)
  return { path, digest: hash.digest('hex'), size: stream.bytesRead }
}

/** One file a line. */
export function manifestText(files: readonly BuildFile[]): string {
  const lines = files.map(
    ({ path, digest, size }) => `    ${JSON.stringify(path)}: ${JSON.stringify({ digest, size })}`,
  )
  const head = `  "abi": ${ABI},\n  "builtBy": ${JSON.stringify(VERSION)},\n  "files": {`
  return `{\n${head}\n${lines.join(',\n')}\n  }\n}\n`
}
