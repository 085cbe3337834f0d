/** Copies files with their digests, durably. */
import { createHash } from 'node:crypto'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Bytes that are read at once. */
const CHUNK = 1 << 18

/** What was copied: bytes, and the SHA-256 digest in hexadecimal. */
export interface Copied {
  readonly size: number
  readonly sha256: string
}

/** Copies a file into a new one that only its owner can read, and waits until it is on the disk. */
export async function copyFile(source: string, target: string): Promise<Copied> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const written = await open(target, 'wx', 0o600)
  const digest = createHash('sha256')
  let size = 0
  try {
    for await (const chunk of chunksOf(source)) {
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

/** The digest of a file. */
export async function digestOf(file: string): Promise<Copied> {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of chunksOf(file)) {
    digest.update(chunk)
    size += chunk.length
  }
  return { size, sha256: digest.digest('hex') }
}

/**
 * What a file holds. Each chunk is in the place of the one before it, and that is as large as the file at most: a cluster has a thousand
 * small files.
 */
async function* chunksOf(file: string): AsyncGenerator<Buffer, void, undefined> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const place = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK, size)))
    for (;;) {
      const { bytesRead } = await handle.read(place, 0, place.length)
      if (bytesRead === 0) return
      yield place.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

export interface Tree {
  /** Paths below the folder, with `/` between their parts, in order. */
  readonly files: readonly string[]
  /** Folders that hold nothing. */
  readonly empty: readonly string[]
}

/**
 * The regular files below a folder. What vanishes meanwhile is left out; links and sockets are too.
 * @param keeps whether a file or folder, by its path below the folder, belongs to it; a folder of which nothing is kept counts as empty
 */
export async function filesBelow(folder: string, keeps: (path: string) => boolean): Promise<Tree> {
  const files: string[] = []
  const empty: string[] = []
  const walk = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true })
    let kept = 0
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (!keeps(path) || !(entry.isFile() || entry.isDirectory())) continue
      kept++
      if (entry.isFile()) files.push(path)
      else await walk(path)
    }
    if (kept === 0 && below !== '') empty.push(below)
  }
  await walk('')
  return { files, empty }
}
