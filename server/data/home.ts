/** A site's data as the commands get it: an open database that holds its tables. */
import type { Sql } from 'postgres'
import type { DataSchema } from '../../runtime/page/compiled.ts'

export interface DataHome {
  /** Folder of the site. */
  readonly root: string
  readonly data: DataSchema
  /** Numbers of the tables in this database. */
  readonly ids: ReadonlyMap<string, number>
  readonly sql: Sql
  close(): Promise<void>
}
