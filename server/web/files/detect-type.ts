/** Detects a file's type from its first bytes. The extension only distinguishes types with the same first bytes. */

export interface FileType {
  /** Media type without parameters. */
  readonly type: string
  /** Extensions of this type, the usual one first. Empty when the type has none. */
  readonly extensions: readonly string[]
}

/** Maximum number of bytes that `detectType` reads. */
export const HEAD = 4_096

type MagicBytes = readonly [at: number, bytes: string]

/** Signatures as latin1 text. All signatures of a row must match. */
const SIGNATURES: readonly (readonly [type: string, extensions: string, ...marks: MagicBytes[]])[] = [
  ['image/png', 'png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', 'jpg jpeg jpe jfif', [0, '\xff\xd8\xff']],
  ['image/gif', 'gif', [0, 'GIF87a']],
  ['image/gif', 'gif', [0, 'GIF89a']],
  ['image/webp', 'webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/tiff', 'tif tiff', [0, 'II*\0']],
  ['image/tiff', 'tif tiff', [0, 'MM\0*']],
  ['image/x-icon', 'ico cur', [0, '\0\0\x01\0']],
  ['image/bmp', 'bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['image/vnd.adobe.photoshop', 'psd', [0, '8BPS']],
  ['application/pdf', 'pdf ai', [0, '%PDF-']],
  ['application/postscript', 'ps eps ai', [0, '%!PS']],
  ['application/rtf', 'rtf', [0, '{\\rtf']],
  ['application/gzip', 'gz tgz', [0, '\x1f\x8b']],
  ['application/x-bzip2', 'bz2', [0, 'BZh']],
  ['application/x-xz', 'xz', [0, '\xfd7zXZ\0']],
  ['application/zstd', 'zst', [0, '\x28\xb5\x2f\xfd']],
  ['application/x-7z-compressed', '7z', [0, '7z\xbc\xaf\x27\x1c']],
  ['application/vnd.rar', 'rar', [0, 'Rar!\x1a\x07']],
  ['application/x-tar', 'tar', [257, 'ustar']],
  ['application/wasm', 'wasm', [0, '\0asm']],
  ['application/vnd.sqlite3', 'sqlite sqlite3', [0, 'SQLite format 3\0']],
  ['application/x-executable', '', [0, '\x7fELF']],
  ['application/x-msdownload', 'exe dll', [0, 'MZ']],
  ['application/x-mach-binary', '', [0, '\xcf\xfa\xed\xfe']],
  ['font/woff', 'woff', [0, 'wOFF']],
  ['font/woff2', 'woff2', [0, 'wOF2']],
  ['font/otf', 'otf', [0, 'OTTO']],
  ['font/ttf', 'ttf', [0, '\0\x01\0\0\0']],
  ['audio/mpeg', 'mp3', [0, 'ID3']],
  ['audio/mpeg', 'mp3', [0, '\xff\xfb']],
  ['audio/mpeg', 'mp3', [0, '\xff\xfa']],
  ['audio/mpeg', 'mp3', [0, '\xff\xf3']],
  ['audio/mpeg', 'mp3', [0, '\xff\xf2']],
  ['audio/aac', 'aac', [0, '\xff\xf1']],
  ['audio/aac', 'aac', [0, '\xff\xf9']],
  ['audio/wav', 'wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/flac', 'flac', [0, 'fLaC']],
  ['audio/midi', 'mid midi', [0, 'MThd']],
  ['audio/ogg', 'ogg oga opus ogv', [0, 'OggS']],
  ['video/x-msvideo', 'avi', [0, 'RIFF'], [8, 'AVI ']],
  ['video/quicktime', 'mov qt', [4, 'moov']],
  ['video/quicktime', 'mov qt', [4, 'mdat']],
  ['video/quicktime', 'mov qt', [4, 'wide']],
  ['video/webm', 'webm mkv', [0, '\x1a\x45\xdf\xa3']],
]

/** Brands of files that begin with an `ftyp` box. */
const BRANDS: Readonly<Record<string, FileType>> = {
  avif: { type: 'image/avif', extensions: ['avif'] },
  avis: { type: 'image/avif', extensions: ['avif'] },
  heic: { type: 'image/heic', extensions: ['heic', 'heif'] },
  heix: { type: 'image/heic', extensions: ['heic', 'heif'] },
  mif1: { type: 'image/heif', extensions: ['heif', 'heic'] },
  'qt  ': { type: 'video/quicktime', extensions: ['mov', 'qt'] },
  'M4A ': { type: 'audio/mp4', extensions: ['m4a', 'mp4'] },
}
const MP4: FileType = { type: 'video/mp4', extensions: ['mp4', 'm4v', 'm4a', '3gp'] }

const OFFICE = 'application/vnd.openxmlformats-officedocument.'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'

/** Types that are zip archives, by extension. */
const ZIPPED: Readonly<Record<string, string>> = {
  docx: `${OFFICE}wordprocessingml.document`,
  xlsx: `${OFFICE}spreadsheetml.sheet`,
  pptx: `${OFFICE}presentationml.presentation`,
  odt: `${OPEN_DOCUMENT}text`,
  ods: `${OPEN_DOCUMENT}spreadsheet`,
  odp: `${OPEN_DOCUMENT}presentation`,
  epub: 'application/epub+zip',
  kmz: 'application/vnd.google-earth.kmz',
}
/** Types that are OLE compound files, by extension. */
const COMPOUND: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  msg: 'application/vnd.ms-outlook',
}
/** Text types that no program treats as a page or a script, by extension. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  md: 'text/markdown',
  json: 'application/json',
  geojson: 'application/geo+json',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
}

/**
 * Detects the type of a file.
 * @param head its first bytes, up to `HEAD`
 * @param extension the extension of its name, in lower case without the dot
 */
