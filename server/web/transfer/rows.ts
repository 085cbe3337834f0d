/** Types of the import: raw rows with locations, errors, and staged rows. */
import { USER_TEXTS, type UserText } from '../../../runtime/data/values/user-columns.ts'

/** The location of a row. */
export interface RowLocation {
  /** Path of the file, as given on the command line. */
  readonly file: string
  /** The first line of the row, starting at 1. */
  readonly line: number
  /** The name of the table; null for users. */
  readonly table: string | null
  /** The number of the row among the rows of its table in the file, starting at 1. */
  readonly row: number
}

/** Options for reading a row in the service's formats. Rows in Ingot's own format have no style. */
export interface RowStyle {
  /**
   * `together`: the given properties replace all stored properties. `each`: each given property replaces only itself.
   * Missing columns stay unchanged in both cases.
   */
  readonly properties: 'together' | 'each'
  /** Whether values of undeclared properties are refused or kept. */
  readonly undeclared: 'refused' | 'kept'
  /**
   * The key of this database (see `relations.ts`) when ids of the file are external ids. This applies to owners and to
   * properties with `belongs_to`. Null when they are ids.
   */
  readonly keysOf: string | null
}

/** An unchecked row. */
export interface RawRow {
  readonly kind: 'row'
  readonly location: RowLocation
  readonly value: unknown
  readonly style?: RowStyle
}

/** An unchecked profile that is separate from its user. `user_id` refers to the user. */
export interface RawProfile {
  readonly kind: 'profile'
  readonly location: RowLocation
  readonly value: unknown
  readonly style: RowStyle
}

/** An unchecked activity. */
export interface RawActivity {
  readonly kind: 'activity'
  readonly location: RowLocation
  readonly value: unknown
}

/** A value in a file that this version does not support. It is not imported. */
export interface LeftOut {
  readonly kind: 'left out'
  readonly location: RowLocation
  readonly property: string | null
  /** Part of a sentence without a full stop. */
  readonly reason: string
}

/** An unreadable row. Reading continues after it. */
interface BrokenRow {
  readonly kind: 'broken'
  readonly location: RowLocation
  readonly reason: string
}

/** An unchecked document. The `table` of its location is the name of the index. */
export interface RawDocument {
  readonly kind: 'document'
  readonly location: RowLocation
  readonly value: unknown
}

export type ReadRow = RawRow | RawProfile | RawActivity | RawDocument | BrokenRow | LeftOut

/** Why a row is rejected. */
export interface RowError {
  readonly location: RowLocation
  /** The property or column; null for an error of the whole row. */
  readonly property: string | null
  /** Part of a sentence without a full stop. */
  readonly reason: string
}

/** A file that cannot be read to its end, or a database that does not allow the import. Nothing is imported. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/** A reference to a row: by table and external id, or by the external id or email address of a user. */
export interface Reference {
  /** Null for users. */
  readonly table: string | null | typeof ANY_TABLE
  readonly key: string
  /** The column or property that receives the id. */
  readonly into:
    | { readonly column: 'user_id' | 'customizable_id' }
    | { readonly property: string; readonly item: number | null }
  /** Whether the property is a number. */
  readonly number: boolean
  /** Whether the row is rejected when the reference cannot be resolved. Otherwise the value stays unchanged. */
  readonly isRequired: boolean
}

/** Used instead of a table name when the table is unknown. */
export const ANY_TABLE = Symbol('any table')

/** A valid record before the database checks. Times are ISO text, ids are digits. */
export interface StagedRecord {
  readonly kind: 'record'
  readonly location: RowLocation
  readonly table: string
  readonly id: string | null
  readonly external_id: string | null
  readonly user_id: string | null
  readonly name: string | null
  readonly customizable_id: string | null
  readonly customizable_type: string | null
  /** JSON text of an object. */
  readonly properties: string
  /** JSON text of an object; null when the row contains no undeclared properties. */
  readonly undeclared: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly deleted_at: string | null
  readonly references: readonly Reference[]
  readonly owned: readonly OwnedValue[]
  readonly changes: RowChanges | null
  /** The key that other rows of the file use for the row, if it is not the external id. */
  readonly alias: string | null
}

