/** The key of a database. It marks ids of rows without an external id in files. */
import type { Sql } from 'postgres'

/**
 * Reads the key.
 * @throws Error of the database client
 */
export async function sourceKey(sql: Sql): Promise<string> {
  const [row] = await sql<{ key: string }[]>`select key::text as key from ingot.data_source`
  if (row === undefined) throw new Error('the table ingot.data_source is empty')
  return row.key
}
