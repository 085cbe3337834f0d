/** Rows that were deleted long ago are removed permanently. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCKS } from '../../../../server/data/store/locks.ts'
import { migrate } from '../../../../server/data/store/migrate.ts'
import { nextPurgeTime, purge } from '../../../../server/data/store/purge.ts'
import { type TestDatabase, applyData, testDatabase } from '../../../support/database.ts'

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
    expect(new Date(nextPurgeTime(Date.parse(now))).toISOString()).toBe(next)
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

  it('removes exports and dead jobs after the days that they are kept, and leaves what waits or runs', async () => {
    const { sql } = database
    const days = { log: 30, exports: 10, deadJobs: 20 }
    await sql`insert into ingot.exports (options, state, updated_at) values
      ('{"n":1}', 'done', now() - interval '9 days'), ('{"n":2}', 'done', now() - interval '11 days'),
      ('{"n":3}', 'error', now() - interval '11 days')`
    await sql`
      insert into ingot.done_jobs (job_id, priority, payload, attempts, max_attempts, returned, created_at, run_at, done_at)
      select 1000000 + age, 0, '{"task":{"kind":"unit","unit":"done"}}', 1, 1, 1, now(), now(), now() - age * interval '1 day'
      from (values (19), (21)) as ages(age)`
    for (const [name, attempts, age, locked] of [
      ['fresh', 1, 19, false],
      ['old', 1, 21, false],
      ['waits', 0, 400, false],
      ['runs', 1, 400, true],
    ] as const) {
      const payload = { task: { kind: 'unit', unit: name, values: {} }, options: {}, origin: {} }
      await sql`select graphile_worker.add_job('ingot', ${sql.json(payload)}::json, max_attempts => 1)`
      await sql`update graphile_worker._private_jobs set attempts = ${attempts}, updated_at = now() - ${age} * interval '1 day',
        locked_at = ${locked ? new Date() : null} where payload #>> '{task,unit}' = ${name}`
      await sql`insert into ingot.job_failures (job_id, reason, message, failed_at)
        select id, 'error', 'no', updated_at from ingot.jobs where unit = ${name}`
    }
    const [other] = await sql<
      { id: string }[]
    >`select id::text from graphile_worker.add_job('not_ours', '{}', max_attempts => 1)`
    await sql`update graphile_worker._private_jobs set attempts = 1, updated_at = now() - interval '1 year' where id = ${other?.id ?? ''}`
    expect(await purge(sql, days)).toBe(4)
    expect(await sql`select options ->> 'n' as n from ingot.exports`).toEqual([{ n: '1' }])
    const left = await sql`select unit from ingot.jobs order by unit`
    expect(left.map(({ unit }) => unit)).toEqual(['done', 'fresh', 'runs', 'waits'])
    expect(await sql`select from ingot.job_failures`).toHaveLength(3)
    expect(await sql`select from graphile_worker._private_jobs where id = ${other?.id ?? ''}`).toHaveLength(1)
    // A concurrent writer does not block the purge, and loses no rows.
    const holder = await sql.reserve()
    await holder`begin`
    await holder`update graphile_worker._private_jobs set attempts = 0 where payload #>> '{task,unit}' = 'fresh'`
    expect(await purge(sql, { ...days, deadJobs: 1 })).toBe(1)
    await holder`commit`
    holder.release()
    expect(await purge(sql, { ...days, deadJobs: 1 })).toBe(0)
  })
})

it('a database without a queue is purged too', async () => {
  const empty = await testDatabase({ empty: true })
  try {
    await migrate(empty.sql)
    expect(await purge(empty.sql)).toBe(0)
  } finally {
    await empty.close()
  }
})
