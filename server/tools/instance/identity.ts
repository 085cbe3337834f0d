/** Which installation this is, and the token that its first start makes. */
import type { ISql, Sql } from 'postgres'
import { createToken } from '../../data/store/tokens.ts'

/** The id of the installation. @throws Error where no server was started to be deployed to */
export async function instanceId(sql: ISql): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select id from ingot.instance`
  if (row === undefined) throw new Error('the database has no row of the instance')
  return row.id
}

/**
 * Makes the database that of an installation which is deployed to.
 * @returns the first token, which has all rights and is shown this once; null where it is one already
 */
export async function beginInstance(sql: Sql): Promise<string | null> {
  return sql.begin(async (transaction) => {
    const rows = await transaction`insert into ingot.instance default values on conflict do nothing returning id`
    return rows.length === 0 ? null : (await createToken(transaction, 'first', 'admin')).token
  })
}
