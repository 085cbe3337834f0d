/** Types of stored files and of file stores. */

/** A stored file as the JSON value of a property, an image or an attachment. */
export interface StoredFile {
  /** Unguessable key in the store: `uploads/2026/11/9f…/photo.jpg`, or `uploads/private/2026/…`. */
  readonly path: string
  readonly file_name: string
  /** Lower case without the dot; `''` when there is none. */
  readonly extension: string
  /** Media type detected from the content. The sender's type is only used when both agree. */
  readonly content_type: string
  /** In bytes. */
  readonly size: number
  readonly acl: Acl
  /** Keys of the image versions by name. */
  readonly versions: Readonly<Record<string, string>>
}

export type Acl = 'public' | 'private'

/** The source of a file. */
export type FileSource =
  /** A file of the request (`SentFile`). Its path must come from the listener. */
  | { readonly kind: 'sent'; readonly path: string; readonly fileName: string; readonly contentType: string }
  /** Base64 text or a complete `data:` URL. */
  | { readonly kind: 'base64'; readonly text: string; readonly fileName: string | null }
  /** Fetched by the server, but never from its own network. The default name is the name in the URL. */
  | { readonly kind: 'url'; readonly url: string; readonly fileName?: string }

/** How a file is stored. */
export interface StorageOptions {
  readonly acl: Acl
  /** Largest size in bytes. */
  readonly limit: number
  /** Smallest size in bytes; 1 by default. */
  readonly least?: number
  /** Accepted media types (`image/png`, `image/*`); null accepts all. */
  readonly types: readonly string[] | null
  /** Versions of an image to create, by name. They come from `options.versions` of upload properties. */
  readonly versions: Readonly<Record<string, ImageVersion>>
  /** Encrypts the file for the owner of a key. */
  readonly encryptFor?: Recipient
}

/** The recipient of an encrypted file. */
export interface Recipient {
  /** The public key, armored. */
  readonly key: string
  /** Whether to write ASCII armor instead of binary data. */
  readonly armor: boolean
}

/** A version of an image. */
export interface ImageVersion {
  /** In pixels. */
  readonly width: number | null
  readonly height: number | null
  readonly fit: 'cover' | 'contain' | 'fill' | 'inside' | 'outside'
  /** Null keeps the original's format. */
  readonly format: ImageFormat | null
  /** 1 to 100; null uses the format's default. */
  readonly quality: number | null
  /** The part to keep when cropping: `center`, `top`, `left top`, …. The default is `center`. */
  readonly position?: string
  /** Color that fills the rest of the frame, as `#rrggbb`. The default is black. */
  readonly background?: string
  /** Whether an image that is smaller than the version keeps its size. */
  readonly withoutEnlargement?: boolean
  readonly greyscale?: boolean
  /** Radius of the blur, 0.3 to 1000. */
  readonly blur?: number | null
  /** Fills transparent parts with the background or with a CSS color. */
  readonly flatten?: boolean | string
}

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif'

/** The problem of a file. It is also the key of the translated message. */
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

/**
 * The error for a file that cannot be stored. The message is the end of a sentence that the sender sees: `is too large
 * (maximum is 5 MB)`.
 */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
  readonly status: 400 | 409 | 413
  readonly count: string | number | undefined

  /**
   * @param key key of the translation that replaces the message, such as `errors.messages.file_too_large`
   * @param message the message in English
   * @param details `status` is the HTTP status of the endpoints; `count` is inserted into the translation
   */
  constructor(
    readonly key: FileProblem,
    message: string,
    details: { readonly status?: 409 | 413; readonly count?: string | number } = {},
  ) {
    super(message)
    this.status = details.status ?? 400
    this.count = details.count
  }
}

/** Stores the bytes of files. */
export interface FileStore {
  /** Stores a copy of a local file. */
  put(path: string, file: string, contentType: string): Promise<void>
  /** Removes a file. A missing file is not an error. */
  remove(path: string): Promise<void>
  /** Returns where to serve a file from, or null when it does not exist. */
  find(path: string): Promise<FoundFile | null>
  /** Returns the URL that serves a public file directly from the store, or null when the store has none. */
  direct(path: string): string | null
}

type FoundFile =
  | { readonly kind: 'disk'; readonly root: string; readonly path: string; readonly contentType: string }
  /** A URL that is valid for a few minutes. */
  | { readonly kind: 'elsewhere'; readonly url: string }

/** The terms of a direct upload by a browser. */
export interface UploadTerms {
  readonly acl: Acl
  /** Smallest size in bytes. */
  readonly least: number
  readonly limit: number
  readonly types: readonly string[] | null
  readonly versions: StorageOptions['versions']
  /** Without a receipt, no property can claim the file. */
  readonly receipt?: UploadReceipt
}

/** The purpose and the sender of an uploaded file. */
export interface UploadReceipt {
  /** Identities of the uploader; see `Uploader.names`. */
  readonly names: readonly string[]
  /** The property that the file was uploaded for; see `UploadOwner`. */
  readonly owner: string
  readonly property: string
  /** Sizes and types that the site's author has set for this upload; null for the rules of the property. */
  readonly least: number | null
  readonly limit: number | null
  readonly types: readonly string[] | null
}

/** A recently uploaded file that a property may claim. */
export interface UploadedFile {
  readonly file: StoredFile
  readonly receipt: UploadReceipt
}

/** Stores files. Each process has one. */
export interface Files {
  /** Default limit of a file, in bytes. */
  readonly limit: number
  /**
   * Stores a file.
   * @throws FileRefused
   */
  keep(source: FileSource, options: StorageOptions): Promise<StoredFile>
  url(file: Pick<StoredFile, 'path' | 'versions'>, expiresIn: number | null, version?: string): string
  /**
   * Returns the URL for the value of a property. A private file's URL is signed. Texts that are not stored paths are
   * returned unchanged.
   */
  createUrl(path: string, expiresIn: number | null): string
  /** Returns the file that was uploaded to a path in the last day and its receipt, or null. */
  uploaded(path: string): Promise<UploadedFile | null>
  /** Removes stored files whose reference could not be saved. */
  drop(files: readonly StoredFile[]): Promise<void>
  /** Returns the URL and the form fields that a browser posts to upload one file. */
  presign(terms: UploadTerms): { readonly url: string; readonly fields: Readonly<Record<string, string>> }
}
