/** Tests database connections that break while jobs are fetched, run and recorded: each job still ends correctly. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHeldJobs } from '../../../../server/operate/jobs/runner/held.ts'
import { recordFailure } from '../../../../server/operate/jobs/runner/keep.ts'
import { removeObsoleteRecords, recover } from '../../../../server/operate/jobs/runner/recovery.ts'
import { connect } from '../../../../server/data/store/connection.ts'
import { type TestDatabase, testDatabase, testServer } from '../../../support/database.ts'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { type BuiltQueueSite, builtQueueSite, job, jobsLeft, jobsOf, queue, until } from './queue-site.ts'

let ingot: Programs
let database: TestDatabase
let site: BuiltQueueSite

beforeAll(async () => {
  ingot = await programs()
  site = builtQueueSite({
    jobs: {
      // This job raises an error as emitted code does.
      sets: `async (r, scope) => {
        note("begun " + scope.n)
        const { errors } = await r.services.graphql.run({ document: 'mutation { constant_set(name: "N", value: "1") { name } }' }, {})
        if (errors) throw new LiquidFault(errors[0].message)
        note("done " + scope.n)
      }`,
      moves: `async (r, scope) => {
        note("begun " + scope.n)
        const set = (name) =>
          r.services.graphql.run({ document: 'mutation { constant_set(name: "' + name + '", value: "1") { name } }' }, {})
        await r.services.transactions.run({ timeout: null }, async () => {
          await set("FIRST")
          note("inside " + scope.n)
          await sleep(1_000)
          await set("SECOND")
        })
        note("done " + scope.n)
      }`,
      slow: '(r, scope) => { note("begun " + scope.n); return sleep(6_000).then(() => note("done " + scope.n)) }',
      count:
        '(r, scope) => { note("begun " + scope.n); return sleep(2).then(() => { if (scope.n % 50 === 49) throw new LiquidFault("of its own"); note("done " + scope.n) }) }',
    },
  })
})
afterAll(() => ingot.clean())

async function worker(): Promise<Program> {
  const program = ingot.start(['worker', site.root], {
    DATABASE_URL: database.url,
    INGOT_JOB_THREADS: '2',
    INGOT_SILENCE: '30',
    INGOT_JOB_SILENCE: '3',
  })
  await program.waitForOutput('running the jobs')
  return program
}

/** Waits until no job is left, except finished ones that may have run twice. */
const allDone = (): Promise<void> => until('all is done', async () => (await jobsLeft(database.sql)).length === 0)

/** Returns the notes of the jobs of one unit, which only one test uses. */
const notesOf = (word: string): readonly string[] => site.notes().filter((line) => line.endsWith(` ${word}`))