export function detectType(head: Uint8Array, extension: string): FileType {
  const start = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  const has = ([at, bytes]: MagicBytes): boolean => start.startsWith(bytes, at)
  const text = textType(head, extension)
  // A signature of printable letters may also be the start of a text.
  const matching = SIGNATURES.find(
    ([type, , ...signatures]) => signatures.every(has) && (text === null || !PRINTABLE_SIGNATURES.has(type)),
  )
  if (matching !== undefined) return { type: matching[0], extensions: matching[1] === '' ? [] : matching[1].split(' ') }
  if (start.startsWith('ftyp', 4)) return BRANDS[start.slice(8, 12)] ?? MP4
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) {
    return typeByExtension(ZIPPED, extension) ?? { type: 'application/zip', extensions: ['zip'] }
  }
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) {
    return typeByExtension(COMPOUND, extension) ?? { type: 'application/x-ole-storage', extensions: [] }
  }
  return text ?? { type: 'application/octet-stream', extensions: [] }
}

/** Extensions of types that have a signature. */
const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([
  ...SIGNATURES.flatMap(([, extensions]) => extensions.split(' ')),
  ...[...Object.values(BRANDS), MP4].flatMap(({ extensions }) => extensions),
  ...Object.keys(ZIPPED),
  ...Object.keys(COMPOUND),
  'zip',
])

/** Returns whether files with this extension have a signature, so that a wrong extension is detected. */
export function isKnownExtension(extension: string): boolean {
  return KNOWN_EXTENSIONS.has(extension)
}

const PRINTABLE_SIGNATURES: ReadonlySet<string> = new Set([
  'application/x-msdownload',
  'application/x-bzip2',
  'image/bmp',
  'video/quicktime',
])

function typeByExtension(types: Readonly<Record<string, string>>, extension: string): FileType | null {
  const type = Object.hasOwn(types, extension) ? types[extension] : undefined
  return type === undefined ? null : { type, extensions: [extension] }
}

/** Returns the type of a text file, or null for binary content. */
function textType(head: Uint8Array, extension: string): FileType | null {
  const text = decodeText(head)
  if (text === null) return null
  // Browsers ignore a byte order mark, spaces and comments before the first element, so they are skipped here too.
  let start = text.replace(/^\ufeff/, '')
  for (let textBefore = ''; textBefore !== start; ) {
    textBefore = start
    start = start.replace(/^\s+/, '').replace(/^<!--(?:(?!-->)[^])*(?:-->|$)/, '')
  }
  const isXml = /^<\?xml\b/i.test(start)
  if (/<svg[\s>/:]/i.test(text) && (isXml || /^<(?:!doctype\s+svg|svg|!|\?)/i.test(start))) {
    return { type: 'image/svg+xml', extensions: ['svg'] }
  }
  if (MARKUP.test(start) || (isXml && /<(?:\w+:)?html[\s>]/i.test(text))) {
    return { type: 'text/html', extensions: ['html', 'htm', 'xhtml'] }
  }
  if (isXml) return { type: 'application/xml', extensions: ['xml', 'gpx', 'kml', 'rss', 'xsd'] }
  return typeByExtension(TEXT_TYPES, extension) ?? { type: 'text/plain', extensions: [] }
}

/** Matches everything that browsers treat as HTML, and any other element or declaration. */
const MARKUP = /^<(?:!doctype|!\[|[a-z][\w:-]*[\s>/]|\/[a-z]|[a-z][\w:-]*$)/i

/** Decodes UTF-8, or UTF-16 with a byte order mark. Returns null for bytes that do not occur in texts. */
function decodeText(head: Uint8Array): string | null {
  const utf16Encoding =
    head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null
  let text: string
  try {
    // `stream`, because the last character may be cut off.
    text = new TextDecoder(utf16Encoding ?? 'utf-8', { fatal: true }).decode(head, { stream: true })
  } catch {
    // The text is not UTF-8, so it is decoded as an older single-byte encoding.
    text = new TextDecoder('windows-1252').decode(head)
    if (/[\x80-\x9f\ufffd]/.test(text)) return null
  }
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? null : text
}

/** Raster images that browsers can show. Only these files are shown in the page. */
export const RASTER: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/**
 * Returns whether a list of media types contains a type. An asterisk matches any ending: `image/png`, `image/*`,
 * `application/vnd.*`.
 */
export function acceptsType(types: readonly string[] | null, type: string): boolean {
  if (types === null) return true
  return types.some((each) => {
    const pattern = each
      .trim()
      .toLowerCase()
      .replace(/^image\/jpg$/, 'image/jpeg')
    return pattern === '*/*' || pattern === type || (pattern.endsWith('*') && type.startsWith(pattern.slice(0, -1)))
  })
}
