/** Writing text as UTF-8 into a buffer. */

const encoder = new TextEncoder()

/** Writes `text` at `at` and gives the offset behind it. @throws RangeError when it does not fit */
export function writeText(sink: Uint8Array, text: string, at: number): number {
  if (Buffer.isBuffer(sink)) {
    const written = sink.write(text, at)
    // A short write means a full buffer; an exact fit is told by the length.
    if (at + written < sink.length || Buffer.byteLength(text) === written) return at + written
    throw tooSmall()
  }
  const { read, written } = encoder.encodeInto(text, at === 0 ? sink : sink.subarray(at))
  if (read < text.length) throw tooSmall()
  return at + written
}

/** Copies bytes and gives the offset behind them. @throws RangeError when they do not fit */
export function writeBytes(sink: Uint8Array, bytes: Uint8Array, at: number): number {
  if (at + bytes.length > sink.length) throw tooSmall()
  sink.set(bytes, at)
  return at + bytes.length
}

function tooSmall(): RangeError {
  return new RangeError('the buffer is too small for the rendered text')
}
