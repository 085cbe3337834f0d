/** A site's data for the commands: an open database with its tables. */
import type { Sql } from 'postgres'
import type { DataSchema } from '../../../runtime/page/compiled.ts'

export interface DataHome {
  /** The site's folder. */
  readonly root: string
  readonly data: DataSchema
  /** The numbers of the tables in this database. */
  readonly ids: ReadonlyMap<string, number>
  readonly sql: Sql
  close(): Promise<void>
}
