/** Types of the import: raw rows with their locations, errors, and staged rows. */
import { USER_TEXTS, type UserText } from '../../runtime/data/values/user-columns.ts'

/** The location of a row. */
export interface RowLocation {
  /** As given on the command line. */
  readonly file: string
  /** The first line of the row, from 1. */
  readonly line: number
  /** The name of the table; null for users. */
  readonly table: string | null
  /** The number of the row among those of its table in the file, from 1. */
  readonly row: number
}

/** An unchecked row. */
export interface RawRow {
  readonly kind: 'row'
  readonly location: RowLocation
  readonly value: unknown
}

/** An unreadable row, after which reading continues. */
export interface BrokenRow {
  readonly kind: 'broken'
  readonly location: RowLocation
  readonly reason: string
}

/** An unchecked document. In its location, the name of the index takes the place of the table's. */
export interface RawDocument {
  readonly kind: 'document'
  readonly location: RowLocation
  readonly value: unknown
}

export type ReadRow = RawRow | RawDocument | BrokenRow

/** Why a row is rejected. */
export interface RowError {
  readonly location: RowLocation
  /** The property or column; null for an error of the whole row. */
  readonly property: string | null
  /** Half a sentence without a full stop. */
  readonly reason: string
}

/** A file that cannot be read to its end, or a database that does not allow the import. Nothing is imported. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/** A reference to a row: by table and external id, or by external id or e-mail address of a user. */
export interface Reference {
  /** Null for users. */
  readonly table: string | null
  readonly key: string
  /** The column or property that receives the id. */
  readonly into: { readonly column: 'user_id' } | { readonly property: string; readonly item: number | null }
  /** Whether the property is a number. */
  readonly number: boolean
}

/** A record that is valid except for what only the database can check. Times are ISO text, ids digits. */
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
  readonly email: string
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

/** Columns of every record, in the order of the export. The first six are also the names of CSV columns. */
export const RECORD_COLUMNS = ['id', 'external_id', 'user_id', 'created_at', 'updated_at', 'deleted_at'] as const
/** Columns that the old `customization_create` fills. */
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

/** Maximum size of a row, in bytes or characters. */
export const LARGEST_ROW = 16 * 1024 * 1024

/** The result of checking a row. */
export type CheckedRow = StagedRecord | StagedUser | RefusedRow
export type CheckedDocument = StagedDocument | RefusedRow

interface RefusedRow {
  readonly kind: 'faults'
  readonly faults: readonly RowError[]
}
