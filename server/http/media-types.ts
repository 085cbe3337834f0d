/**
 * Media types of files by extension, for lists of files. Files that are served get theirs from the library that sends
 * them.
 */
import { contentType, formatOf } from './formats.ts'

const OF_EXTENSION: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  eot: 'application/vnd.ms-fontobject',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  map: 'application/json',
  mjs: 'text/javascript',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  otf: 'font/otf',
  png: 'image/png',
  ttf: 'font/ttf',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  webm: 'video/webm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
}

/** The media type of a file without parameters; `application/octet-stream` when it is unknown. */
export function mediaType(path: string): string {
  const extension = /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  const format = formatOf(extension)
  if (format !== null) return contentType(format).replace(/;.*$/, '')
  return Object.hasOwn(OF_EXTENSION, extension) ? OF_EXTENSION[extension]! : 'application/octet-stream'
}
