/**
 * Represents bytes as text. Texts are UTF-16, so each byte from 0x80 on that is not valid UTF-8 becomes a lone low surrogate (0xDC80 to
 * 0xDCFF), which texts from outside never contain. The conversion is lossless.
 */
import { BoxedText } from './boxed.ts'
import { str } from './text.ts'

/** The number that is added to a byte that is not valid UTF-8. */
const RAW = 0xdc00

/** Bytes with an encoding other than UTF-8, as `force_encoding` and `encode` return them. */
export class Encoded extends BoxedText {
  readonly $bytes: Uint8Array
  /** The name of the encoding, such as `ISO-8859-1`. */
  readonly $encoding: string
  /** The decoded characters, as far as the bytes are valid. */
  readonly $text: string
  constructor(bytes: Uint8Array, encoding: string, text: string) {
    super()
    this.$bytes = bytes
    this.$encoding = encoding
    this.$text = text
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes bytes: as UTF-8 when all of them are valid, otherwise one character for each byte. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return decodeRaw(bytes)
  }
}

function decodeRaw(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length)
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    units[index] = byte < 0x80 ? byte : RAW + byte
  }
  return Buffer.from(units.buffer).toString('utf16le')
}

/**
 * Returns the bytes of a value's text: the bytes that the text represents, or otherwise its UTF-8 bytes.
 * @throws ArgumentFault, LimitFault as `str`
 */
export function toBytes(value: unknown): Buffer {
  if (value instanceof Encoded)
    return Buffer.from(value.$bytes.buffer, value.$bytes.byteOffset, value.$bytes.byteLength)
  const text = str(value)
  return text.isWellFormed() ? Buffer.from(text, 'utf8') : encodeMixed(text)
}

/** Runs of lone low surrogates that represent bytes. A low surrogate in a pair belongs to the preceding unit. */
const RAW_RUN = /(?<![\ud800-\udbff])[\udc80-\udcff]+/g

function encodeMixed(text: string): Buffer {
  const parts: Uint8Array[] = []
  let copiedTo = 0
  for (const rawRun of text.matchAll(RAW_RUN)) {
    parts.push(Buffer.from(text.slice(copiedTo, rawRun.index), 'utf8'))
    parts.push(Uint8Array.from(rawRun[0], (unit) => unit.charCodeAt(0) - RAW))
    copiedTo = rawRun.index + rawRun[0].length
  }
  parts.push(Buffer.from(text.slice(copiedTo), 'utf8'))
  return Buffer.concat(parts)
}

/** Checks whether a text represents bytes that are not valid UTF-8. */
export function containsRawBytes(text: string): boolean {
  return !text.isWellFormed() && /(?<![\ud800-\udbff])[\udc80-\udcff]/.test(text)
}
