/** Headers of stored files. Browsers show images in the page and download all other files. */
import { RASTER } from './detect-type.ts'

/** Returns the value of `content-disposition`. Browsers show only raster images in the page. */
export function contentDisposition(path: string, contentType: string): string {
  const kind = RASTER.has(contentType) ? 'inline' : 'attachment'
  const name = path.slice(path.lastIndexOf('/') + 1)
  const asciiName = name.replace(/[^\w.-]+/g, '_')
  if (asciiName === name) return `${kind}; filename="${name}"`
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${asciiName}"; filename*=UTF-8''${encoded}`
}

/** Seconds for which browsers cache a private file. */
const PRIVATE_SECONDS = 300

/**
 * Returns the headers of a reply that serves a stored file.
 * @param seconds for which the URL of a private file is still valid; null for a public file
 */
export function fileHeaders(path: string, contentType: string, seconds: number | null): Record<string, string> {
  const isText = contentType.startsWith('text/')
  return {
    'content-type': isText ? `${contentType}; charset=utf-8` : contentType,
    'content-disposition': contentDisposition(path, contentType),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    ...(seconds !== null ? { 'cross-origin-resource-policy': 'same-site' } : {}),
    // `immutable`, because the content of a path never changes.
    'cache-control':
      seconds === null
        ? 'public, max-age=31536000, immutable'
        : `private, max-age=${Math.floor(Math.min(PRIVATE_SECONDS, seconds))}`,
  }
}
