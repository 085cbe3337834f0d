/** The functions of the file storage that mutations need. */
import type { PropertyDef } from '../../page/compiled.ts'

/** A file that a form will upload for a property. */
export interface UploadRequest {
  readonly property: string
  /** The table of the property; null for a property of users. */
  readonly table: string | null
  /** Who may read the file. If this field or one of the next three is null, the property's declaration applies. */
  readonly acl: 'public' | 'private' | null
  /** The minimum size in kilobytes. */
  readonly minimumSize: number | null
  readonly maximumSize: number | null
  /** A media type, or the beginning of media types followed by `*`. */
  readonly type: string | null
}

/** A file that the server creates for a property. */
export interface UploadValue {
  readonly type: 'plain' | 'image' | 'pdf'
  /** The text of a plain file, an image as base64 or `data:` URL, or the HTML that is printed as PDF; null when the file is fetched from `remoteUrl`. */
  readonly content: string | null
  readonly remoteUrl: string | null
  /** The name of the file, optionally with folders. */
  readonly filePath: string | null
  readonly contentType: string | null
  readonly acl: 'public' | 'private'
  /** The recipient for whom the file is encrypted; null without encryption. */
  readonly gpg: { readonly key: string; readonly armor: boolean } | null
}

/**
 * The rows that a property belongs to: `records 5` (with the number of the table), `users`, or `profiles author` (with the type of the
 * profile).
 */
export type UploadOwner = string

/**
 * Returns the owner for the rows of a table.
 * @param id number of the table
 */
export function recordsOwner(id: number): UploadOwner {
  return `records ${id}`
}

export const USERS_OWNER: UploadOwner = 'users'

/** Returns the owner for profiles of a type. */
export function profilesOwner(type: string): UploadOwner {
  return `profiles ${type}`
}

/**
 * Returns the name under which uploads of a session are recorded.
 * @param id the id of the session, as in `Session.id`
 */
export function sessionUploader(id: string): string {
  return `session ${id}`
}

/** The functions that authorize uploads and store created files. */
export interface UploadHost {
  /**
   * Creates and stores a file.
   * @returns the value of the property
   * @throws QueryError for a file that cannot be stored
   */
  store(property: PropertyDef, value: UploadValue): Promise<Readonly<Record<string, unknown>>>
  /**
   * Returns what to store for an uploaded file. `value` is the address of the file, or a value that was read from a property. Returns null
   * if the sender did not upload the file for this property; the caller may then accept it only for a row that already has it.
   * @throws QueryError for a file that the property does not accept
   */
  claim(property: PropertyDef, owner: UploadOwner, value: unknown): Promise<{ readonly value: unknown } | null>
  /**
   * Signs the data that a form needs to upload a file.
   * @throws QueryError when the property is not an upload
   */
  presign(uploadRequest: UploadRequest): { readonly url: string; readonly fields: Readonly<Record<string, string>> }
}
