/** What the rooms of the import hand to each other: raw rows with their places, faults, and rows ready for the database. */
import { USER_TEXTS, type UserText } from '../../runtime/data/values/user-columns.ts'

/** Where a row stands. */
export interface RowLocation {
  /** As it was given on the command line. */
  readonly file: string
  /** Line that the row begins in, from 1. */
  readonly line: number
  /** Logical name of the table; null for users. */
  readonly table: string | null
  /** Among the rows of its table in this file, from 1. */
  readonly row: number
}

/** A row as the file has it; its values are unchecked. */
export interface RawRow {
  readonly kind: 'row'
  readonly place: RowLocation
  readonly value: unknown
}

/** A row that cannot be read at all; what follows it can. */
export interface BrokenRow {
  readonly kind: 'broken'
  readonly place: RowLocation
  readonly reason: string
}

/** A document as the file has it, unchecked; its place names its index where that of a row names a table. */
export interface RawDocument {
  readonly kind: 'document'
  readonly place: RowLocation
  readonly value: unknown
}

export type ReadRow = RawRow | RawDocument | BrokenRow

/** Why a row is left out. */
export interface RowError {
  readonly place: RowLocation
  /** Property or column; null where the row as a whole does not fit. */
  readonly property: string | null
  /** Half a sentence without a full stop. */
  readonly reason: string
}

/** A file that cannot be read to its end, or a database that does not allow the import: nothing is imported. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/** A row that stands for another one: by table and external id, or by external id or e-mail address of a user. */
export interface Reference {
  /** Null for users. */
  readonly table: string | null
  readonly key: string
  /** The column or property that receives the id. */
  readonly into: { readonly column: 'user_id' } | { readonly property: string; readonly item: number | null }
  /** The property holds a number. */
  readonly number: boolean
}

/** A record that fits, but for what only the database knows. Times are ISO text, ids digits. */
export interface StagedRecord {
  readonly kind: 'record'
  readonly place: RowLocation
  readonly table: string
  readonly id: string | null
  readonly external_id: string | null
  readonly user_id: string | null
  readonly name: string | null
  readonly customizable_id: string | null
  readonly customizable_type: string | null
  /** JSON text of an object. */
  readonly properties: string
  /** JSON text of an object; null where the row says nothing of it. */
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
  /** JSON text of an object; null where the row says nothing of it. */
  readonly undeclared: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly deleted_at: string | null
}

export interface StagedUser extends Readonly<Record<Exclude<UserText, 'email'>, string | null>> {
  readonly kind: 'user'
  readonly place: RowLocation
  readonly id: string | null
  readonly email: string
  /** What the slug is made of where a new user has none. */
  readonly slug_base: string
  readonly encrypted_password: string | null
  /** JSON text of an object. */
  readonly properties: string
  /** JSON text of an object; null where the row says nothing of it. */
  readonly undeclared: string | null
  readonly profiles: readonly StagedProfile[]
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly deleted_at: string | null
  readonly references: readonly Reference[]
}

/** A document of a search index that fits. Times are ISO text. */
export interface StagedDocument {
  readonly kind: 'document'
  readonly place: RowLocation
  readonly search_index: string
  readonly id: string
  readonly created_at: string | null
  readonly updated_at: string | null
  /** JSON text of an object. */
  readonly document: string
}

/** Columns of every record in the order of the export; the first six are the names of CSV columns too. */
export const RECORD_COLUMNS = ['id', 'external_id', 'user_id', 'created_at', 'updated_at', 'deleted_at'] as const
/** Columns of records that the old `customization_create` fills. */
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

/** Bytes, or characters, of the largest row. */
export const LARGEST_ROW = 16 * 1024 * 1024

/** What a checked row became. */
export type CheckedRow = StagedRecord | StagedUser | RefusedRow
export type CheckedDocument = StagedDocument | RefusedRow

interface RefusedRow {
  readonly kind: 'faults'
  readonly faults: readonly RowError[]
}
