/** Kept files: what is known of one, and what keeps them. A folder on this machine or an S3-compatible store. */
import type { Readable } from 'node:stream'

/** A file as a property, an image or an attachment stores it. Plain JSON. */
export interface StoredFile {
  /** Key in the store, never a guessable one: `uploads/2026/11/9f…/photo.jpg`. */
  readonly path: string
  readonly file_name: string
  /** Without the dot, lower case; `''` without one. */
  readonly extension: string
  /** What the content is, by its first bytes; never what the sender claimed where the two disagree. */
  readonly content_type: string
  /** Bytes. */
  readonly size: number
  readonly acl: 'public' | 'private'
  /** Names of image versions that were made beside it. */
  readonly versions: readonly string[]
}

/** Where a file comes from. */
export type FileSource =
  | { readonly kind: 'sent'; readonly path: string; readonly fileName: string; readonly contentType: string }
  /** Text of base64, or a whole `data:` URL. */
  | { readonly kind: 'base64'; readonly text: string; readonly fileName: string | null }
  /** Fetched by us, never from our own network. */
  | { readonly kind: 'url'; readonly url: string }

export interface KeepOptions {
  readonly acl: 'public' | 'private'
  /** Bytes at the most. */
  readonly limit: number
  /** Media types (`image/png`, `image/*`), null for any that may be kept at all. */
  readonly types: readonly string[] | null
  /** Images only: further sizes by name, as `upload` properties declare them (site pages, `options.versions`). */
  readonly versions: Readonly<Record<string, ImageVersion>>
}

export interface ImageVersion {
  readonly width: number | null
  readonly height: number | null
  readonly fit: 'cover' | 'contain' | 'fill' | 'inside' | 'outside'
  readonly format: 'jpeg' | 'png' | 'webp' | 'avif' | null
  readonly quality: number | null
}

/** A file that cannot be kept, in words for whoever sent it: `is too large (maximum is 5 MB)`. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}

/** Where bytes lie. */
export interface FileStore {
  put(path: string, file: string, contentType: string, acl: StoredFile['acl']): Promise<void>
  /** Null where there is none. */
  open(path: string): Promise<{ readonly size: number; readonly body: Readable } | null>
  remove(path: string): Promise<void>
  /** A URL that shows the file: for ever where it is public, for so many seconds where it is private. */
  url(path: string, acl: StoredFile['acl'], expiresIn: number | null, version: string | null): string
}

/** Keeps files. One for the process. */
export interface Files {
  /** @throws FileRefused */
  keep(source: FileSource, options: KeepOptions): Promise<StoredFile>
  url(file: StoredFile, expiresIn: number | null, version?: string): string
  /** Takes kept files away again: what was to name them was not stored. */
  drop(files: readonly StoredFile[]): Promise<void>
}
