/** The queue's tables in a database. */
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { giveBack } from '../../../../server/operate/jobs/runner/keep.ts'
import { recover } from '../../../../server/operate/jobs/runner/recovery.ts'
import { installQueue, QUEUE_VERSION } from '../../../../server/data/queue/install.ts'
import { migrate } from '../../../../server/data/store/migrate.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase({ empty: true })
})
afterAll(() => database.close())

it('the number of the newest step is that of the package', () => {
  const steps = readdirSync(new URL('../../../../node_modules/graphile-worker/sql', import.meta.url))
  expect(QUEUE_VERSION).toBe(Math.max(...steps.map((name) => Number.parseInt(name, 10))))
})

it('several servers at once make the tables once, and one that comes later finds them', async () => {
  const { sql, url } = database
  await migrate(sql)
  await Promise.all([1, 2, 3].map(() => installQueue(url, sql)))
  const before = performance.now()
  await installQueue(url, sql)
  expect(performance.now() - before).toBeLessThan(50)
  const [row] = await sql`select max(id) as newest from graphile_worker.migrations`
  expect(row).toEqual({ newest: QUEUE_VERSION })
})

it('the view tells the state of a job', async () => {
  const { sql } = database
  const payload = {
    task: { kind: 'unit', unit: 'mails/digest', values: { week: 7 } },
    origin: { host: 'example.com', language: 'en', user: '5', depth: 1 },
    options: { delay: 0, priority: 'low', maxAttempts: 3, sourceName: 'weekly' },
  }
  await sql`select graphile_worker.add_job('ingot_low', ${sql.json(payload)}::json, max_attempts => 3, priority => 10)`
  const [job] = await sql`select * from ingot.jobs`
  expect(job).toMatchObject({
    state: 'SCHEDULED',
    queue: 'low',
    label: 'weekly',
    source_name: 'weekly',
    kind: 'unit',
    unit: 'mails/digest',
    partial_name: 'mails/digest',
    form_name: null,
    user_id: '5',
    attempts: 0,
    max_attempts: 3,
    crashes: 0,
    failed_at: null,
    dead_at: null,
  })
  await sql`update graphile_worker._private_jobs set attempts = 1`
  await sql`insert into ingot.job_failures (job_id, reason, message) values (${job?.['id']}, 'error', 'no')`
  expect((await sql`select state, error_message, retry_at is not null as again from ingot.jobs`)[0]).toEqual({
    state: 'RETRY',
    error_message: 'no',
    again: true,
  })
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'me'`
  expect((await sql`select state from ingot.jobs`)[0]).toEqual({ state: 'RUNNING' })
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null, attempts = 3`
  expect((await sql`select state, dead_at is not null as dead from ingot.jobs`)[0]).toEqual({
    state: 'DEAD',
    dead: true,
  })
})

it('a job that was returned while it ran stays on record when it is done, and no other does', async () => {
  const { sql } = database
  await sql`delete from graphile_worker._private_jobs`
  const payload = { task: { kind: 'unit', unit: 'mail', values: { n: 7 } }, origin: {}, options: {} }
  const add = async (): Promise<string> => {
    const [job] = await sql<{ id: string }[]>`
      select id::text from graphile_worker.add_job('ingot', ${sql.json(payload)}::json, max_attempts => 2)`
    return job?.id ?? ''
  }
  const [plain, crashed, cut, deleted] = [await add(), await add(), await add(), await add()]
  const take = (...ids: string[]) => sql`
    update graphile_worker._private_jobs set attempts = attempts + 1, locked_at = now() - interval '1 hour', locked_by = 'gone'
    where id = any(${`{${ids}}`}::text::bigint[])`
  const finish = (...ids: string[]) =>
    sql`delete from graphile_worker._private_jobs where id = any(${`{${ids}}`}::text::bigint[])`
  await take(crashed, deleted)
  expect((await recover(sql, 60_000)).map(({ id }) => id).toSorted()).toEqual([crashed, deleted].toSorted())
  await take(cut)
  await giveBack(sql, cut, 'gone', 0, true)
  await take(crashed)
  await recover(sql, 60_000)
  // A job that never started has no runs.
  await take(plain)
  await giveBack(sql, plain, 'gone', 1, false)
  const runs = await sql`select id::text, state, runs, attempts from ingot.jobs order by jobs.id`
  expect([...runs]).toEqual([
    { id: plain, state: 'SCHEDULED', runs: 0, attempts: 0 },
    { id: crashed, state: 'RETRY', runs: 2, attempts: 0 },
    { id: cut, state: 'SCHEDULED', runs: 1, attempts: 0 },
    { id: deleted, state: 'RETRY', runs: 1, attempts: 0 },
  ])
  // A manual restart removes the failure, but keeps the number of runs.
  await sql`select ingot.retry_jobs(array[${crashed}::bigint])`
  await sql`select ingot.delete_jobs(array[${deleted}::bigint])`
  await take(plain, crashed, cut)
  await finish(plain, crashed, cut)
  const told = sql`select id::text, state, unit, arguments, runs, attempts, done_at is not null as done, dead_at, locked_at
    from ingot.jobs order by jobs.id`
  const record = {
    state: 'DONE',
    unit: 'mail',
    arguments: { n: 7 },
    attempts: 1,
    done: true,
    dead_at: null,
    locked_at: null,
  }
  expect([...(await told)]).toEqual([
    { id: crashed, ...record, runs: 3 },
    { id: cut, ...record, runs: 2 },
  ])
  expect(await sql`select * from ingot.retry_jobs(array[${cut}::bigint])`).toHaveLength(0)
  expect(await sql`select * from ingot.delete_jobs(array[${cut}::bigint])`).toHaveLength(1)
  expect((await sql`select id::text from ingot.jobs`).map(({ id }) => id)).toEqual([crashed])
  await sql`delete from ingot.done_jobs`
})

it('the functions leave alone what runs, however long, and what is no job of ours', async () => {
  const { sql } = database
  await sql`delete from graphile_worker._private_jobs`
  const [other] = await sql<
    { id: string }[]
  >`select id::text from graphile_worker.add_job('other', run_at => now() + interval '1 day')`
  const [runs] = await sql<{ id: string }[]>`select id::text from graphile_worker.add_job('ingot', '{}')`
  await sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 day', locked_by = 'me' where id = ${runs?.id ?? ''}`
  const before = await sql`select * from graphile_worker._private_jobs order by id`
  const ids = `{${other?.id},${runs?.id},999999,null}`
  expect(await sql`select * from ingot.retry_jobs(${ids}::text::bigint[])`).toHaveLength(0)
  expect(await sql`select * from ingot.delete_jobs(${ids}::text::bigint[])`).toHaveLength(0)
  expect(await sql`select * from graphile_worker._private_jobs order by id`).toEqual(before)
})

it('a database that an earlier version has left gets the functions', async () => {
  const { sql, url } = database
  await sql`drop function ingot.retry_jobs`
  await sql.unsafe(`comment on view ingot.jobs is '${QUEUE_VERSION}:0123456789abcdef'`)
  await installQueue(url, sql)
  expect(await sql`select * from ingot.retry_jobs('{}')`).toHaveLength(0)
})
