/** Character encodings under the platform's names, and conversions between bytes and characters. */
import iconv from 'iconv-lite'
import { ArgumentFault } from '../../fault.ts'
import { Encoded, textOfBytes } from '../../values/bytes.ts'
import { MAX_TEXT, tooLong } from '../../values/limits.ts'
import { str } from '../../values/text.ts'

export const UTF8 = 'UTF-8'
export const BINARY = 'ASCII-8BIT'

/** Names that `encoding` returns, each followed by its aliases. */
const NAMES = `UTF-8 UTF8 CP65001|ASCII-8BIT BINARY|US-ASCII ASCII ANSI_X3.4-1968 646|UTF-16LE|UTF-16BE UCS-2BE|UTF-16|UTF-32LE UCS-4LE|
  UTF-32BE UCS-4BE|UTF-32|UTF-7 CP65000|ISO-8859-1 ISO8859-1 LATIN1|Shift_JIS|Windows-31J CP932 csWindows31J SJIS|EUC-JP eucJP|
  GBK CP936|GB2312 EUC-CN eucCN|GB18030|Big5 CP950|Big5-HKSCS CP951|EUC-KR eucKR|CP949|TIS-620|KOI8-R CP878|KOI8-U|
  macRoman|macCentEuro|macTurkish|macGreek|macIceland|macCroatian|macRomania|macCyrillic|macUkraine|macThai|
  Windows-874 CP874|${[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16].map((part) => `ISO-8859-${part} ISO8859-${part}`).join('|')}|
  ${[0, 1, 2, 3, 4, 5, 6, 7, 8].map((page) => `Windows-125${page} CP125${page}`).join('|')}|
  ${[437, 737, 775, 850, 852, 855, 857, 860, 861, 862, 863, 864, 865, 866, 869].map((page) => `IBM${page} CP${page}`).join('|')}`

const ENCODINGS: ReadonlyMap<string, string> = new Map(
  NAMES.split('|').flatMap((line) => {
    const names = line.trim().split(/\s+/)
    return names.map((name): [string, string] => [name.toUpperCase(), names[0] as string])
  }),
)

/**
 * The platform's name of an encoding.
 * @throws ArgumentFault for an unknown one
 */
export function encodingNamed(v: unknown, filter: string): string {
  const found = ENCODINGS.get(str(v).trim().toUpperCase())
  if (found === undefined) throw new ArgumentFault(`${filter} filter - unknown encoding name - ${str(v).slice(0, 30)}`)
  return found
}

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
