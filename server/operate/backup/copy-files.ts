/** Copies files durably, with their digests. */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

/** Bytes to read at once. */
const CHUNK_SIZE = 1 << 18

/** The size and digest of a copied file: bytes, and SHA-256 in hexadecimal. */
export interface FileDigest {
  readonly size: number
  readonly sha256: string
}

/** Copies a file to a new file that only its owner can read, and flushes it to the disk. */
export async function copyFile(source: string, target: string): Promise<FileDigest> {
  const content = await readSmall(source)
  if (content === null) return copyLarge(source, target)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const written = openSync(target, 'wx', 0o600)
  try {
    writeFileSync(written, content)
    fsyncSync(written)
  } finally {
    closeSync(written)
  }
  return digestOfContent(content)
}

async function copyLarge(source: string, target: string): Promise<FileDigest> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const written = await open(target, 'wx', 0o600)
  const digest = createHash('sha256')
  let size = 0
  try {
    for await (const chunk of readChunks(source)) {
      digest.update(chunk)
      size += chunk.length
      await written.writeFile(chunk)
    }
    await written.sync()
  } finally {
    await written.close()
  }
  return { size, sha256: digest.digest('hex') }
}

/** Computes the digest of a file. */
export async function digestOf(file: string): Promise<FileDigest> {
  const content = await readSmall(file)
  if (content !== null) return digestOfContent(content)
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of readChunks(file)) {
    digest.update(chunk)
    size += chunk.length
  }
  return { size, sha256: digest.digest('hex') }
}

function digestOfContent(content: Buffer): FileDigest {
  return { size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

/**
 * Returns the content of a small file; null for a large one. A cluster has a thousand small files, and asynchronous calls take several
 * times as long for them. Before each file, signals and connections have their turn.
 */
async function readSmall(file: string): Promise<Buffer | null> {
  await setImmediate()
  const descriptor = openSync(file, 'r')
  try {
    return fstatSync(descriptor).size > CHUNK_SIZE ? null : readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Reads a file in chunks. All chunks share one buffer, so a chunk is valid only until the next one is read. */
async function* readChunks(file: string): AsyncGenerator<Buffer, void, undefined> {
  const handle = await open(file)
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_SIZE)
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

export interface FileTree {
  /** Paths relative to the folder, with `/` as separator, in order. */
  readonly files: readonly string[]
  /** Folders without files. */
  readonly empty: readonly string[]
}

/**
 * Lists the regular files below a folder. Links, sockets and files that vanish meanwhile are left out.
 * @param includes whether to include the file or folder at a relative path; a folder without included entries counts as empty
 */
export async function filesBelow(folder: string, includes: (path: string) => boolean): Promise<FileTree> {
  const files: string[] = []
  const empty: string[] = []
  const addFolder = async (relativeFolder: string): Promise<void> => {
    const entries = await readdir(join(folder, relativeFolder), { withFileTypes: true })
    let includedCount = 0
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = relativeFolder === '' ? entry.name : `${relativeFolder}/${entry.name}`
      if (!includes(path) || !(entry.isFile() || entry.isDirectory())) continue
      includedCount++
      if (entry.isFile()) files.push(path)
      else await addFolder(path)
    }
    if (includedCount === 0 && relativeFolder !== '') empty.push(relativeFolder)
  }
  await addFolder('')
  return { files, empty }
}
