/** The types of stored files and of the stores that keep them: a local folder or an S3-compatible store. */

/** A stored file as a property, an image or an attachment holds it. Plain JSON. */
export interface StoredFile {
  /** Key in the store, which cannot be guessed: `uploads/2026/11/9f…/photo.jpg`, `uploads/private/2026/…`. */
  readonly path: string
  readonly file_name: string
  /** In lower case without the dot; `''` when there is none. */
  readonly extension: string
  /** Media type by the content's first bytes; the sender's claim only counts where the two agree. */
  readonly content_type: string
  /** In bytes. */
  readonly size: number
  readonly acl: Acl
  /** Keys of the image versions by name. */
  readonly versions: Readonly<Record<string, string>>
}

export type Acl = 'public' | 'private'

/** Where a file comes from. */
export type FileSource =
  /** A file of the request (`SentFile`); `path` must come from the listener. */
  | { readonly kind: 'sent'; readonly path: string; readonly fileName: string; readonly contentType: string }
  /** Base64, or a whole `data:` URL. */
  | { readonly kind: 'base64'; readonly text: string; readonly fileName: string | null }
  /** Fetched by the server, never from its own network. The name defaults to that in the URL. */
  | { readonly kind: 'url'; readonly url: string; readonly fileName?: string }

export interface KeepOptions {
  readonly acl: Acl
  /** Largest size in bytes. */
  readonly limit: number
  /** Smallest size in bytes; 1 by default. */
  readonly least?: number
  /** Accepted media types (`image/png`, `image/*`); null accepts all. */
  readonly types: readonly string[] | null
  /** For images: versions to create, by name, as `upload` properties declare them (`options.versions`). */
  readonly versions: Readonly<Record<string, ImageVersion>>
  /** Encrypts the file for the owner of a key. */
  readonly encryptFor?: Recipient
}

/** The owner of an OpenPGP key. */
export interface Recipient {
  /** The public key, armored. */
  readonly key: string
  /** Whether to write ASCII armor instead of binary data. */
  readonly armor: boolean
}

export interface ImageVersion {
  /** In pixels. */
  readonly width: number | null
  readonly height: number | null
  readonly fit: 'cover' | 'contain' | 'fill' | 'inside' | 'outside'
  /** Null keeps the original's format. */
  readonly format: ImageFormat | null
  /** 1 to 100; null uses the format's default. */
  readonly quality: number | null
  /** The part to keep when cropping: `center`, `top`, `left top`, …; `center` by default. */
  readonly position?: string
  /** Colour that fills the rest of the frame, as `#rrggbb`; black by default. */
  readonly background?: string
  /** Keeps an image that is smaller than the version at its size. */
  readonly withoutEnlargement?: boolean
  readonly greyscale?: boolean
  /** Radius of the blur, 0.3 to 1000. */
  readonly blur?: number | null
  /** Fills transparent parts with the background, or with a CSS colour. */
  readonly flatten?: boolean | string
}

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif'

/** What is wrong with a file; the translations' key. */
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

/** A file that cannot be stored; the message is meant for its sender: `is too large (maximum is 5 MB)`. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
  readonly status: 400 | 409 | 413
  readonly count: string | number | undefined

  /**
   * @param key of the translation that replaces the message, such as `errors.messages.file_too_large`
   * @param message in English
   * @param more `status` is the HTTP status of the endpoints, `count` fills the translation
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

/** Stores the bytes of files. */
export interface FileStore {
  /** Stores a copy of a local file. */
  put(path: string, file: string, contentType: string): Promise<void>
  /** Removes a file; a missing one is no error. */
  remove(path: string): Promise<void>
  /** Where to serve a file from; null when it does not exist. */
  find(path: string): Promise<FoundFile | null>
  /** URL that serves a public file directly from the store; null when the store has none. */
  direct(path: string): string | null
}

export type FoundFile =
  | { readonly kind: 'disk'; readonly root: string; readonly path: string; readonly contentType: string }
  /** A URL that is valid for a few minutes. */
  | { readonly kind: 'elsewhere'; readonly url: string }

/** The terms of an upload that a browser may make directly. */
export interface UploadTerms {
  readonly acl: Acl
  /** Smallest size in bytes. */
  readonly least: number
  readonly limit: number
  readonly types: readonly string[] | null
  readonly versions: KeepOptions['versions']
  /** Without it no property takes the file. */
  readonly receipt?: UploadReceipt
}

/** What an uploaded file was sent for, and by whom. */
export interface UploadReceipt {
  /** See `Uploader.names`. */
  readonly names: readonly string[]
  /** See `UploadOwner`. */
  readonly owner: string
  readonly property: string
  /** Sizes and types that the site's author has set for this upload; null for those of the property. */
  readonly least: number | null
  readonly limit: number | null
  readonly types: readonly string[] | null
}

/** A file that was uploaded lately, and that a property may take. */
export interface UploadedFile {
  readonly file: StoredFile
  readonly receipt: UploadReceipt
}

/** Stores files. One object for the process. */
export interface Files {
  /** Default limit of a file, in bytes. */
  readonly limit: number
  /** @throws FileRefused */
  keep(source: FileSource, options: KeepOptions): Promise<StoredFile>
  url(file: Pick<StoredFile, 'path' | 'versions'>, expiresIn: number | null, version?: string): string
  /**
   * URL for the value of a property: a stored path, signed when it is private; any other text is returned unchanged.
   */
  urlOf(path: string, expiresIn: number | null): string
  /** The file that was uploaded to a path, with what it was sent for; null for others, and a day later. */
  uploaded(path: string): Promise<UploadedFile | null>
  /** Removes stored files whose reference could not be saved. */
  drop(files: readonly StoredFile[]): Promise<void>
  /** The URL and the fields that a browser posts to upload one file (server.md, uploads). */
  presign(terms: UploadTerms): { readonly url: string; readonly fields: Readonly<Record<string, string>> }
}
