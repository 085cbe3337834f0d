/** Decides how browsers treat a stored file: shown in place, or downloaded and never opened as a page. */
import { RASTER } from './sniff.ts'

/** The value of `content-disposition`. Only raster images are shown in place. */
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

/** Headers of every answer that serves a stored file. */
export function fileHeaders(path: string, contentType: string, isPrivate: boolean): Record<string, string> {
  const text = contentType.startsWith('text/')
  return {
    'content-type': text ? `${contentType}; charset=utf-8` : contentType,
    'content-disposition': disposition(path, contentType),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    ...(isPrivate ? { 'cross-origin-resource-policy': 'same-site' } : {}),
    // `immutable`, because the content of a path never changes.
    'cache-control': isPrivate ? 'private, max-age=300' : 'public, max-age=31536000, immutable',
  }
}
