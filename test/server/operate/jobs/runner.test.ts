/** Tests jobs of a served site from the queue to their end, with a real job process, threads and database. */
import { copyFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { type BuiltQueueSite, builtQueueSite, job, jobsOf, queue, until } from './queue-site.ts'

let ingot: Programs
let database: TestDatabase
let site: BuiltQueueSite
let server: Program

beforeAll(async () => {
  ingot = await programs()
})
afterAll(() => ingot.clean())

const JOBS = {
  note: '(r, scope) => { note(scope.text) }',
  wait: '(r, scope) => { note("begun " + scope.text); return sleep(scope.ms).then(() => note("done " + scope.text)) }',
  endless: '() => sleep(600_000)',
  loop: '() => { for (;;); }',
  ticking: '(r) => { for (;;) if (++r.pace >= 0) r.tick(0) }',
  memory: '() => { const all = []; for (;;) all.push(new Array(1_000).fill(0.5)) }',
  // Each time the hash grows, it allocates more memory than V8 has left for a thread that is about to be stopped.
  table:
    '(r) => { const all = {}; for (let i = 0; ; i++) { all["key " + i] = "a text " + i; if (++r.pace >= 0) r.tick(0) } }',
  throws: '() => { throw new LiquidFault("no such luck") }',
  exits: '() => process.exit(7)',
  later: '(r, scope) => { note("attempt"); throw new LiquidFault("not yet") }',
  context: '(r) => { note(JSON.stringify(r.context)) }',
  chain:
    '(r, scope) => r.services.jobs.enqueue("chain", {}, { delay: 0, priority: "high", maxAttempts: 1, sourceName: "" })',
}

async function start(variables: Record<string, string> = {}, argv = ['serve', site.root]): Promise<Program> {
  const program = ingot.start(argv, {
    DATABASE_URL: database.url,
    INGOT_JOB_THREADS: '2',
    INGOT_SILENCE: '30',
    ...variables,
  })
  await program.waitForOutput(argv[0] === 'worker' ? 'running the jobs' : 'http://')
  return program
}

let pairs = 0

/** Returns whether two jobs that are queued together run at the same time. A thread that replaces another one first loads the site. */
async function atOnce(what: string): Promise<boolean> {
  const text = `${what} ${++pairs}`
  await queue(database.sql, job('wait', { text, ms: 400 }), job('wait', { text, ms: 400 }))
  await until('both are done', () => site.notes().filter((line) => line === `done ${text}`).length === 2)
  const order = site.notes().filter((line) => line.endsWith(` ${text}`))
  return order[1]?.startsWith('begun') === true
}

describe('a served site', () => {
  beforeAll(async () => {
    database = await testDatabase()
    site = builtQueueSite({ jobs: JOBS })
    server = await start({
      INGOT_JOB_THREADS: '2',
      INGOT_JOB_MEMORY: '64',
      INGOT_JOB_SECONDS: '2',
      INGOT_JOB_SECONDS_HIGH: '1',
    })
  })
  afterAll(async () => {
    server.child.kill('SIGTERM')
    expect(await server.exitCode).toBe(0)
    expect(await database.sql`select * from ingot.job_servers`).toHaveLength(0)
    await database.close()
  })

  it('runs a job with the values that were passed', async () => {
    await queue(database.sql, job('note', { text: 'one' }))
    await until('the note', () => site.notes().includes('one'))
    await until('the queue is empty', async () => (await jobsOf(database.sql)).length === 0)
  })

  it('gives a job a context of its own', async () => {
    await queue(database.sql, job('context'))
    // A line may be read before it is written completely.
    const written = (): string | undefined => site.notes().find((line) => line.startsWith('{') && line.endsWith('}'))
    await until('the context', () => written() !== undefined)
    const context = JSON.parse(written() ?? '{}')
    expect(context).toMatchObject({
      environment: 'production',
      location: { host: 'example.com' },
      language: 'en',
      exports: {},
    })
    for (const name of ['page', 'layout', 'device', 'session', 'cookies', 'flash', 'params', 'constants'])
      expect(context).not.toHaveProperty(name)
  })

  it.each([
    ['endless', 'timeout', {}, /more than 2 seconds/],
    ['loop', 'timeout', { priority: 'high' }, /more than 1 seconds/],
    // The thread itself detects the timeout, unless it waits so long for a processor that the pool ends it.
    ['ticking', 'timeout', { priority: 'high' }, /more than (?:1000 ms|1 seconds)/],
    // These have a high time limit, because a slow machine needs long until the memory is full.
    ['memory', 'memory', { priority: 'low' }, /64 MB/],
    ['table', 'memory', { priority: 'low' }, /64 MB/],
    ['throws', 'error', {}, /no such luck/],
    ['exits', 'crash', {}, /its thread ended/],
    ['gone', 'missing', { maxAttempts: 5 }, /can't find partial gone/],
  ] as const)('%s ends as dead with the reason %s', async (unit, reason, options, message) => {
    const [id] = await queue(database.sql, job(unit, {}, options))
    const found = async () => (await jobsOf(database.sql)).find((row) => row['id'] === id)
    await until('it is dead', async () => (await found())?.['state'] === 'DEAD')
    expect(await found()).toMatchObject({ reason, error_message: expect.stringMatching(message), crashes: 0 })
    await until('the pool is whole: two jobs run at once', () => atOnce(`after ${unit} ${id}`))
    await server.waitForOutput(new RegExp(`job ${id}: .*\\(${reason}; it is dead\\)`))
  })

  it('leaves a job without code to others while servers change from one release to another', async () => {
    const { sql } = database
    const follows = JSON.stringify({ place: 'here', release: 'next', generation: 2, problem: null })
    await sql`
      insert into ingot.servers (id, host, pid, version, secret, files, follows)
      values ('next', 'another', 1, '1', 's', 'f', ${follows}::text::jsonb)`
    const [id = ''] = await queue(sql, job('gone'))
    const found = async () => (await jobsOf(sql)).find((row) => row['id'] === id)
    const waiting = () =>
      sql`select from graphile_worker._private_jobs where id = ${id} and locked_by is null and run_at > now()`
    await until('it waits for its code', async () => (await waiting()).length > 0)
    expect(await found()).toMatchObject({ attempts: 0, reason: null, dead_at: null })
    // No server has had the code for a time that is longer than a switch of the release takes.
    await sql`update graphile_worker._private_jobs set created_at = now() - interval '5 minutes', run_at = now() where id = ${id}`
    await until('it is dead', async () => (await found())?.['state'] === 'DEAD')
    expect(await found()).toMatchObject({ attempts: 1, reason: 'missing' })
    await sql`delete from ingot.servers where id = 'next'`
  })

  it('tries a job again, with a pause that grows, as often as it may', async () => {
    const [id] = await queue(database.sql, job('later', {}, { maxAttempts: 2, priority: 'high' }))
    const found = async () => (await jobsOf(database.sql)).find((row) => row['id'] === id)
    await until('it waits', async () => (await found())?.['state'] === 'RETRY')
    expect(await found()).toMatchObject({ attempts: 1, reason: 'error', dead_at: null })
    await until('it is dead', async () => (await found())?.['state'] === 'DEAD')
    expect(await found()).toMatchObject({ attempts: 2, retry_at: null })
    expect(site.notes().filter((line) => line === 'attempt')).toHaveLength(2)
  })

  it('jobs of high priority do not wait behind those of low', async () => {
    const low = Array.from({ length: 4 }, (_, at) => job('wait', { text: `low ${at}`, ms: 1_000 }, { priority: 'low' }))
    await queue(database.sql, ...low)
    await until('one runs', () => site.notes().includes('begun low 0'))
    await queue(database.sql, job('note', { text: 'in a hurry' }, { priority: 'high' }))
    await until('it has run', () => site.notes().includes('in a hurry'))
    const notes = site.notes()
    const later =
      low.length - notes.slice(0, notes.indexOf('in a hurry')).filter((line) => line.startsWith('begun low')).length
    expect(later).toBeGreaterThan(0)
    const waits = (row: Record<string, unknown>): boolean => row['queue'] === 'low' && row['state'] !== 'DEAD'
    await until('all is done', async () => !(await jobsOf(database.sql)).some(waits))
  })

  it('jobs that queue one another without end are stopped', async () => {
    await queue(database.sql, job('chain'))
    await until('the chain broke', async () =>
      (await jobsOf(database.sql)).some((row) => /more than 100 jobs in a row/.test(String(row['error_message']))),
    )
  })

  it('waits until its time has come', async () => {
    const begun = performance.now()
    await queue(database.sql, job('note', { text: 'delayed' }, { delay: 0.025 }))
    await sleep(700)
    expect(site.notes()).not.toContain('delayed')
    await until('it has run', () => site.notes().includes('delayed'))
    expect(performance.now() - begun).toBeGreaterThan(1_400)
  })
})

describe('jobs that never end', () => {
  beforeEach(async () => {
    database = await testDatabase()
    site = builtQueueSite({ jobs: JOBS })
    server = await start({ INGOT_JOB_MEMORY: '32', INGOT_GRACE: '0' }, ['worker', site.root])
  })
  afterEach(async () => {
    server.child.kill('SIGTERM')
    await server.exitCode
    await database.close()
  })

  it.each([
    ['of one name', Array.from({ length: 3 }, () => job('wait', { text: 'endless', ms: 600_000 }))],
    ['of three names', [job('loop'), job('endless'), job('wait', { text: 'endless', ms: 600_000 })]],
  ])('%s, and jobs that grow, do not keep short ones waiting until their limits', async (_names, endless) => {
    const { sql } = database
    const ids = await queue(sql, ...endless)
    await queue(sql, job('memory'), job('memory'), job('memory'))
    await queue(sql, ...Array.from({ length: 20 }, (_, at) => job('note', { text: `short ${at}` })))
    const short = (): number => site.notes().filter((line) => line.startsWith('short')).length
    await until('the short ones are done', () => short() === 20)
    // Each of them has a time limit of five minutes.
    const left = (await jobsOf(sql)).filter(({ id }) => ids.includes(String(id)))
    expect(left).toHaveLength(3)
    for (const { state } of left) expect(['RUNNING', 'SCHEDULED']).toContain(state)
    expect(left.filter(({ state }) => state === 'RUNNING').length).toBeGreaterThanOrEqual(2)
  })
})

describe('stopping', () => {
  beforeEach(async () => {
    database = await testDatabase()
    site = builtQueueSite({ jobs: JOBS })
  })
  afterEach(() => database.close())

  it('a job in progress comes to its end when everything stops', async () => {
    const program = await start({ INGOT_JOB_THREADS: '1' }, ['worker', site.root])
    await queue(database.sql, job('wait', { text: 'slow', ms: 1_500 }))
    await until('it has begun', () => site.notes().includes('begun slow'))
    program.child.kill('SIGTERM')
    expect(await program.exitCode).toBe(0)
    expect(site.notes()).toContain('done slow')
    expect(await jobsOf(database.sql)).toEqual([])
  })

  it('a queue that grows after a quiet time is read by its index, not as a whole for each job', async () => {
    server = await start({ INGOT_JOB_THREADS: '1' }, ['worker', site.root])
    const noted = async (text: string, count: number): Promise<void> =>
      until(text, () => site.notes().filter((line) => line === text).length === count)
    // The statements are planned while the tables are nearly empty.
    for (let n = 1; n <= 20; n++) {
      await queue(database.sql, job('note', { text: 'quiet' }))
      await noted('quiet', n)
    }
    await queue(database.sql, ...Array.from({ length: 400 }, () => job('note', { text: 'many' })))
    await noted('many', 400)
    // Connections report the number of rows that they have read when they close.
    server.child.kill('SIGTERM')
    await server.exitCode
    const read = async (): Promise<Record<string, unknown> | undefined> => {
      const [row] = await database.sql`
        select n_tup_del::int as done, seq_tup_read::int as read from pg_stat_user_tables
        where schemaname = 'graphile_worker' and relname = '_private_jobs'`
      return row
    }
    await until('all has been told', async () => (await read())?.['done'] === 420)
    // Reading the whole queue for each job would mean 400 · 400 / 2 rows.
    expect((await read())?.['read']).toBeLessThan(8_000)
  })

  it('one that takes too long goes back, and loses no attempt', async () => {
    const program = await start({ INGOT_GRACE: '1' }, ['worker', site.root])
    const [id] = await queue(database.sql, job('wait', { text: 'long', ms: 60_000 }), job('loop'))
    await until('it has begun', () => site.notes().includes('begun long'))
    program.child.kill('SIGTERM')
    expect(await program.exitCode).toBe(0)
    const jobs = await jobsOf(database.sql)
    expect(jobs).toHaveLength(2)
    for (const row of jobs) expect(row).toMatchObject({ state: 'SCHEDULED', attempts: 0, crashes: 0, runs: 1 })
    expect(jobs[0]).toMatchObject({ id })
  })

  it('a new site runs new jobs while those of the old one come to their end', async () => {
    const program = await start({ INGOT_JOB_THREADS: '2' })
    await queue(database.sql, job('wait', { text: 'old', ms: 4_000 }))
    await until('it has begun', () => site.notes().includes('begun old'))
    const next = builtQueueSite({ jobs: { note: '(r, scope) => { note("new " + scope.text) }' } })
    copyFileSync(next.bundle, site.bundle)
    program.child.kill('SIGHUP')
    await program.waitForOutput('reloaded')
    await queue(database.sql, job('note', { text: 'site' }))
    await until('the new code has run', () => next.notes().includes('new site'))
    await until('the old code has run to its end', () => site.notes().includes('done old'))
    await until('the queue is empty', async () => (await jobsOf(database.sql)).length === 0)
    program.child.kill('SIGTERM')
    expect(await program.exitCode).toBe(0)
  })
})
