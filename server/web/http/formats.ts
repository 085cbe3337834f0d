/** The formats of pages: their extensions, the media types that request them, and the content types of answers. */
import { LRUCache } from 'lru-cache'
import type { Format } from '../../../runtime/page/site.ts'

/** Values of `Content-Type` by format. */
export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  css: 'text/css; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
}

const FORMATS_BY_MEDIA_TYPE: ReadonlyMap<string, readonly Format[]> = new Map<string, readonly Format[]>([
  ['text/html', ['html']],
  ['application/xhtml+xml', ['html']],
  ['application/json', ['json']],
  ['application/xml', ['xml']],
  ['text/xml', ['xml']],
  ['application/rss+xml', ['rss']],
  ['text/csv', ['csv']],
  ['application/pdf', ['pdf']],
  ['text/css', ['css']],
  ['text/plain', ['text', 'txt']],
  ['text/javascript', ['js']],
  ['application/javascript', ['js']],
  ['image/svg+xml', ['svg']],
  ['text/calendar', ['ics']],
  ['text/markdown', ['md']],
])

export function contentType(format: Format): string {
  return CONTENT_TYPES[format]
}

/** Returns the format of an extension, or null for an unknown extension. */
export function formatOfExtension(extension: string): Format | null {
  return isFormat(extension) ? extension : null
}

function isFormat(extension: string): extension is Format {
  return Object.hasOwn(CONTENT_TYPES, extension)
}

/**
 * Caches the formats of an `Accept` header, or null for a header without a known format. Browsers send few different
 * headers.
 */
const acceptedFormats = new LRUCache<string, { readonly formats: readonly Format[] | null }>({ max: 200 })
/** Maximum length in characters of a cached header. */
const MAX_KEPT = 500

const HTML: readonly Format[] = ['html']
const API_CLIENT_FORMATS: readonly Format[] = ['json', 'js']

/**
 * Returns the formats that a request's headers ask for, the preferred format first. Without any, returns html. API
 * clients send a token in the platform's own scheme. They get JSON and script pages before html pages.
 * @param sentType the `Content-Type` header
 */
export function wantedFormats(sentType: string, accept: string, authorization = ''): readonly Format[] {
  const contentTypeFormats = sentType === '' ? undefined : FORMATS_BY_MEDIA_TYPE.get(mediaTypeIn(sentType))
  if (contentTypeFormats !== undefined) return contentTypeFormats
  if (accept !== '') {
    const cachedFormats = acceptedFormats.get(accept)
    const formats = cachedFormats === undefined ? readAccept(accept) : cachedFormats.formats
    if (formats !== null) return formats
  }
  return authorization !== '' && /^Token\s/i.test(authorization) ? API_CLIENT_FORMATS : HTML
}

/** Returns the formats that an `Accept` header names; null when none is known, or when it accepts all. */
function readAccept(accept: string): readonly Format[] | null {
  const preferredType = byPreference(accept).find((type) => type === '*/*' || FORMATS_BY_MEDIA_TYPE.has(type))
  const formats = (preferredType === undefined ? undefined : FORMATS_BY_MEDIA_TYPE.get(preferredType)) ?? null
  if (accept.length <= MAX_KEPT) acceptedFormats.set(accept, { formats })
  return formats
}

/** Returns the items of an `Accept` or `Accept-Language` header by preference, without refused ones (`q=0`). */
export function byPreference(header: string): string[] {
  if (header === '') return []
  return header
    .split(',', 64)
    .map((item) => ({ name: mediaTypeIn(item), weight: parseWeight(item) }))
    .filter((item) => item.name !== '' && item.weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map((item) => item.name)
}

/** Returns a media type without its parameters, in lower case. */
export function mediaTypeIn(type: string): string {
  const semicolon = type.indexOf(';')
  return (semicolon < 0 ? type : type.slice(0, semicolon)).trim().toLowerCase()
}

function parseWeight(item: string): number {
  const weight = /;\s*q=([\d.]+)/i.exec(item)?.[1]
  return weight === undefined ? 1 : Number(weight) || 0
}
