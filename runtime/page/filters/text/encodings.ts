/** Conversions between bytes and characters. */
import iconv from 'iconv-lite'
import { Encoded, textOfBytes } from '../../values/bytes.ts'
import { MAX_TEXT, tooLong } from '../../values/limits.ts'
import { BINARY, UTF8 } from './encoding-names.ts'

/** Bytes with an encoding; an ordinary text when that is UTF-8 and they are valid. */
export function labelled(bytes: Uint8Array, encoding: string): string | Encoded {
  const text = encoding === UTF8 || encoding === BINARY ? textOfBytes(bytes) : characters(bytes, encoding)
  if (text.length > MAX_TEXT) throw tooLong()
  return encoding === UTF8 && text.isWellFormed() ? text : new Encoded(bytes, encoding, text)
}

/** Replaces invalid bytes. */
const LOST = '\ufffd'

/** Decodes bytes, with U+FFFD for invalid ones. */
function characters(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'US-ASCII' || encoding === BINARY) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    return text.replace(/[\x80-\xff]/g, LOST)
  }
  return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding, {
    stripBOM: hasMark(encoding),
  })
}

function hasMark(encoding: string): boolean {
  return encoding === 'UTF-16' || encoding === 'UTF-32'
}

/** Whether the encoding itself can represent U+FFFD. */
function isUnicode(encoding: string): boolean {
  return encoding.startsWith('UTF-') || encoding === 'GB18030'
}

/** Decodes bytes; null when some are invalid. */
export function decodeStrictly(bytes: Buffer, encoding: string): string | null {
  const text = characters(bytes, encoding)
  if (!text.isWellFormed()) return null
  if (!text.includes(LOST)) return text
  return isUnicode(encoding) && encoded(text, encoding).equals(bytes) ? text : null
}

/** Decodes bytes, without the invalid ones. */
export function decodeLoosely(bytes: Buffer, encoding: string): string {
  if (encoding === UTF8) return validUtf8(bytes).toString('utf8')
  const text = characters(bytes, encoding)
  return (isUnicode(encoding) ? text : text.replaceAll(LOST, '')).replace(LONE, '')
}

/** A lone surrogate. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** One UTF-8 character as a sequence of bytes. */
const UTF8_RUN =
  /(?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+/g

function validUtf8(bytes: Buffer): Buffer {
  return Buffer.from((bytes.toString('latin1').match(UTF8_RUN) ?? []).join(''), 'latin1')
}

/** Encodes characters; null when the encoding lacks one. */
export function encodeStrictly(text: string, encoding: string): Buffer | null {
  const bytes = encoded(text, encoding)
  return isUnicode(encoding) || characters(bytes, encoding) === text ? bytes : null
}

/** Encodes characters, without those that the encoding lacks. */
export function encodeLoosely(text: string, encoding: string): Buffer {
  const whole = encodeStrictly(text, encoding)
  if (whole !== null) return whole
  // Each distinct character is tested once.
  const lacking = new Set([...new Set(text)].filter((sign) => encodeStrictly(sign, encoding) === null))
  return encoded(Array.from(text, (sign) => (lacking.has(sign) ? '' : sign)).join(''), encoding)
}

function encoded(text: string, encoding: string): Buffer {
  if (encoding === UTF8) return Buffer.from(text, 'utf8')
  if (encoding === 'US-ASCII' || encoding === BINARY) {
    return Buffer.from(text.replace(/[\u0080-\uffff]/g, '\x80'), 'latin1')
  }
  // An encoding with an undefined byte order starts with a byte order mark.
  return hasMark(encoding)
    ? iconv.encode(text, `${encoding}BE`, { addBOM: true })
    : iconv.encode(text, encoding, { addBOM: false })
}