/** Closes the database for all connections except the one of this test, and ends the existing ones. */
async function shut(): Promise<{ open(): Promise<void> }> {
  const [row] = await database.sql<{ name: string }[]>`select current_database() as name`
  const admin = await connect(await testServer(), 'DATABASE_URL', { pool: 1, name: 'tests' })
  const admit = (answer: boolean) => admin.unsafe(`alter database ${row?.name} allow_connections ${answer}`)
  await admit(false)
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'ingot%'`
  return {
    async open() {
      await admit(true)
      await admin.end()
    },
  }
}

describe('a server', () => {
  let program: Program

  beforeAll(async () => {
    database = await testDatabase()
    program = await worker()
  })
  afterAll(async () => {
    program.child.kill('SIGTERM')
    await program.exitCode
    await database.close()
  })

  it('a transaction of a job that is lost with its connection leaves nothing, and runs again', async () => {
    const [id] = await queue(database.sql, job('moves', { n: 'moved' }))
    await until('it is in its transaction', () => notesOf('moved').includes('inside moved'))
    // The connection that has changed the constants is recognized by its lock on their table, which it holds until its transaction ends.
    const cut = await database.sql`
      select pg_terminate_backend(pid) from pg_locks
      where relation = 'ingot.constants'::regclass and mode = 'RowExclusiveLock'`
    expect(cut).toHaveLength(1)
    await program.waitForOutput(
      `job ${id}: the connection to the database was lost during the transaction, which was rolled back (database; it will be retried)`,
    )
    expect(await database.sql`select name from ingot.constants`).toEqual([])
    await allDone()
    const [begun, inside] = ['begun moved', 'inside moved']
    expect(notesOf('moved')).toEqual([begun, inside, begun, inside, 'done moved'])
  })

  it('a job whose statement is lost with its connection has not failed, and runs again', async () => {
    let id = ''
    const cut = await database.sql.begin(async (transaction) => {
      await transaction`lock table ingot.constants in access exclusive mode`
      id = (await queue(database.sql, job('sets', { n: 'set' })))[0] ?? ''
      const waiting = () => database.sql<{ pid: number }[]>`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '%insert into%constants%'`
      await until('its statement waits', async () => (await waiting()).length > 0)
      const [first] = await waiting()
      return database.sql`select pg_terminate_backend(${first?.pid ?? 0}::int) as done`
    })
    expect(cut).toEqual([{ done: true }])
    await program.waitForOutput(`job ${id}: The database is not reachable (database; it will be retried)`)
    await allDone()
    expect(notesOf('set')).toEqual(['begun set', 'begun set', 'done set'])
    const row = (await jobsOf(database.sql)).find((each) => each['id'] === id)
    expect(row).toMatchObject({ state: 'DONE', runs: 2 })
  })

  it('a server that the database leaves alone for a while goes on with its jobs when it is there again', async () => {
    await queue(database.sql, ...[1, 2, 3].map((n) => job('slow', { n: `${n} slow` })))
    await until('two run', () => notesOf('slow').length >= 2)
    const admin = await shut()
    await program.waitForOutput('the jobs running here are aborted and left to other servers')
    await sleep(1_500)
    await admin.open()
    // The failures do not count against the jobs, and threads that could not be started are started now.
    await allDone()
    expect(new Set(notesOf('slow').filter((line) => line.startsWith('done ')))).toEqual(
      new Set(['done 1 slow', 'done 2 slow', 'done 3 slow']),
    )
  })

  it('connections that break at any moment lose no job, and are held against none', async () => {
    await queue(database.sql, ...Array.from({ length: 500 }, (_, n) => job('count', { n })))
    const isOpen = async (): Promise<boolean> =>
      (await database.sql`select from ingot.jobs where state not in ('DEAD', 'DONE') limit 1`).length > 0
    for (let round = 0; round < 25 && (await isOpen()); round++) {
      await sleep(80)
      await database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name in ('ingot', 'ingot jobs')`
    }
    await until('all has come to its end', async () => !(await isOpen()))
    const dead = await jobsLeft(database.sql)
    expect(dead.map(({ error_message }) => error_message)).toEqual(Array.from({ length: 10 }, () => 'of its own'))
    expect(new Set(site.notes().filter((line) => /^done \d+$/.test(line))).size).toBe(490)
  })
})

