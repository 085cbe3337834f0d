/**
 * What a statement touches: the rows of each of its parts, the values that these are found by or get, and what ties them
 * to the rows of other parts. Of that follows where a statement runs when tables are distributed over machines.
 */
import type { SourceRange } from './answer.ts'
import type { Source } from './source.ts'
import type { Sql } from '../sql/sql.ts'

/** A column of rows, or a property of them. */
export interface Key {
  readonly of: 'column' | 'property'
  readonly name: string
}

/** Whose value it is: of a parameter, of the signed-in user, or drawn from a sequence. */
export type Value = Source | { readonly kind: 'viewer' } | { readonly kind: 'drawn' }

/** A key that has the same value in all rows of a part. */
export interface Fixed {
  readonly key: Key
  readonly value: Value
  /** The value is one of several. */
  readonly many: boolean
  /** It does not hold in an execution in which its variable has no value. */
  readonly optional: boolean
}

/** A condition that relates the rows of a part to those of another. */
export interface Tie {
  /** Null when the condition is no equality of two values, because one of them is a list or its type is unknown. */
  readonly key: Key | null
  /** The alias of the other part. */
  readonly to: Sql
  readonly toKey: Key | null
  /**
   * `shown`: the rows are shown with each row of the other part. `required`: the other part has only rows with such a row.
   * `possible`: as well, or another condition holds.
   */
  readonly as: 'shown' | 'required' | 'possible'
}

/** Rows that a part of a statement reads or writes. Tables of Ingot itself are not among them. */
export interface Touched {
  readonly alias: Sql
  readonly rows: 'records' | 'users' | 'profiles'
  /** The tables of records; null for any. */
  readonly tables: readonly string[] | null
  /** `lock`: reads rows for an update. */
  readonly does: 'read' | 'lock' | 'insert' | 'update'
  readonly fixed: readonly Fixed[]
  readonly ties: readonly Tie[]
  /** The values that are written. */
  readonly written: readonly Fixed[]
  /** Whether a variable contains all that is written, so that it is unknown until the statement runs. */
  readonly opaque: boolean
  readonly at: SourceRange | null
}

/** The parts of the statement of a root field. */
export interface StatementParts {
  /** Its name in the result. */
  readonly key: string
  readonly name: string
  readonly at: SourceRange
  /** Whether the rows are written by a form, and the statement shows them. */
  readonly throughForm: boolean
  readonly touched: readonly Touched[]
}

/** The key of a column. */
export function columnKey(name: string): Key {
  return { of: 'column', name }
}

/** The rest of a part that only reads. */
export const READS = { does: 'read', fixed: [], ties: [], written: [], opaque: false } as const
