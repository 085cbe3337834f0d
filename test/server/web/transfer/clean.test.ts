/** Removing all data of a site: every table is either emptied or listed as one that stays. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeAllData, DATA_TABLES } from '../../../../server/web/transfer/clean.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

/** Tables that stay: the definition and the settings of a site, the state of its servers, and work in progress. */
const STAYING = [
  ...['migrations', 'tables', 'declared', 'site_migrations', 'data_source', 'instance', 'servers', 'api_tokens'],
  ...['constants', 'translations', 'logs', 'requests', 'files'],
  ...['releases', 'release_parts', 'active_release', 'deploys', 'edited_files', 'edited_modules'],
  ...['blobs', 'blob_parts', 'sent_assets', 'sent_files', 'sent_uploads', 'transfers', 'transfer_files'],
  ...['job_failures', 'job_servers', 'job_renewals', 'done_jobs', 'sent_code', 'channel_processes'],
]

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('every table of the database goes or stays on purpose', async () => {
  const rows = await database.sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'ingot' and c.relkind in ('r', 'p') and not c.relispartition order by 1`
  expect(rows.map(({ name }) => name)).toEqual([...DATA_TABLES, ...STAYING].toSorted())
})

test('what visitors have left goes, and what the site is set up with stays', async () => {
  const { sql } = database
  await sql`insert into ingot.tables (name) values ('house')`
  await sql`insert into ingot.records (table_id, properties) select id, '{}' from ingot.tables`
  await sql`insert into ingot.users (email, slug) values ('ann@example.com', 'ann')`
  await sql.begin(removeAllData)
  expect(await sql`select from ingot.records`).toHaveLength(0)
  expect(await sql`select from ingot.users`).toHaveLength(0)
  expect(await sql`select from ingot.tables where name = 'house'`).toHaveLength(1)
})
