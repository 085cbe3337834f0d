/** Removes all data of a site: what its visitors and its rows have left. What it is made of and set up with stays. */
import type { TransactionSql } from 'postgres'
import { identifier, join, sql } from '../../../runtime/data/sql/sql.ts'
import { sendOnce } from '../../data/store/send.ts'

/** Tables whose rows are data of a site. Stored files go when nothing names them any more. */
export const DATA_TABLES = [
  ...['records', 'users', 'profiles', 'addresses', 'attachments'],
  ...['activities', 'feed_entries', 'feed_reads', 'documents', 'document_words', 'embeddings'],
  ...['sessions', 'attempts', 'otp_secrets', 'authentications', 'notifications', 'exports', 'cache'],
] as const

/** Milliseconds that requests may keep a table; the transaction is undone when it takes longer. */
const PATIENCE = 30_000

/**
 * Empties the tables, in a transaction.
 * @throws the errors of the database client
 */
export async function cleanData(client: TransactionSql): Promise<void> {
  await client`select set_config('lock_timeout', ${String(PATIENCE)}, true)`
  const tables = join(DATA_TABLES.map((name) => sql`ingot.${identifier(name)}`))
  await sendOnce(client, sql`truncate ${tables}`)
}
