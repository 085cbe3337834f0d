/** The id of the installation, and its first token. */
import type { ISql, Sql } from 'postgres'
import { createToken } from '../../data/store/tokens.ts'

/** Returns the id of the installation. @throws Error when no server was started with `--instance` */
export async function instanceId(sql: ISql): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select id from ingot.instance`
  if (row === undefined) throw new Error('the database has no row of the instance')
  return row.id
}

/**
 * Prepares the database of a server that sites are deployed to.
 * @returns the first token, which has all permissions and is shown only once; null when the database is already prepared
 */
export async function beginInstance(sql: Sql): Promise<string | null> {
  return sql.begin(async (transaction) => {
    const rows = await transaction`insert into ingot.instance default values on conflict do nothing returning id`
    return rows.length === 0 ? null : (await createToken(transaction, 'first', 'admin')).token
  })
}
