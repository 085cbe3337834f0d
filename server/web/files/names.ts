/** Safe names for files from visitors, and the keys that files are stored under. */
import { randomBytes } from 'node:crypto'
import type { Acl } from './model.ts'

/** Maximum length of a name in bytes. Most file systems allow 255. */
const MAX_NAME = 120
/** Device names that Windows reserves. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

export interface NamedFile {
  /** The name including the extension. */
  readonly name: string
  /** The extension in lower case, without the dot. */
  readonly extension: string
}

/**
 * Returns a name that is safe on every file system, in a URL and in a header. It has no folders, no control or
 * bidirectional characters, no leading dot and a limited length.
 * @param extension the extension to use; null keeps the name's own extension
 */
export function safeName(name: string, extension: string | null = null): NamedFile {
  // Converting to bytes and back replaces lone surrogates.
  const baseName = Buffer.from(name.normalize('NFC').split(/[/\\]/).at(-1) ?? '').toString()
  const cleanName = baseName
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replace(/[<>:"|?*#%&;'`{}^~[\]\s]+/g, '-')
    .replace(/^[.\-_]+|[.-]+$/g, '')
  const dot = cleanName.lastIndexOf('.')
  const nameExtension = dot > 0 ? cleanName.slice(dot + 1).toLowerCase() : ''
  const hasExtension = /^[a-z\d]{1,10}$/.test(nameExtension)
  const finalExtension = extension ?? (hasExtension ? nameExtension : '')
  const stem = hasExtension ? cleanName.slice(0, dot) : cleanName
  const suffix = finalExtension === '' ? '' : `.${finalExtension}`
  const short = truncateBytes(stem, MAX_NAME - suffix.length).replace(/[.-]+$/, '')
  const finalStem = short === '' ? 'file' : DEVICE.test(short.split('.')[0] ?? '') ? `_${short}` : short
  return { name: `${finalStem}${suffix}`, extension: finalExtension }
}

/** Returns the extension of a name in lower case, or `''`. */
export function fileExtension(name: string): string {
  return safeName(name).extension
}

/** Returns the last path segment of a URL, decoded if possible. */
export function nameOfUrl(url: URL): string {
  const segment = url.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns a new random key. */
export function newKey(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Returns the path of a file in the store. The path shows whether the file is private, so that serving it needs no
 * query.
 */
export function storePath(key: string, name: string, acl: Acl, now: Date): string {
  const month = now.toISOString().slice(0, 7).replace('-', '/')
  return `uploads/${acl === 'private' ? 'private/' : ''}${month}/${key}/${name}`
}

/** Percent-encodes a path for a URL. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

// Truncates a text to a number of bytes without splitting a character.
function truncateBytes(text: string, bytes: number): string {
  let truncated = ''
  let size = 0
  for (const char of text) {
    size += Buffer.byteLength(char)
    if (size > bytes) break
    truncated += char
  }
  return truncated
}