describe('the queue', () => {
  beforeEach(async () => {
    database = await testDatabase()
  })
  afterEach(() => database.close())

  it('a job that loses its database again and again fails in the end', async () => {
    const [id = ''] = await queue(database.sql, job('count', {}, { maxAttempts: 2 }))
    const failure = { errorClass: 'LiquidError', message: 'gone', located: 'gone', stack: [], canRetry: true } as const
    const fail = async (reason: 'database' | 'error'): Promise<number | null> => {
      await database.sql`
        update graphile_worker._private_jobs set locked_at = now(), locked_by = 'one', attempts = attempts + 1`
      return recordFailure(database.sql, id, 'one', { ...failure, reason })
    }
    expect(await fail('database')).toBe(2)
    expect(await fail('error')).toBe(1)
    expect(await jobsOf(database.sql)).toMatchObject([{ state: 'RETRY', attempts: 1, crashes: 1, reason: 'error' }])
    expect(await fail('database')).toBe(1)
    expect(await fail('database')).toBe(1)
    expect(await fail('database')).toBe(0)
    expect(await jobsOf(database.sql)).toMatchObject([{ state: 'DEAD', attempts: 2, crashes: 4, reason: 'database' }])
  })

  describe('what the queue says that we hold', () => {
    const POOL = 'pool-of-this-test'

    async function held(count: number): Promise<readonly string[]> {
      const ids = await queue(database.sql, ...Array.from({ length: count }, (_, n) => job('count', { n })))
      await hold(ids, POOL)
      return ids
    }
    const hold = (ids: readonly string[], pool: string) =>
      database.sql`
        update graphile_worker._private_jobs set locked_at = clock_timestamp(), locked_by = ${pool}, attempts = attempts + 1
        where id = any(string_to_array(${ids.join(',')}, ',')::bigint[])`
    const states = async (): Promise<unknown> =>
      (await jobsOf(database.sql)).map(({ id, state, attempts }) => `${id} ${state} ${attempts}`)

    it('takes out what is done and still there, and leaves what runs, and what others hold', async () => {
      const [done = '', runs = '', others = ''] = await held(3)
      const all = createHeldJobs()
      for (const id of [done, runs, others]) all.started(id)
      all.ended(done, true)
      all.ended(others, true)
      await hold([others], 'another-pool')
      for (let times = 1; times <= 3; times++) expect(await all.settle(database.sql, [POOL])).toEqual([])
      expect(await states()).toEqual([`${runs} RUNNING 1`, `${others} RUNNING 2`])
    })

    it('gives back what never came, when its answer can no longer be on its way', async () => {
      const [lost = '', late = ''] = await held(2)
      const all = createHeldJobs()
      expect(await all.settle(database.sql, [POOL])).toEqual([])
      all.started(late)
      expect(await all.settle(database.sql, [POOL])).toEqual([lost])
      expect(await states()).toEqual([`${lost} SCHEDULED 0`, `${late} RUNNING 1`])
      // A job that is fetched again counts as another run.
      await hold([lost], POOL)
      expect(await all.settle(database.sql, [POOL])).toEqual([])
    })

    it('keeps what runs for hours, which the engine would take away after four, and knows since when it runs', async () => {
      const [long = ''] = await held(1)
      const all = createHeldJobs()
      all.started(long)
      const age = async (hours: number): Promise<void> => {
        await database.sql`
          update graphile_worker._private_jobs set locked_at = locked_at - ${hours}::int * interval '1 hour'`
        await database.sql`
          update ingot.job_renewals set locked_at = locked_at - ${hours}::int * interval '1 hour',
            started_at = started_at - ${hours}::int * interval '1 hour'`
      }
      const hours = async (): Promise<unknown> => {
        const rows = await database.sql`
          select id::text, round(extract(epoch from now() - started_at) / 3600)::int as since,
            round(extract(epoch from now() - locked_at) / 3600)::int as locked from ingot.jobs where id = ${long}`
        return rows[0]
      }
      await age(2)
      await all.settle(database.sql, [POOL])
      expect(await hours()).toMatchObject({ since: 2, locked: 2 })
      await age(2)
      await all.settle(database.sql, ['another-pool'])
      expect(await hours()).toMatchObject({ since: 4, locked: 4 })
      await all.settle(database.sql, [POOL])
      expect(await hours()).toMatchObject({ since: 4, locked: 0 })
      await age(4)
      await all.settle(database.sql, [POOL])
      expect(await hours()).toMatchObject({ since: 8, locked: 0 })
      // Another attempt starts from the beginning.
      await hold([long], POOL)
      expect(await hours()).toMatchObject({ since: 0, locked: 0 })
      await removeObsoleteRecords(database.sql)
      expect(await database.sql`select * from ingot.job_renewals`).toHaveLength(0)
    })

    it('remembers what is done while the database is away', async () => {
      const [done = ''] = await held(1)
      const all = createHeldJobs()
      all.started(done)
      all.ended(done, true)
      await database.sql`alter table graphile_worker._private_jobs rename to away`
      await expect(all.settle(database.sql, [POOL])).rejects.toThrow('does not exist')
      await database.sql`alter table graphile_worker.away rename to _private_jobs`
      expect(await all.settle(database.sql, [POOL])).toEqual([])
      expect(await states()).toEqual([])
    })
  })

  it('a failure is kept and the job let go of in one step: whoever dies behind it leaves nothing half-done', async () => {
    const ids = await queue(database.sql, job('count', {}, { maxAttempts: 3 }), job('count', {}, { maxAttempts: 3 }))
    await database.sql`
      update graphile_worker._private_jobs set locked_at = now(), locked_by = 'one', attempts = 1`
    const message = 'no \0 luck'
    const failure = { reason: 'error', errorClass: 'LiquidError', message, located: message, stack: [] } as const
    const [first = '', second = ''] = ids
    expect(await recordFailure(database.sql, first, 'one', { ...failure, canRetry: true })).toBe(2)
    expect(await recordFailure(database.sql, second, 'one', { ...failure, canRetry: false })).toBe(0)
    // The job no longer belongs to the pool.
    expect(await recordFailure(database.sql, first, 'one', { ...failure, canRetry: true })).toBeNull()
    expect(await recover(database.sql, 0)).toEqual([])
    expect(await jobsOf(database.sql)).toMatchObject([
      { state: 'RETRY', attempts: 1, crashes: 0, error_message: 'no  luck' },
      { state: 'DEAD', attempts: 1, max_attempts: 3, runs: 1, crashes: 0, error_message: 'no  luck' },
    ])
    const [row] = await database.sql`
      select extract(epoch from run_at - now())::float8 as pause from graphile_worker._private_jobs where id = ${first}`
    expect(row?.['pause']).toBeGreaterThan(2)
    expect(row?.['pause']).toBeLessThan(3)
    await database.sql`select ingot.retry_jobs(array[${second}::bigint])`
    const again = (await jobsOf(database.sql)).find(({ id }) => id === second)
    expect(again).toMatchObject({ state: 'SCHEDULED', attempts: 0, max_attempts: 3, runs: 0 })
  })
})
