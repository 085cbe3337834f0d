/** The steps from an empty database to the tables of this version, in their order. A step that was released never changes. */
import { sql as data } from './0001-data.ts'
import { sql as declared } from './0002-declared.ts'

export interface Migration {
  readonly name: string
  /** Statements; run in a transaction. */
  readonly sql: string
}

export const migrations: readonly Migration[] = [
  { name: '0001-data', sql: data },
  { name: '0002-declared', sql: declared },
]
