/** A rendered text as bytes, piece by piece: nothing is encoded before it is asked for. */
import { utf8 } from '../../../runtime/index.ts'

/** `ReadableStream`, where the host's own types know it: ours come without those of Node and of browsers. */
export type WebStream = typeof globalThis extends { ReadableStream: { prototype: infer Stream } }
  ? Stream
  : AsyncIterable<Uint8Array>

/** A `Readable` of Node, as far as one has to know it without Node's types. */
export interface NodeStream extends AsyncIterable<Uint8Array> {
  pipe(target: NodeTarget, options?: { end?: boolean | undefined }): unknown
  destroy(error?: Error): this
  on(event: 'error', listener: (error: Error) => void): this
  on(event: 'close' | 'end', listener: () => void): this
}

/** What such a stream writes to. */
export interface NodeTarget {
  write(chunk: Uint8Array): boolean
}

/** UTF-16 units of a piece. */
const PIECE = 16_384

/** The bytes of a text in pieces; `make` gives the text when the first piece is asked for. */
export async function* pieces(make: () => Promise<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const text = await make()
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PIECE, text.length)
    // Both halves of a character stay in one piece.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++
    yield utf8(text.slice(start, end))
    start = end
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** The pieces as a stream of the web. It asks for the next one when its reader has room. */
export function webStream(parts: AsyncGenerator<Uint8Array, void, undefined>): WebStream {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await parts.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await parts.return()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The pieces as a stream of Node. @throws Error outside of Node */
export function nodeStream(parts: AsyncGenerator<Uint8Array, void, undefined>): NodeStream {
  const builtin = typeof process === 'undefined' ? undefined : process.getBuiltinModule
  if (builtin === undefined) throw new Error('this is a stream of Node: elsewhere take `renderStream`')
  return builtin('node:stream').Readable.from(parts, { objectMode: false })
}
