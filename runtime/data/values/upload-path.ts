/** The paths of stored files: year, month, a random key, and the file name. Image versions are in a subfolder next to the original. */

/** A complete path of a stored file. */
const PATH = /^uploads\/(private\/)?\d{4}\/\d{2}\/([\da-f]{32})\/(?:[\w-]{1,64}\/)?([^/\\]{1,255})$/
/** The part of a URL that may be such a path, after any host and folders. */
const IN_URL = /^(?:https?:\/\/[^?#]+\/|\/)?(uploads\/[^?#]+)/i

/** Extensions of raster images. A stored file has one of them only if its content is such an image. */
const PIXELS: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'jpe', 'jfif', 'gif', 'webp', 'avif'])

interface UploadPath {
  readonly acl: 'public' | 'private'
  readonly key: string
  /** The last part of the path. */
  readonly name: string
}

/** Parses the path of a stored file; null for other texts. */
export function readUploadPath(path: string): UploadPath | null {
  const match = PATH.exec(path)
  if (match === null) return null
  const [, secret, key = '', name = ''] = match
  if (name.startsWith('.') || /[\x00-\x1f\x7f]/.test(name)) return null
  return { acl: secret === undefined ? 'public' : 'private', key, name }
}

/** The path in the URL of a stored file, signed or not, on any host; null for other URLs. */
export function pathOfUpload(url: string): string | null {
  const path = IN_URL.exec(url.trim())?.[1]
  if (path === undefined) return null
  try {
    const decodedPath = decodeURIComponent(path)
    return readUploadPath(decodedPath) === null ? null : decodedPath
  } catch {
    return null
  }
}

/**
 * The path of an image version.
 * @param extension of the version's format; null to keep the original's
 */
export function versionPath(path: string, version: string, extension: string | null): string {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  const versionFile = extension === null ? name : `${name.replace(/\.[^.]*$/, '')}.${extension}`
  return `${path.slice(0, slash)}/${version}/${versionFile}`
}

/** The extension of an image version whose original has the extension `originalExtension`; null when such files have no versions. */
export function versionExtension(originalExtension: string, format: unknown): string | null {
  if (!PIXELS.has(originalExtension)) return null
  if (format === 'jpeg' || format === 'jpg') return 'jpg'
  if (format === 'png' || format === 'webp' || format === 'avif') return format
  return originalExtension === 'gif'
    ? 'png'
    : originalExtension === 'png' || originalExtension === 'webp' || originalExtension === 'avif'
      ? originalExtension
      : 'jpg'
}
