/** Conversions between bytes and characters. */
import iconv from 'iconv-lite'
import { Encoded, decodeBytes } from '../../values/bytes.ts'
import { MAX_TEXT, tooLong } from '../../values/value-limits.ts'
import { BINARY, UTF8 } from './encoding-names.ts'

/** Returns bytes with an encoding as a value. Valid UTF-8 becomes an ordinary text. */
export function withEncoding(bytes: Uint8Array, encoding: string): string | Encoded {
  const text = encoding === UTF8 || encoding === BINARY ? decodeBytes(bytes) : decodeCharacters(bytes, encoding)
  if (text.length > MAX_TEXT) throw tooLong()
  return encoding === UTF8 && text.isWellFormed() ? text : new Encoded(bytes, encoding, text)
}

/** The replacement character, which replaces invalid bytes. */
const REPLACEMENT = '\ufffd'

/** Decodes bytes. Invalid bytes become U+FFFD. */
function decodeCharacters(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'US-ASCII' || encoding === BINARY) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    return text.replace(/[\x80-\xff]/g, REPLACEMENT)
  }
  return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding, {
    stripBOM: hasByteOrderMark(encoding),
  })
}

function hasByteOrderMark(encoding: string): boolean {
  return encoding === 'UTF-16' || encoding === 'UTF-32'
}

/** Checks whether the encoding itself can represent U+FFFD. */
function isUnicode(encoding: string): boolean {
  return encoding.startsWith('UTF-') || encoding === 'GB18030'
}

/** Decodes bytes; null when some are invalid. */
export function decodeStrictly(bytes: Buffer, encoding: string): string | null {
  const text = decodeCharacters(bytes, encoding)
  if (!text.isWellFormed()) return null
  if (!text.includes(REPLACEMENT)) return text
  return isUnicode(encoding) && encodeCharacters(text, encoding).equals(bytes) ? text : null
}

/** Decodes bytes without the invalid ones. */
export function decodeLoosely(bytes: Buffer, encoding: string): string {
  if (encoding === UTF8) return validUtf8(bytes).toString('utf8')
  const text = decodeCharacters(bytes, encoding)
  return (isUnicode(encoding) ? text : text.replaceAll(REPLACEMENT, '')).replace(LONE_SURROGATE, '')
}

/** Matches a lone surrogate. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Matches a run of valid UTF-8 characters in a sequence of bytes. */
const UTF8_RUN =
  /(?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+/g

function validUtf8(bytes: Buffer): Buffer {
  return Buffer.from((bytes.toString('latin1').match(UTF8_RUN) ?? []).join(''), 'latin1')
}

/** Encodes characters; null when the encoding lacks one of them. */
export function encodeStrictly(text: string, encoding: string): Buffer | null {
  const bytes = encodeCharacters(text, encoding)
  return isUnicode(encoding) || decodeCharacters(bytes, encoding) === text ? bytes : null
}

/** Encodes characters without those that the encoding lacks. */
export function encodeLoosely(text: string, encoding: string): Buffer {
  const encodedText = encodeStrictly(text, encoding)
  if (encodedText !== null) return encodedText
  // Each distinct character is tested once.
  const lacking = new Set([...new Set(text)].filter((character) => encodeStrictly(character, encoding) === null))
  return encodeCharacters(Array.from(text, (character) => (lacking.has(character) ? '' : character)).join(''), encoding)
}

function encodeCharacters(text: string, encoding: string): Buffer {
  if (encoding === UTF8) return Buffer.from(text, 'utf8')
  if (encoding === 'US-ASCII' || encoding === BINARY) {
    return Buffer.from(text.replace(/[\u0080-\uffff]/g, '\x80'), 'latin1')
  }
  // In an encoding that does not define its byte order, the text starts with a byte order mark.
  return hasByteOrderMark(encoding)
    ? iconv.encode(text, `${encoding}BE`, { addBOM: true })
    : iconv.encode(text, encoding, { addBOM: false })
}
