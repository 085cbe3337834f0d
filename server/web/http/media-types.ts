/** Media types of files by extension. */
import { contentType, formatOfExtension } from './formats.ts'

const TYPES = {
  '7z': 'application/x-7z-compressed',
  aac: 'audio/aac',
  apng: 'image/apng',
  appcache: 'text/cache-manifest',
  atom: 'application/atom+xml',
  avi: 'video/x-msvideo',
  avif: 'image/avif',
  bmp: 'image/bmp',
  bz2: 'application/x-bzip2',
  cjs: 'text/javascript',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  eot: 'application/vnd.ms-fontobject',
  epub: 'application/epub+zip',
  flac: 'audio/flac',
  geojson: 'application/geo+json',
  gif: 'image/gif',
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  gz: 'application/gzip',
  heic: 'image/heic',
  heif: 'image/heif',
  htm: 'text/html',
  ico: 'image/x-icon',
  jar: 'application/java-archive',
  jfif: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  jsonld: 'application/ld+json',
  jxl: 'image/jxl',
  log: 'text/plain',
  m4a: 'audio/mp4',
  m4v: 'video/x-m4v',
  manifest: 'text/cache-manifest',
  map: 'application/json',
  mid: 'audio/midi',
  mjs: 'text/javascript',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  opus: 'audio/ogg',
  otf: 'font/otf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rtf: 'application/rtf',
  srt: 'application/x-subrip',
  tar: 'application/x-tar',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  ttc: 'font/collection',
  ttf: 'font/ttf',
  vcf: 'text/vcard',
  vtt: 'text/vtt',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  weba: 'audio/webm',
  webm: 'video/webm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xhtml: 'application/xhtml+xml',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  yaml: 'text/yaml',
  yml: 'text/yaml',
  zip: 'application/zip',
}
const TYPES_BY_EXTENSION: ReadonlyMap<string, string> = new Map(Object.entries(TYPES))

/** Returns the media type of a file without parameters. Unknown types are `application/octet-stream`. */
export function mediaType(path: string): string {
  const extension = /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  const format = formatOfExtension(extension)
  if (format !== null) return contentType(format).replace(/;.*$/, '')
  return TYPES_BY_EXTENSION.get(extension) ?? 'application/octet-stream'
}

/** Returns the `Content-Type` of a served file. Texts are UTF-8. */
export function typeWithCharset(path: string): string {
  const type = mediaType(path)
  return /^(?:text\/|application\/json$|application\/manifest\+json$|image\/svg\+xml$)/.test(type)
    ? `${type}; charset=utf-8`
    : type
}
