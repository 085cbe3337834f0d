/** Paths of kept files: year, month, a random key, a name; those of image versions stand in a folder beside their original. */

/** A path of ours, with nothing around it. */
const PATH = /^uploads\/(private\/)?\d{4}\/\d{2}\/([\da-f]{32})\/(?:[\w-]{1,64}\/)?([^/\\]{1,255})$/
/** The part of a URL that may be one: whatever host and folders stand in front. */
const IN_URL = /^(?:https?:\/\/[^?#]+\/|\/)?(uploads\/[^?#]+)/i

/** Extensions of files that are images of pixels: a file that is kept has no such extension unless it is one. */
const PIXELS: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'jpe', 'jfif', 'gif', 'webp', 'avif'])

export interface UploadPath {
  readonly acl: 'public' | 'private'
  readonly key: string
  /** Last part of the path. */
  readonly name: string
}

/** What a path of ours says; null where it is none. */
export function readUploadPath(path: string): UploadPath | null {
  const found = PATH.exec(path)
  if (found === null) return null
  const [, secret, key = '', name = ''] = found
  if (name.startsWith('.') || /[\x00-\x1f\x7f]/.test(name)) return null
  return { acl: secret === undefined ? 'public' : 'private', key, name }
}

/** The path that a URL of a kept file names, signed or not, from whatever host; null for any other URL. */
export function pathOfUpload(url: string): string | null {
  const path = IN_URL.exec(url.trim())?.[1]
  if (path === undefined) return null
  try {
    const plain = decodeURIComponent(path)
    return readUploadPath(plain) === null ? null : plain
  } catch {
    return null
  }
}

/** Path of a version. @param extension of the version's format, null where it is the original's */
export function versionPath(path: string, version: string, extension: string | null): string {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  const named = extension === null ? name : `${name.replace(/\.[^.]*$/, '')}.${extension}`
  return `${path.slice(0, slash)}/${version}/${named}`
}

/** Extension of the version of a kept file that goes by `own`; null where a file of that extension has none. */
export function versionExtension(own: string, format: unknown): string | null {
  if (!PIXELS.has(own)) return null
  if (format === 'jpeg' || format === 'jpg') return 'jpg'
  if (format === 'png' || format === 'webp' || format === 'avif') return format
  return own === 'gif' ? 'png' : own === 'png' || own === 'webp' || own === 'avif' ? own : 'jpg'
}
