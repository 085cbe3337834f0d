/** How browsers are to take a kept file: shown in place, or saved and never opened as a page. */
import { RASTER } from './sniff.ts'

/** Value of `content-disposition`. Only images of pixels are shown in place. */
export function disposition(path: string, contentType: string): string {
  const kind = RASTER.has(contentType) ? 'inline' : 'attachment'
  const name = path.slice(path.lastIndexOf('/') + 1)
  const plain = name.replace(/[^\w.-]+/g, '_')
  if (plain === name) return `${kind}; filename="${name}"`
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Headers of every answer that is a kept file, whatever it holds. */
export function fileHeaders(path: string, contentType: string, isPrivate: boolean): Record<string, string> {
  const text = contentType.startsWith('text/')
  return {
    'content-type': text ? `${contentType}; charset=utf-8` : contentType,
    'content-disposition': disposition(path, contentType),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    ...(isPrivate ? { 'cross-origin-resource-policy': 'same-site' } : {}),
    // A path never names other content.
    'cache-control': isPrivate ? 'private, max-age=300' : 'public, max-age=31536000, immutable',
  }
}
