/** The key of a database, by which its rows without an external id are known again in files. */
import type { Sql } from 'postgres'

/** @throws Error of the database client */
export async function sourceKey(sql: Sql): Promise<string> {
  const [row] = await sql<{ key: string }[]>`select key::text as key from ingot.data_source`
  if (row === undefined) throw new Error('the database has no row of its key')
  return row.key
}
