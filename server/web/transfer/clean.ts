/** Removes all data that visitors and rows have created. The site's code and settings stay. */
import type { TransactionSql } from 'postgres'
import { identifier, join, sql } from '../../../runtime/data/sql/sql.ts'
import { sendOnce } from '../../data/store/send.ts'

/** Tables with the data of a site. Stored files are removed later, when nothing refers to them. @internal Exported for tests. */
export const DATA_TABLES = [
  ...['records', 'users', 'profiles', 'addresses', 'attachments'],
  ...['activities', 'feed_entries', 'feed_reads', 'documents', 'document_words', 'embeddings'],
  ...[
    'sessions',
    'channel_messages',
    'user_tokens',
    'attempts',
    'used_states',
    'otp_secrets',
    'authentications',
    'notifications',
    'exports',
    'cache',
    'changes',
    'converted_values',
  ],
] as const

/** Maximum wait for a table lock in milliseconds. After a longer wait, the transaction is rolled back. */
const LOCK_TIMEOUT = 30_000

/**
 * Empties the tables within a transaction.
 * @throws the errors of the database client
 */
export async function removeAllData(client: TransactionSql): Promise<void> {
  await client`select set_config('lock_timeout', ${String(LOCK_TIMEOUT)}, true)`
  const tables = join(DATA_TABLES.map((name) => sql`ingot.${identifier(name)}`))
  await sendOnce(client, sql`truncate ${tables}`)
}
