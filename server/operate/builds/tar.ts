/** Reads a tar archive as `ingot build --pack` writes it, entry by entry: plain files, and nothing else that the format knows. */
import { BLOCK } from '../../../runtime/page/build-archive.ts'

/** An archive that is none, or holds more than plain files. */
export class TarFault extends Error {}

export interface Entry {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Must be read to their end before the next entry. */
  chunks(): AsyncGenerator<Buffer>
  /** All of them. */
  bytes(): Promise<Buffer>
}

/**
 * Hands every entry to `take`, one after the other.
 * @throws TarFault, and what `take` throws
 */
export async function tarEntries(chunks: AsyncIterable<Buffer>, take: (entry: Entry) => Promise<void>): Promise<void> {
  const source = new Source(chunks)
  for (;;) {
    const header = await source.exactly(BLOCK)
    if (header === null) throw new TarFault('it ends too early')
    // The end is two empty blocks; what comes behind them is no part of it.
    if (header.every((byte) => byte === 0)) return source.drain()
    const { name, size } = readHeader(header)
    let left = size
    const entry: Entry = {
      name,
      size,
      async *chunks() {
        while (left > 0) {
          const chunk = await source.some(left)
          if (chunk === null) throw new TarFault('it ends too early')
          left -= chunk.length
          yield chunk
        }
      },
      async bytes() {
        const all: Buffer[] = []
        for await (const chunk of this.chunks()) all.push(chunk)
        return Buffer.concat(all)
      },
    }
    await take(entry)
    if (left > 0) throw new TarFault('a file in it was not read')
    const filling = (BLOCK - (size % BLOCK)) % BLOCK
    if (filling > 0 && (await source.exactly(filling)) === null) throw new TarFault('it ends too early')
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
    if (!/^[0-7]+$/.test(digits)) throw new TarFault('it is no archive of ours')
    return Number.parseInt(digits, 8)
  }
  const sum = block.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (number(148, 8) !== sum) throw new TarFault('it is no archive of ours')
  // Links, folders, devices and longer names are never written.
  if (text(156, 1) !== '0' || text(345, 155) !== '') throw new TarFault('it holds more than plain files')
  return { name: text(0, 100), size: number(124, 12) }
}

/** Bytes of a stream by number. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** At least one byte and at most so many; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    if (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next()
      if (done === true) return null
      this.#rest = value
      if (value.length === 0) return this.some(most)
    }
    const taken = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(taken.length)
    return taken
  }

  /** So many bytes; null where there are fewer. */
  async exactly(length: number): Promise<Buffer | null> {
    const parts: Buffer[] = []
    for (let left = length; left > 0; ) {
      const part = await this.some(left)
      if (part === null) return null
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }

  /** Reads to the end, so that a stream which is cut off is known. At most a few blocks may follow. */
  async drain(): Promise<void> {
    for (let left = 64 * BLOCK; ; ) {
      const part = await this.some(left)
      if (part === null) return
      left -= part.length
      if (left <= 0) throw new TarFault('something follows its end')
    }
  }
}
