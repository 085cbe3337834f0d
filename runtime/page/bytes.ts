/** Writes text as UTF-8 into buffers. */

const encoder = new TextEncoder()

/** Maximum length of texts that are written by a loop, which is then faster than a call of native code. */
const SHORT_TEXT = 16

/**
 * Writes `text` at an offset and returns the offset after it.
 * @throws RangeError when it does not fit
 */
export function writeText(sink: Uint8Array, text: string, at: number): number {
  const { length } = text
  if (length > SHORT_TEXT || at + length > sink.length) return writeLong(sink, text, at)
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code > 127) return writeLong(sink, text, at)
    sink[at + index] = code
  }
  return at + length
}

function writeLong(sink: Uint8Array, text: string, at: number): number {
  if (Buffer.isBuffer(sink)) {
    const writtenLength = sink.write(text, at)
    // All bytes were written when space is left in the buffer, or when the text fits exactly.
    if (at + writtenLength < sink.length || Buffer.byteLength(text) === writtenLength) return at + writtenLength
    throw tooSmall()
  }
  const { read, written } = encoder.encodeInto(text, at === 0 ? sink : sink.subarray(at))
  if (read < text.length) throw tooSmall()
  return at + written
}

/** Encodes a text as UTF-8. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/**
 * Copies bytes and returns the offset after them.
 * @throws RangeError when they do not fit
 */
export function writeBytes(sink: Uint8Array, bytes: Uint8Array, at: number): number {
  if (at + bytes.length > sink.length) throw tooSmall()
  sink.set(bytes, at)
  return at + bytes.length
}

function tooSmall(): RangeError {
  return new RangeError('the buffer is too small for the rendered text')
}
