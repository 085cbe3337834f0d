/** Writes zip archives as a stream; no file is held in memory as a whole. */
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ArchiveFile {
  /** Name in the archive; only letters, digits and `-_./`. */
  readonly name: string
  /** Local path. */
  readonly from: string
}

interface ArchiveEntry {
  readonly name: Buffer
  readonly checksum: number
  readonly packed: number
  readonly size: number
  readonly at: number
}

/** Sizes and offsets have 32 bits without the ZIP64 extension. */
const MAX_SIZE = 0xffff_ffff
const VERSION = 20
/** Flags: sizes follow the data, names are UTF-8. */
const FLAGS = 0x0808
const DEFLATED = 8
/** 1 January 1980, so that archives of equal files are equal. */
const DAY = 0x0021

/**
 * Writes an archive of files.
 * @param to must not exist yet
 * @throws Error when it would become too large for its format
 */
export async function writeZip(files: readonly ArchiveFile[], to: string): Promise<void> {
  await pipeline(bytesOf(files), createWriteStream(to, { flags: 'wx', mode: 0o600 }))
}

async function* bytesOf(files: readonly ArchiveFile[]): AsyncGenerator<Buffer> {
  const entries: ArchiveEntry[] = []
  let at = 0
  for (const { name, from } of files) {
    const written = Buffer.from(name)
    const start = at
    const head = localHead(written)
    yield head
    at += head.length
    let [checksum, size, packed] = [0, 0, 0]
    const source = createReadStream(from)
    const deflated = source
      .on('data', (chunk: Buffer | string) => {
        const bytes = Buffer.from(chunk)
        checksum = crc32(bytes, checksum)
        size += bytes.length
      })
      .pipe(createDeflateRaw())
    source.on('error', (error) => deflated.destroy(error))
    for await (const chunk of deflated as AsyncIterable<Buffer>) {
      packed += chunk.length
      if (at + packed > MAX_SIZE || size > MAX_SIZE) throw new Error('the archive would have more than 4 GB')
      yield chunk
    }
    at += packed
    const tail = sizes(checksum, packed, size)
    yield tail
    at += tail.length
    entries.push({ name: written, checksum, packed, size, at: start })
  }
  const list = Buffer.concat(entries.map(listed))
  if (at + list.length > MAX_SIZE) throw new Error('the archive would have more than 4 GB')
  yield list
  yield end(entries.length, list.length, at)
}

function localHead(name: Buffer): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x0403_4b50, 0)
  head.writeUInt16LE(VERSION, 4)
  head.writeUInt16LE(FLAGS, 6)
  head.writeUInt16LE(DEFLATED, 8)
  head.writeUInt16LE(DAY, 12)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name])
}

function sizes(checksum: number, packed: number, size: number): Buffer {
  const tail = Buffer.alloc(16)
  tail.writeUInt32LE(0x0807_4b50, 0)
  tail.writeUInt32LE(checksum, 4)
  tail.writeUInt32LE(packed, 8)
  tail.writeUInt32LE(size, 12)
  return tail
}

function listed({ name, checksum, packed, size, at }: ArchiveEntry): Buffer {
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x0201_4b50, 0)
  head.writeUInt16LE(VERSION, 4)
  head.writeUInt16LE(VERSION, 6)
  head.writeUInt16LE(FLAGS, 8)
  head.writeUInt16LE(DEFLATED, 10)
  head.writeUInt16LE(DAY, 14)
  head.writeUInt32LE(checksum, 16)
  head.writeUInt32LE(packed, 20)
  head.writeUInt32LE(size, 24)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt32LE(at, 42)
  return Buffer.concat([head, name])
}

function end(count: number, length: number, at: number): Buffer {
  const tail = Buffer.alloc(22)
  tail.writeUInt32LE(0x0605_4b50, 0)
  tail.writeUInt16LE(count, 8)
  tail.writeUInt16LE(count, 10)
  tail.writeUInt32LE(length, 12)
  tail.writeUInt32LE(at, 16)
  return tail
}
