/** Safe names for files from strangers, and the keys that files are stored under. */
import { randomBytes } from 'node:crypto'
import type { Acl } from './model.ts'

/** Longest name in bytes; most file systems allow 255. */
const MAX_NAME = 120
/** Device names that Windows reserves. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

export interface NamedFile {
  /** Including the extension. */
  readonly name: string
  /** In lower case without the dot. */
  readonly extension: string
}

/**
 * A name that is safe on every file system, in a URL and in a header: no folders, no control or bidirectional
 * characters, no leading dot, bounded length.
 * @param extension the extension to use; null keeps the name's own
 */
export function safeName(name: string, extension: string | null = null): NamedFile {
  // Converting to bytes and back replaces lone surrogates.
  const last = Buffer.from(name.normalize('NFC').split(/[/\\]/).at(-1) ?? '').toString()
  const plain = last
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replace(/[<>:"|?*#%&;'`{}^~[\]\s]+/g, '-')
    .replace(/^[.\-_]+|[.-]+$/g, '')
  const dot = plain.lastIndexOf('.')
  const own = dot > 0 ? plain.slice(dot + 1).toLowerCase() : ''
  const fits = /^[a-z\d]{1,10}$/.test(own)
  const end = extension ?? (fits ? own : '')
  const stem = fits ? plain.slice(0, dot) : plain
  const suffix = end === '' ? '' : `.${end}`
  const short = shortened(stem, MAX_NAME - suffix.length).replace(/[.-]+$/, '')
  const kept = short === '' ? 'file' : DEVICE.test(short.split('.')[0] ?? '') ? `_${short}` : short
  return { name: `${kept}${suffix}`, extension: end }
}

/** The extension of a name in lower case; `''` when there is none. */
export function extensionOf(name: string): string {
  return safeName(name).extension
}

/** The last path segment of a URL, decoded where that is possible. */
export function nameOfUrl(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

export function newKey(): string {
  return randomBytes(16).toString('hex')
}

/** Path of a file in the store. The path tells whether the file is private, so that serving it needs no look-up. */
export function pathFor(key: string, name: string, acl: Acl, now: Date): string {
  const month = now.toISOString().slice(0, 7).replace('-', '/')
  return `uploads/${acl === 'private' ? 'private/' : ''}${month}/${key}/${name}`
}

/** Percent-encodes a path for a URL. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

// Shortens to a number of bytes without cutting a character.
function shortened(text: string, bytes: number): string {
  let kept = ''
  let size = 0
  for (const char of text) {
    size += Buffer.byteLength(char)
    if (size > bytes) break
    kept += char
  }
  return kept
}
