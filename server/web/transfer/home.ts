/** The data of a site for commands: an open database with the site's tables. */
import type { Sql } from 'postgres'
import type { DataSchema } from '../../../runtime/page/compiled.ts'

export interface DataHome {
  /** The site's folder. */
  readonly root: string
  /** The declared tables and properties. */
  readonly data: DataSchema
  /** Table ids by table name. */
  readonly ids: ReadonlyMap<string, number>
  readonly sql: Sql
  close(): Promise<void>
}
