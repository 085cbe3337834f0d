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

/**
 * The rows that a property belongs to: `records 5` by the number of the table, `users`, or `profiles author` by the
 * type of the profile.
 */
export type UploadOwner = string

/** The rows of a table. @param id of the table */
export function recordsOwner(id: number): UploadOwner {
  return `records ${id}`
}

export const USERS_OWNER: UploadOwner = 'users'

/** @param type of the profiles */
export function profilesOwner(type: string): UploadOwner {
  return `profiles ${type}`
}

/** By what the uploads of a session are known. @param id as `Session.id` */
export function sessionUploader(id: string): string {
  return `session ${id}`
}

/** Authorises uploads, and stores created files. */
export interface UploadHost {
  /**
   * @returns the value of the property
   * @throws QueryError for a file that cannot be stored
   */
  keep(property: PropertyDef, value: UploadValue): Promise<Readonly<Record<string, unknown>>>
  /**
   * The value of a property for the address of a file, by text or as it was read from a property. Null for a file that
   * was not given out to the sender for this property: then only a row that holds it already may keep it.
   * @throws QueryError for a file that the property does not accept
   */
  take(property: PropertyDef, owner: UploadOwner, value: unknown): Promise<{ readonly value: unknown } | null>
  /** @throws QueryError when the property is not an upload */
  presign(wish: UploadWish): { readonly url: string; readonly fields: Readonly<Record<string, string>> }
}
