/** What mutations need from the file storage. */
import type { PropertyDef } from '../../page/compiled.ts'

/** A file that will be uploaded by a form for a property. */
export interface UploadWish {
  readonly property: string
  /** The table of the property; null for a property of users. */
  readonly table: string | null
  /** Null, as in the next three, for what the property declares. */
  readonly acl: 'public' | 'private' | null
  /** In kilobytes. */
  readonly least: number | null
  readonly most: number | null
  /** A media type, or a prefix of one followed by `*`. */
  readonly type: string | null
}

/** A file that the server creates for a property. */
export interface UploadValue {
  readonly type: 'plain' | 'image' | 'pdf'
  /** The text of a plain file, or an image as base64 or `data:` URL; null when it is fetched. */
  readonly content: string | null
  readonly remoteUrl: string | null
  /** The name of the file, optionally with folders. */
  readonly filePath: string | null
  readonly contentType: string | null
  readonly acl: 'public' | 'private'
  /** The recipient to encrypt it for. */
  readonly gpg: { readonly key: string; readonly armor: boolean } | null
}

/** Authorises uploads, and stores created files. */
export interface UploadHost {
  /**
   * @returns the value of the property
   * @throws QueryError for a file that cannot be stored
   */
  keep(property: PropertyDef, value: UploadValue): Promise<Readonly<Record<string, unknown>>>
  /** @throws QueryError when the property is not an upload */
  presign(wish: UploadWish): { readonly url: string; readonly fields: Readonly<Record<string, string>> }
}
