/** Streams zip archives, so that no file is held in memory as a whole. */
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ArchiveFile {
  /** Name in the archive; only letters, digits and `-_./`. */
  readonly name: string
  /** Local path. */
  readonly from: string
}

/** An entry of the archive's directory. */
interface ArchiveEntry {
  readonly name: Buffer
  readonly checksum: number
  readonly packed: number
  readonly size: number
  readonly at: number
}

/** Maximum size and offset without the ZIP64 extension: 32 bits. */
const MAX_SIZE = 0xffff_ffff
const VERSION = 20
/** Flags: sizes follow the data, and names are UTF-8. */
const FLAGS = 0x0808
const DEFLATED = 8
/** 1 January 1980. The fixed date makes archives of equal files equal. */
const DAY = 0x0021

/**
 * Writes an archive of files.
 * @param targetPath path of the archive, which must not exist yet
 * @throws Error when it would become too large for its format
 */
export async function writeZip(files: readonly ArchiveFile[], targetPath: string): Promise<void> {
  await pipeline(archiveBytes(files), createWriteStream(targetPath, { flags: 'wx', mode: 0o600 }))
}

async function* archiveBytes(files: readonly ArchiveFile[]): AsyncGenerator<Buffer> {
  const entries: ArchiveEntry[] = []
  let offset = 0
  for (const { name, from } of files) {
    const nameBytes = Buffer.from(name)
    const start = offset
    const head = localHead(nameBytes)
    yield head
    offset += head.length
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
    for await (const data of deflated) {
      const chunk = Buffer.from(data)
      packed += chunk.length
      if (offset + packed > MAX_SIZE || size > MAX_SIZE) throw new Error('the archive would have more than 4 GB')
      yield chunk
    }
    offset += packed
    const tail = dataDescriptor(checksum, packed, size)
    yield tail
    offset += tail.length
    entries.push({ name: nameBytes, checksum, packed, size, at: start })
  }
  const list = Buffer.concat(entries.map(directoryEntry))
  if (offset + list.length > MAX_SIZE) throw new Error('the archive would have more than 4 GB')
  yield list
  yield directoryEnd(entries.length, list.length, offset)
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

function dataDescriptor(checksum: number, packed: number, size: number): Buffer {
  const tail = Buffer.alloc(16)
  tail.writeUInt32LE(0x0807_4b50, 0)
  tail.writeUInt32LE(checksum, 4)
  tail.writeUInt32LE(packed, 8)
  tail.writeUInt32LE(size, 12)
  return tail
}

function directoryEntry({ name, checksum, packed, size, at }: ArchiveEntry): Buffer {
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

function directoryEnd(count: number, length: number, at: number): Buffer {
  const tail = Buffer.alloc(22)
  tail.writeUInt32LE(0x0605_4b50, 0)
  tail.writeUInt16LE(count, 8)
  tail.writeUInt16LE(count, 10)
  tail.writeUInt32LE(length, 12)
  tail.writeUInt32LE(at, 16)
  return tail
}
