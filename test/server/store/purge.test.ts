/** What was deleted long ago goes for good. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCKS } from '../../../server/store/locks.ts'
import { nextPurge, purge } from '../../../server/store/purge.ts'
import { type TestDatabase, applyData, testDatabase } from '../../database.ts'

describe('the purge', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.close())

  it.each([
    ['2026-03-01T04:59:59.999Z', '2026-03-01T05:00:00.000Z'],
    ['2026-03-01T05:00:00.000Z', '2026-03-02T05:00:00.000Z'],
    ['2026-12-31T23:00:00.000Z', '2027-01-01T05:00:00.000Z'],
  ])('after %s is at %s', (now, next) => {
    expect(new Date(nextPurge(Date.parse(now))).toISOString()).toBe(next)
  })

  it('removes rows that were deleted more than 30 days ago, however many, and no others', async () => {
    const { sql } = database
    const ids = await applyData(sql, { tables: [{ name: 't', file: 't.yml', properties: [] }], user: [], profiles: [] })
    const id = ids.get('t') ?? 0
    await sql`insert into ingot.records (table_id, name, deleted_at) values
      (${id}, 'alive', null), (${id}, 'recent', now() - interval '29 days')`
    await sql`insert into ingot.records (table_id, name, deleted_at)
      select ${id}, 'old', now() - interval '31 days' from generate_series(1, 12000)`
    await sql`insert into ingot.users (email, slug, deleted_at) values ('a@example.com', 'a', now() - interval '31 days')`
    await sql`insert into ingot.profiles (user_id, profile_type) select id, 'default' from ingot.users`
    const holder = await sql.reserve()
    await holder`select pg_advisory_lock(${LOCKS.purge})`
    expect(await purge(sql)).toBe(0)
    await holder`select pg_advisory_unlock(${LOCKS.purge})`
    holder.release()
    expect(await purge(sql)).toBe(12001)
    expect((await sql`select name from ingot.records order by name`).map((row) => row['name'])).toEqual([
      'alive',
      'recent',
    ])
    expect(await sql`select from ingot.profiles`).toHaveLength(0)
  })
})
