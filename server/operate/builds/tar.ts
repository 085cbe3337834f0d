/** Reads a tar archive of `ingot build --pack`, entry by entry. Only plain files are accepted. */
import { BLOCK } from '../../../runtime/page/build-archive.ts'

/** Thrown for data that is not an archive of `ingot build --pack`. */
export class TarError extends Error {}

export interface TarEntry {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Streams the contents, which must be read completely before the next entry. */
  chunks(): AsyncGenerator<Buffer>
  /** Reads the whole contents. */
  bytes(): Promise<Buffer>
}

/**
 * Calls `onEntry` with each entry, one after the other.
 * @throws TarError, and the errors of `onEntry`
 */
export async function readTar(
  chunks: AsyncIterable<Buffer>,
  onEntry: (entry: TarEntry) => Promise<void>,
): Promise<void> {
  const source = new ByteReader(chunks)
  for (;;) {
    const header = await source.readExactly(BLOCK)
    if (header === null) throw new TarError('it is truncated')
    // Two empty blocks mark the end. Anything after them is ignored, up to a limit.
    if (header.every((byte) => byte === 0)) return source.drain()
    const { name, size } = readHeader(header)
    let remaining = size
    const entry: TarEntry = {
      name,
      size,
      async *chunks() {
        while (remaining > 0) {
          const chunk = await source.readSome(remaining)
          if (chunk === null) throw new TarError('it is truncated')
          remaining -= chunk.length
          yield chunk
        }
      },
      async bytes() {
        const all: Buffer[] = []
        for await (const chunk of this.chunks()) all.push(chunk)
        return Buffer.concat(all)
      },
    }
    await onEntry(entry)
    if (remaining > 0) throw new TarError('a file in it was not read')
    const padding = (BLOCK - (size % BLOCK)) % BLOCK
    if (padding > 0 && (await source.readExactly(padding)) === null) throw new TarError('it is truncated')
  }
}

function readHeader(block: Buffer): { readonly name: string; readonly size: number } {
  const text = (from: number, length: number): string => {
    const bytes = block.subarray(from, from + length)
    const end = bytes.indexOf(0)
    return bytes.subarray(0, end < 0 ? length : end).toString('latin1')
  }
  const number = (from: number, length: number): number => {
    const digits = text(from, length).trim()
    if (!/^[0-7]+$/.test(digits)) throw new TarError('it was not made by `ingot build --pack`')
    return Number.parseInt(digits, 8)
  }
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (number(148, 8) !== sum) throw new TarError('it was not made by `ingot build --pack`')
  // `ingot build --pack` writes no links, folders, devices or long names.
  if (text(156, 1) !== '0' || text(345, 155) !== '') throw new TarError('it has entries other than plain files')
  return { name: text(0, 100), size: number(124, 12) }
}

/** Reads bytes from a stream of chunks. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Reads between one byte and `maxBytes` bytes; null at the end. */
  async readSome(maxBytes: number): Promise<Buffer | null> {
    if (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next()
      if (done === true) return null
      this.#rest = value
      if (value.length === 0) return this.readSome(maxBytes)
    }
    const chunk = this.#rest.subarray(0, maxBytes)
    this.#rest = this.#rest.subarray(chunk.length)
    return chunk
  }

  /** Reads exactly `length` bytes; null when there are fewer. */
  async readExactly(length: number): Promise<Buffer | null> {
    const parts: Buffer[] = []
    for (let remaining = length; remaining > 0; ) {
      const part = await this.readSome(remaining)
      if (part === null) return null
      parts.push(part)
      remaining -= part.length
    }
    return Buffer.concat(parts)
  }

  /** Reads to the end, so that a truncated stream fails. At most a few blocks may follow. */
  async drain(): Promise<void> {
    for (let remaining = 64 * BLOCK; ; ) {
      const part = await this.readSome(remaining)
      if (part === null) return
      remaining -= part.length
      if (remaining <= 0) throw new TarError('it has data after its end')
    }
  }
}
