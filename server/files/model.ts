/** Kept files: what is known of one, and what keeps them. A folder on this machine or an S3-compatible store. */

/** A file as a property, an image or an attachment stores it. Plain JSON. */
export interface StoredFile {
  /** Key in the store, never a guessable one: `uploads/2026/11/9f…/photo.jpg`, `uploads/private/2026/…`. */
  readonly path: string
  readonly file_name: string
  /** Without the dot, lower case; `''` without one. */
  readonly extension: string
  /** What the content is, by its first bytes; never what the sender claimed where the two disagree. */
  readonly content_type: string
  /** Bytes. */
  readonly size: number
  readonly acl: Acl
  /** Keys of the image versions that were made beside it, by their names. */
  readonly versions: Readonly<Record<string, string>>
}

export type Acl = 'public' | 'private'

/** Where a file comes from. */
export type FileSource =
  /** A file of the request (`SentFile`): `path` must be one that the listener gave. */
  | { readonly kind: 'sent'; readonly path: string; readonly fileName: string; readonly contentType: string }
  /** Text of base64, or a whole `data:` URL. */
  | { readonly kind: 'base64'; readonly text: string; readonly fileName: string | null }
  /** Fetched by us, never from our own network. Without a name of ours it has that of its address. */
  | { readonly kind: 'url'; readonly url: string; readonly fileName?: string }

export interface KeepOptions {
  readonly acl: Acl
  /** Bytes at the most. */
  readonly limit: number
  /** Bytes at the least; 1 by default. */
  readonly least?: number
  /** Media types (`image/png`, `image/*`), null for any that may be kept at all. */
  readonly types: readonly string[] | null
  /** Images only: further sizes by name, as `upload` properties declare them (site pages, `options.versions`). */
  readonly versions: Readonly<Record<string, ImageVersion>>
  /** Keeps it so that only the owner of a key can read it. */
  readonly encryptFor?: Recipient
}

/** Somebody with a key of OpenPGP. */
export interface Recipient {
  /** The public key, armored. */
  readonly key: string
  /** Text instead of bytes. */
  readonly armor: boolean
}

export interface ImageVersion {
  /** Pixels. */
  readonly width: number | null
  readonly height: number | null
  readonly fit: 'cover' | 'contain' | 'fill' | 'inside' | 'outside'
  /** Null keeps the format of the original. */
  readonly format: ImageFormat | null
  /** 1 to 100; null is the format's own. */
  readonly quality: number | null
  /** Which part stays where some is cut off: `center`, `top`, `left top`, …; `center` by default. */
  readonly position?: string
  /** Colour behind what does not fill its frame, as `#rrggbb`; black by default. */
  readonly background?: string
  /** A smaller image stays as small as it is. */
  readonly withoutEnlargement?: boolean
  readonly greyscale?: boolean
  /** 0.3 to 1000. */
  readonly blur?: number | null
  /** Puts the background, or a colour of CSS, behind what is transparent. */
  readonly flatten?: boolean | string
}

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif'

/** What is wrong with a file, as translations name it. */
export type FileProblem =
  | 'file_base64'
  | 'file_empty'
  | 'file_encryption'
  | 'file_fetch'
  | 'file_image'
  | 'file_missing'
  | 'file_name'
  | 'file_pixels'
  | 'file_sent_already'
  | 'file_too_large'
  | 'file_too_small'
  | 'file_type'
  | 'file_unkept'
  | 'file_url'

/** A file that cannot be kept, in words for whoever sent it: `is too large (maximum is 5 MB)`. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
  readonly status: 400 | 409 | 413
  readonly count: string | number | undefined

  /**
   * @param key of the site's own words for it: a translation `errors.messages.file_too_large`
   * @param message in English @param more `status` is what an address of files answers with, `count` what the words are filled with
   */
  constructor(
    readonly key: FileProblem,
    message: string,
    more: { readonly status?: 409 | 413; readonly count?: string | number } = {},
  ) {
    super(message)
    this.status = more.status ?? 400
    this.count = more.count
  }
}

/** Where bytes lie. */
export interface FileStore {
  /** Stores a copy of a file of this machine. */
  put(path: string, file: string, contentType: string): Promise<void>
  /** Removes; that nothing is there is no error. */
  remove(path: string): Promise<void>
  /** Where whoever may see a file gets it; null where there is none. */
  find(path: string): Promise<FoundFile | null>
  /** A URL that shows a public file without asking us; null where there is none. */
  direct(path: string): string | null
}

export type FoundFile =
  | { readonly kind: 'disk'; readonly root: string; readonly path: string; readonly contentType: string }
  /** Shows it for a few minutes. */
  | { readonly kind: 'elsewhere'; readonly url: string }

/** What may be sent to an address that was given out for it, and until when. */
export interface UploadTerms {
  readonly acl: Acl
  /** Bytes. */
  readonly least: number
  readonly limit: number
  readonly types: readonly string[] | null
  readonly versions: KeepOptions['versions']
}

/** Keeps files. One for the process. */
export interface Files {
  /** Bytes of a file that nothing else limits. */
  readonly limit: number
  /** @throws FileRefused */
  keep(source: FileSource, options: KeepOptions): Promise<StoredFile>
  url(file: Pick<StoredFile, 'path' | 'versions'>, expiresIn: number | null, version?: string): string
  /** URL of whatever a property holds: a path of ours, signed where it is private, or any other text as it is. */
  urlOf(path: string, expiresIn: number | null): string
  /** Takes kept files away again: what was to name them was not stored. */
  drop(files: readonly StoredFile[]): Promise<void>
  /** What a browser posts, and where to, so that it may send one file (server.md, uploads). */
  presign(terms: UploadTerms): { readonly url: string; readonly fields: Readonly<Record<string, string>> }
}
