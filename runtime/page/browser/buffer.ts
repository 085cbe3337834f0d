/** What filters use of Node's `Buffer`, for browsers. */

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Most arguments of one call. */
const CHUNK = 8192

export class Buffer extends Uint8Array<ArrayBuffer> {
  static override from(source: unknown, form?: unknown, length?: unknown): Buffer {
    if (typeof source === 'string') return Buffer.#of(bytesIn(source, String(form ?? 'utf8')))
    if (source instanceof ArrayBuffer) return new Buffer(source, Number(form ?? 0), length as number | undefined)
    return Buffer.#of(Uint8Array.from(source as ArrayLike<number>))
  }

  static #of(bytes: Uint8Array<ArrayBuffer>): Buffer {
    return new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const whole = new Buffer(new ArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0)))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }

  /** Only for what shall be written faster than `TextEncoder` writes it, which nothing does here. */
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

/** One UTF-16 unit for each number. */
function unitsOf(numbers: Uint8Array | Uint16Array): string {
  let text = ''
  for (let at = 0; at < numbers.length; at += CHUNK) text += String.fromCharCode(...numbers.subarray(at, at + CHUNK))
  return text
}

function bytesIn(text: string, form: string): Uint8Array<ArrayBuffer> {
  if (form === 'hex') return Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16))
  if (form === 'latin1') return Uint8Array.from(text, (sign) => sign.charCodeAt(0))
  if (form !== 'base64' && form !== 'base64url') return encoder.encode(text)
  // As Node reads it: either alphabet, until the first padding, without what is no letter of it.
  const signs = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/=.*$/s, '')
    .replace(/[^A-Za-z0-9+/]/g, '')
  const whole = signs.length % 4 === 1 ? signs.slice(0, -1) : signs
  return Uint8Array.from(atob(whole), (sign) => sign.charCodeAt(0))
}
