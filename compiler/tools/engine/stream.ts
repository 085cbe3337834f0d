/** Streams of rendered text as UTF-8 chunks, encoded on demand. */
import { utf8 } from '../../../runtime/index.ts'

/** `ReadableStream`, if the host's types declare it. The package's own types do not depend on those of Node or browsers. */
export type WebStream = typeof globalThis extends { ReadableStream: { prototype: infer Stream } }
  ? Stream
  : AsyncIterable<Uint8Array>

/** A Node `Readable`, declared without Node's types. */
export interface NodeStream extends AsyncIterable<Uint8Array> {
  pipe(target: NodeTarget, options?: { end?: boolean | undefined }): unknown
  destroy(error?: Error): this
  on(event: 'error', listener: (error: Error) => void): this
  on(event: 'close' | 'end', listener: () => void): this
}

/** The target of `pipe`. */
interface NodeTarget {
  write(chunk: Uint8Array): boolean
}

/** Chunk size in UTF-16 units. */
const CHUNK_LENGTH = 16_384

/** Yields the text in UTF-8 chunks. `make` is called for the first chunk. */
export async function* encodeChunks(make: () => Promise<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const text = await make()
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + CHUNK_LENGTH, text.length)
    // A surrogate pair stays in one chunk.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++
    yield utf8(text.slice(start, end))
    start = end
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** Returns the chunks as a web stream, which requests a chunk when its reader has room. */
export function webStream(chunks: AsyncGenerator<Uint8Array, void, undefined>): WebStream {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await chunks.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Returns the chunks as a Node stream. @throws Error outside of Node */
export function nodeStream(chunks: AsyncGenerator<Uint8Array, void, undefined>): NodeStream {
  const builtin = typeof process === 'undefined' ? undefined : process.getBuiltinModule
  if (builtin === undefined) throw new Error('Node streams exist only in Node: use `renderStream` elsewhere')
  return builtin('node:stream').Readable.from(chunks, { objectMode: false })
}
