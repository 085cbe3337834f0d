/** The paths of stored files: year, month, a random key, and the file name. Image versions are in a subfolder next to the original. */

/** Matches a complete path of a stored file. */
const PATH = /^uploads\/(private\/)?\d{4}\/\d{2}\/([\da-f]{32})\/(?:[\w-]{1,64}\/)?([^/\\]{1,255})$/
/** Matches a URL, and captures the part after any host and folders that may be the path of a stored file. */
const IN_URL = /^(?:https?:\/\/[^?#]+\/|\/)?(uploads\/[^?#]+)/i

/** Extensions of raster images. A stored file has such an extension only if its content is an image of this type. */
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

/** Returns the path in the URL of a stored file, with or without a signature, on any host; null for other URLs. */
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
 * Returns the path of an image version.
 * @param extension the extension of the version; null to keep that of the original
 */
export function versionPath(path: string, version: string, extension: string | null): string {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  const versionFile = extension === null ? name : `${name.replace(/\.[^.]*$/, '')}.${extension}`
  return `${path.slice(0, slash)}/${version}/${versionFile}`
}

/** Returns the extension of an image version, given the extension of its original. Null when files with this extension have no versions. */
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
