/** What mutations ask of whoever keeps files. */
import type { PropertyDef } from '../../page/compiled.ts'

/** A file that a form is to send for a property. */
export interface UploadWish {
  readonly property: string
  /** Table of the property; null for a property of users. */
  readonly table: string | null
  /** What the property declares where it is null, as the next three. */
  readonly acl: 'public' | 'private' | null
  /** Kilobytes. */
  readonly least: number | null
  readonly most: number | null
  /** A media type, or what one begins with and `*`. */
  readonly type: string | null
}

/** A file that the server is to make for a property. */
export interface UploadValue {
  readonly type: 'plain' | 'image' | 'pdf'
  /** Text of a plain file, base64 or a `data:` URL of an image; null where it is fetched. */
  readonly content: string | null
  readonly remoteUrl: string | null
  /** Name of the file, with folders or without. */
  readonly filePath: string | null
  readonly contentType: string | null
  readonly acl: 'public' | 'private'
  /** Whom it is encrypted for. */
  readonly gpg: { readonly key: string; readonly armor: boolean } | null
}

/** Gives leave to send files, and keeps those that are made. */
export interface UploadHost {
  /** @returns what the property stores @throws QueryError for what cannot be kept */
  keep(property: PropertyDef, value: UploadValue): Promise<Readonly<Record<string, unknown>>>
  /** @throws QueryError for a property that is none of uploads */
  presign(wish: UploadWish): { readonly url: string; readonly fields: Readonly<Record<string, string>> }
}
