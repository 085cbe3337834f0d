/** The subset of Node's `Buffer` that filters use, for browsers. */

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Maximum number of arguments in one call of `String.fromCharCode`. */
const CHUNK = 8192

type Source = string | ArrayBuffer | ArrayLike<number> | Iterable<number>

export class Buffer extends Uint8Array<ArrayBuffer> {
  static override from(source: Source, form?: unknown, length?: number): Buffer {
    if (typeof source === 'string') return Buffer.#of(encodeText(source, String(form ?? 'utf8')))
    if (source instanceof ArrayBuffer) return new Buffer(source, Number(form ?? 0), length)
    return Buffer.#of(Uint8Array.from(Symbol.iterator in source ? source : Array.from(source)))
  }

  static #of(bytes: Uint8Array<ArrayBuffer>): Buffer {
    return new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const joinedBuffer = new Buffer(new ArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0)))
    let at = 0
    for (const part of parts) {
      joinedBuffer.set(part, at)
      at += part.length
    }
    return joinedBuffer
  }

  /** Returns false. Callers choose a faster writer for buffers of Node, which browsers do not have. */
  static isBuffer(_value: unknown): boolean {
    return false
  }

  static byteLength(text: string): number {
    return encoder.encode(text).length
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, at) => byte === other[at])
  }

  override toString(form = 'utf8'): string {
    if (form === 'hex') return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('')
    if (form === 'base64') return btoa(unitsOf(this))
    if (form === 'base64url') {
      return btoa(unitsOf(this)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    }
    if (form === 'latin1') return unitsOf(this)
    if (form === 'utf16le') return unitsOf(new Uint16Array(this.buffer, this.byteOffset, this.byteLength >> 1))
    return decoder.decode(this)
  }
}

/** Returns a text in which each number is one UTF-16 unit. */
function unitsOf(numbers: Uint8Array | Uint16Array): string {
  let text = ''
  for (let at = 0; at < numbers.length; at += CHUNK) text += String.fromCharCode(...numbers.subarray(at, at + CHUNK))
  return text
}

function encodeText(text: string, form: string): Uint8Array<ArrayBuffer> {
  if (form === 'hex') return Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16))
  if (form === 'latin1') return Uint8Array.from(text, (character) => character.charCodeAt(0))
  if (form !== 'base64' && form !== 'base64url') return encoder.encode(text)
  // Node accepts both alphabets, stops at the first padding, and skips other characters.
  const characters = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/=.*$/s, '')
    .replace(/[^A-Za-z0-9+/]/g, '')
  const completeCharacters = characters.length % 4 === 1 ? characters.slice(0, -1) : characters
  return Uint8Array.from(atob(completeCharacters), (character) => character.charCodeAt(0))
}
