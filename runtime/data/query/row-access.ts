/**
 * The rows that a statement reads and writes: by which values they are found, which values they get, and how they relate to other rows of
 * the statement. When tables are distributed over machines, these facts decide where the statement runs.
 */
import type { SourceRange } from './result-type-model.ts'
import type { Source } from './source.ts'
import type { Sql } from '../sql/sql.ts'

/** A column or a property of rows. */
export interface RowKey {
  readonly kind: 'column' | 'property'
  readonly name: string
}

/** The source of a value: a parameter, the id of the signed-in user, or a sequence. */
export type KeyValueSource = Source | { readonly kind: 'viewer' } | { readonly kind: 'drawn' }

/** A key, and the value that all rows of an access have for the key. */
export interface KeyValue {
  readonly key: RowKey
  readonly value: KeyValueSource
  /** Whether the value is a list. Each row then has one of its elements. */
  readonly isList: boolean
  /** Whether the condition is omitted when its variable has no value. */
  readonly optional: boolean
}

/** A condition that relates the rows of one access to the rows of another. */
export interface RowRelation {
  /**
   * The key of the rows. Null when the condition is not an equality of two values, because one of them is a list or its type is unknown.
   */
  readonly key: RowKey | null
  /** The alias of the other rows. */
  readonly to: Sql
  readonly toKey: RowKey | null
  /**
   * `shown`: the result shows the rows with each of the other rows. `required`: each of the other rows must have such a row. `possible`:
   * each of the other rows has such a row or fulfills an alternative condition.
   */
  readonly as: 'shown' | 'required' | 'possible'
}

/** Rows that one part of a statement reads or writes. Tables of Ingot itself are not listed. */
export interface RowAccess {
  readonly alias: Sql
  readonly rows: 'records' | 'users' | 'profiles'
  /** The names of the tables of records; null when any table is possible. */
  readonly tables: readonly string[] | null
  /** What is done with the rows. `lock` reads and locks rows that are updated later. */
  readonly action: 'read' | 'lock' | 'insert' | 'update'
  readonly fixedValues: readonly KeyValue[]
  readonly relations: readonly RowRelation[]
  /** The values that are written. */
  readonly writtenKeyValues: readonly KeyValue[]
  /** Whether one variable contains all written values, so that they are unknown until the statement runs. */
  readonly hasUnknownValues: boolean
  readonly range: SourceRange | null
}

/** The row accesses of the statement of a root field. */
export interface StatementAccess {
  /** The field's name in the result. */
  readonly key: string
  readonly name: string
  readonly range: SourceRange
  /** Whether a form writes the rows and the statement only reads them. */
  readonly throughForm: boolean
  readonly rowAccesses: readonly RowAccess[]
}

/** Returns the key of a column. */
export function columnKey(name: string): RowKey {
  return { kind: 'column', name }
}

/** The properties that every access has which only reads. */
export const READ_ACCESS = {
  action: 'read',
  fixedValues: [],
  relations: [],
  writtenKeyValues: [],
  hasUnknownValues: false,
} as const
