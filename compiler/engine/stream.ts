/** A rendered text as bytes, piece by piece: nothing is encoded before it is asked for. */
import { utf8 } from '../../runtime/index.ts'

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
export function webStream(parts: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
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
export function nodeStream(parts: AsyncGenerator<Uint8Array, void, undefined>): import('node:stream').Readable {
  const builtin = typeof process === 'undefined' ? undefined : process.getBuiltinModule
  if (builtin === undefined) throw new Error('this is a stream of Node: elsewhere take `renderStream`')
  return builtin('node:stream').Readable.from(parts, { objectMode: false })
}
