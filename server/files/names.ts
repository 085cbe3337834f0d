/** Names of files that strangers sent, and the keys that files are stored under. */
import { randomBytes } from 'node:crypto'
import type { Acl } from './model.ts'

/** Bytes of a name; most disks take 255. */
const MAX_NAME = 120
/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

export interface NamedFile {
  /** With its extension. */
  readonly name: string
  /** Without the dot, lower case. */
  readonly extension: string
}

/**
 * A name that can stand on every disk, in a URL and in a header: no folders, no control characters, nothing that turns the
 * direction of text, no leading dot, a bounded length.
 * @param extension what its extension is to be, null for its own
 */
export function safeName(name: string, extension: string | null = null): NamedFile {
  // The detour over bytes replaces halves of characters.
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

/** The extension a name goes by, lower case; `''` without one. */
export function extensionOf(name: string): string {
  return safeName(name).extension
}

/** The last path of a URL, decoded as far as it can be. */
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

/** Where a file is stored: what is private says so, so that nothing else needs to be asked. */
export function pathFor(key: string, name: string, acl: Acl, now: Date): string {
  const month = now.toISOString().slice(0, 7).replace('-', '/')
  return `uploads/${acl === 'private' ? 'private/' : ''}${month}/${key}/${name}`
}

/** A path as it stands in a URL. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

// By bytes, and never in the middle of a character.
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