/** Which columns of a stored row a staged row changes; null for all columns. */
export interface RowChanges {
  readonly given: readonly string[]
  /** Whether each property replaces only itself. */
  readonly each: boolean
}

/** An address, an image or an attachment of a row. */
export interface OwnedValue {
  readonly kind: 'address' | 'image' | 'attachment'
  /** The type of the profile that owns the value; null when the record or the user owns it. */
  readonly profile: string | null
  readonly name: string
  /** JSON text of an object. */
  readonly value: string
}

export interface StagedProfile {
  readonly id: string | null
  readonly profile_type: string
  /** JSON text of an object. */
  readonly properties: string
  /** JSON text of an object; null when the row contains no undeclared properties. */
  readonly undeclared: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly deleted_at: string | null
}

export interface StagedUser extends Readonly<Record<Exclude<UserText, 'email'>, string | null>> {
  readonly kind: 'user'
  readonly location: RowLocation
  readonly id: string | null
  /** Null when the row changes a stored user and contains no address. */
  readonly email: string | null
  /** The base of the generated slug of a new user. */
  readonly slug_base: string
  readonly encrypted_password: string | null
  /** JSON text of an object. */
  readonly properties: string
  /** JSON text of an object; null when the row contains no undeclared properties. */
  readonly undeclared: string | null
  readonly profiles: readonly StagedProfile[]
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly deleted_at: string | null
  readonly references: readonly Reference[]
  readonly owned: readonly OwnedValue[]
  readonly changes: RowChanges | null
  /** The key that other rows of the file use for the row; see `StagedRecord`. */
  readonly alias: string | null
}

/** A valid profile that is separate from its user. */
export interface StagedLoneProfile extends StagedProfile {
  readonly kind: 'profile'
  readonly location: RowLocation
  readonly user_id: string | null
  readonly user_key: string | null
  readonly owned: readonly OwnedValue[]
}

/** A valid activity. */
export interface StagedActivity {
  readonly kind: 'activity'
  readonly location: RowLocation
  /** Used for a new activity if the id is available. */
  readonly id: string | null
  readonly uuid: string
  /** JSON text of an object. */
  readonly payload: string
  readonly created_at: string | null
  readonly updated_at: string | null
}

/** A valid document of a search index. Times are ISO text. */
export interface StagedDocument {
  readonly kind: 'document'
  readonly location: RowLocation
  readonly search_index: string
  readonly id: string
  readonly created_at: string | null
  readonly updated_at: string | null
  /** JSON text of an object. */
  readonly document: string
}

/** Columns of every record in the order of the export. */
export const RECORD_COLUMNS = ['id', 'external_id', 'user_id', 'created_at', 'updated_at', 'deleted_at'] as const
/** Columns of the old mutation `customization_create`. */
export const OLD_COLUMNS = ['name', 'customizable_id', 'customizable_type'] as const
export const USER_COLUMNS = [
  'id',
  ...USER_TEXTS,
  'encrypted_password',
  'created_at',
  'updated_at',
  'deleted_at',
] as const
export const PROFILE_COLUMNS = ['id', 'profile_type', 'created_at', 'updated_at', 'deleted_at'] as const

/** Maximum size of a row in bytes or characters. */
export const MAX_ROW_SIZE = 16 * 1024 * 1024

/** The result of checking a row. */
export type CheckedRow = StagedRecord | StagedUser | RefusedRow
export type CheckedProfile = StagedLoneProfile | RefusedRow
export type CheckedActivity = StagedActivity | RefusedRow
export type CheckedDocument = StagedDocument | RefusedRow

interface RefusedRow {
  readonly kind: 'faults'
  readonly faults: readonly RowError[]
}
