/**
 * Tests servers that die or stop responding while their jobs run: no job is lost, and the failure of a server does not count against its
 * jobs.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendHeartbeat, recover, intervalsOf } from '../../../../server/operate/jobs/runner/recovery.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { type BuiltQueueSite, builtQueueSite, job, jobsLeft, jobsOf, queue, until } from './queue-site.ts'

// The tests start and kill servers and wait for them, on a machine that may be busy with other suites.
vi.setConfig({ testTimeout: 300_000 })

/** The numbers of the jobs of one test are below this. */
const NUMBERS = 1_000

let ingot: Programs
let database: TestDatabase
let site: BuiltQueueSite
/** The number of the first job of the current test. */
let from = 0

beforeAll(async () => {
  ingot = await programs()
  site = builtQueueSite({
    jobs: {
      count:
        '(r, scope) => { note("begun " + scope.n); return sleep(5).then(() => { if (scope.n % 50 === 49) throw new LiquidFault("of its own"); note("done " + scope.n) }) }',
      // Sleeps in steps, so that the time while its process was stopped does not count.
      slow: '(r, scope) => { note("begun " + scope.n); const step = (left) => (left > 0 ? sleep(50).then(() => step(left - 50)) : note("done " + scope.n)); return step(scope.ms) }',
    },
  })
})
afterAll(() => ingot.clean())

async function worker(variables: Record<string, string> = {}): Promise<Program> {
  const program = ingot.start(['worker', site.root], {
    DATABASE_URL: database.url,
    INGOT_JOB_THREADS: '2',
    INGOT_SILENCE: '30',
    INGOT_JOB_SILENCE: '3',
    ...variables,
  })
  await program.waitForOutput('running the jobs')
  return program
}

/** Returns the processes of a program: the children of its supervisor, then the supervisor. */
function processesOf({ child }: Program): readonly number[] {
  const pid = child.pid ?? 0
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return [...children.split('\n').filter(Boolean).map(Number), pid]
}

function signal(program: Program, name: NodeJS.Signals): void {
  for (const pid of processesOf(program)) process.kill(pid, name)
}

/** Returns a job of the current test. */
const numbered = (unit: 'count' | 'slow', n: number, ms = 0) => job(unit, { n: from + n, ms })

/** Returns how often each job of the current test has made a note, by its number. */
const counted = (prefix: string): Map<number, number> => {
  const counts = new Map<number, number>()
  for (const line of site.notes()) {
    const n = line.startsWith(prefix) ? Number(line.slice(prefix.length)) - from : -1
    if (n >= 0 && n < NUMBERS) counts.set(n, (counts.get(n) ?? 0) + 1)
  }
  return counts
}

/** Returns the number of runs of each finished job of the current test that may have run twice, by its number. */
const records = async (): Promise<ReadonlyMap<number, number>> => {
  const rows = await database.sql<{ n: number; runs: number }[]>`
    select (arguments ->> 'n')::int - ${from}::int as n, runs from ingot.jobs where state = 'DONE'`
  return new Map(rows.filter(({ n }) => n >= 0 && n < NUMBERS).map((row) => [row.n, row.runs]))
}

describe('servers with one queue', () => {
  /** A server that all tests use. The first test starts it. */
  let lasting: Program

  beforeAll(async () => {
    database = await testDatabase()
  })
  beforeEach(() => {
    from += NUMBERS
  })
  afterAll(() => database.close())

  it('a server that is killed three times among 500 jobs loses none, and holds none to account', async () => {
    const all = Array.from({ length: 500 }, (_, n) => numbered('count', n))
    await queue(database.sql, ...all)
    /** Number of jobs that ran when a server was killed. */
    let running = 0
    for (let round = 1; round <= 3; round++) {
      const program = await worker()
      await until(`round ${round} is well under way`, () => counted('done ').size >= round * 80)
      signal(program, 'SIGKILL')
      await program.exitCode
      const [row] = await database.sql`select count(*)::int as n from ingot.jobs where state = 'RUNNING'`
      running += Number(row?.['n'])
    }
    expect(running).toBeGreaterThan(0)
    lasting = await worker()
    await until('all has been done', async () => {
      const [row] = await database.sql`select count(*)::int as n from ingot.jobs where state not in ('DEAD', 'DONE')`
      return row?.['n'] === 0
    })
    const dead = await jobsLeft(database.sql)
    expect(dead).toHaveLength(10)
    for (const row of dead) expect(row).toMatchObject({ reason: 'error', error_message: 'of its own', attempts: 1 })
    const done = counted('done ')
    expect(done.size).toBe(490)
    // Only jobs that had ended but were not yet recorded when the server died run again.
    const twice = [...done].flatMap(([n, times]) => (times > 1 ? [n] : []))
    expect(twice.length).toBeLessThanOrEqual(6)
    // Every job that started twice has a record of this, except the ones that always fail, which are dead.
    const recorded = await records()
    const begun = [...counted('begun ')].filter(([n, times]) => times > 1 && n % 50 !== 49)
    expect(begun.filter(([n, times]) => (recorded.get(n) ?? 0) < times)).toEqual([])
    expect(twice.filter((n) => !recorded.has(n))).toEqual([])
    await database.sql`delete from graphile_worker._private_jobs`
    await database.sql`delete from ingot.job_failures`
  })

  it('a process of jobs that dies alone is replaced, and its jobs go on', async () => {
    await queue(database.sql, numbered('slow', 1, 2_000))
    await until('it runs', () => counted('begun ').size === 1)
    const [alone] = processesOf(lasting)
    process.kill(alone ?? 0, 'SIGKILL')
    await until('it is done', () => counted('done ').size === 1)
    expect(counted('begun ').get(1)).toBe(2)
    await until('it is recorded', async () => (await jobsLeft(database.sql)).length === 0)
  })

  it('jobs of a killed server start at another one that runs, in the time that is promised, with their attempts', async () => {
    const first = await worker()
    const ids = await queue(database.sql, ...[1, 2, 3, 4].map((n) => numbered('slow', n, 2_500)))
    await until('all four run', () => counted('begun ').size === 4)
    signal(first, 'SIGKILL')
    const killed = performance.now()
    await until('they run again', () => [...counted('begun ').values()].filter((times) => times === 2).length === 2)
    // Four thirds of the silence, plus the end of the jobs that the other server is running.
    expect(performance.now() - killed).toBeLessThan(30_000)
    await until('all is done', async () => (await jobsLeft(database.sql)).length === 0)
    expect(ids).toHaveLength(4)
    expect([...counted('done ').values()]).toEqual([1, 1, 1, 1])
    const again = [...counted('begun ')].filter(([, times]) => times === 2)
    expect([...(await records())].toSorted()).toEqual(again.toSorted())
    // The record of the crash is removed together with the job.
    expect(await database.sql`select * from ingot.job_failures`).toHaveLength(0)
  })

  it('a server that was cut off leaves its jobs to the other one, and does none of them twice when it comes back', async () => {
    await queue(database.sql, ...[1, 2].map((n) => numbered('slow', n, 5_000)))
    await until('both run', () => counted('begun ').size === 2)
    signal(lasting, 'SIGSTOP')
    const second = await worker()
    await until('they run at the other one', () => [...counted('begun ').values()].every((times) => times === 2))
    signal(lasting, 'SIGCONT')
    await lasting.waitForOutput('the jobs running here are aborted and left to other servers')
    await until('all is done', async () => (await jobsLeft(database.sql)).length === 0)
    await sleep(3_000)
    expect([...counted('done ').values()]).toEqual([1, 1])
    // The server works normally again.
    signal(second, 'SIGTERM')
    await second.exitCode
    await queue(database.sql, numbered('slow', 9, 1))
    await until('it works', () => counted('done ').has(9))
  })

  it('servers with different times of silence run side by side, and each takes over from the other when its time is over', async () => {
    const patient = await worker({ INGOT_JOB_SILENCE: '30' })
    const silences = await database.sql`select distinct silence from ingot.job_servers order by silence`
    expect(silences.map((row) => row['silence'])).toEqual([3_000, 30_000])
    await queue(database.sql, ...[1, 2, 3, 4].map((n) => numbered('slow', n, 6_000)))
    await until('all four run', () => counted('begun ').size === 4)
    // The pause is longer than the patience of the other server, but the stopped server's own patience counts.
    signal(patient, 'SIGSTOP')
    await until('the hasty one has done its own', () => counted('done ').size === 2)
    expect([...counted('begun ').values()]).toEqual([1, 1, 1, 1])
    signal(patient, 'SIGCONT')
    await until('all is done', async () => (await jobsLeft(database.sql)).length === 0)
    expect([...counted('done ').values()]).toEqual([1, 1, 1, 1])
    await queue(database.sql, ...[5, 6, 7, 8].map((n) => numbered('slow', n, 3_000)))
    await until('all four run', () => counted('begun ').size === 8)
    signal(lasting, 'SIGKILL')
    await until('two run again', () => [...counted('begun ').values()].filter((times) => times === 2).length === 2)
    await until('all is done', async () => (await jobsLeft(database.sql)).length === 0)
    signal(patient, 'SIGTERM')
    await patient.exitCode
  })
})

describe('the queue', () => {
  beforeEach(async () => {
    database = await testDatabase()
  })
  afterEach(() => database.close())

  it('three crashes are forgiven; the next is a failure of the job', async () => {
    const { sql } = database
    const [id, other] = await queue(sql, job('slow'), job('slow', {}, { maxAttempts: 2 }))
    const crash = async (): Promise<readonly { id: string; crashes: number; dead: boolean }[]> => {
      await sql`
        update graphile_worker._private_jobs set locked_at = now() - interval '1 hour', locked_by = 'pool-gone', attempts = attempts + 1
        where attempts < max_attempts`
      return (await recover(sql, 60_000)).toSorted((a, b) => Number(a.id) - Number(b.id))
    }
    for (const crashes of [1, 2, 3])
      expect(await crash()).toEqual([
        { id, crashes, dead: false },
        { id: other, crashes, dead: false },
      ])
    expect((await jobsOf(sql)).map(({ state, attempts }) => ({ state, attempts }))).toEqual([
      { state: 'RETRY', attempts: 0 },
      { state: 'RETRY', attempts: 0 },
    ])
    expect(await crash()).toEqual([
      { id, crashes: 4, dead: true },
      { id: other, crashes: 4, dead: false },
    ])
    expect(await jobsOf(sql)).toMatchObject([
      { state: 'DEAD', attempts: 1, crashes: 4, reason: 'crash' },
      { state: 'RETRY', attempts: 1, crashes: 4, reason: 'crash' },
    ])
  })

  it('servers that are alive keep what they have, and several look after the dead at once', async () => {
    const { sql } = database
    await queue(sql, ...Array.from({ length: 50 }, (_, n) => job('slow', { n })))
    await sql`insert into ingot.job_servers (pool_id) values ('pool-alive')`
    await sql`
      update graphile_worker._private_jobs set locked_at = now() - interval '1 hour', attempts = 1,
        locked_by = case when id % 2 = 0 then 'pool-alive' else 'pool-gone' end`
    const found = await Promise.all([1, 2, 3].map(() => recover(sql, 60_000)))
    expect(found.flat()).toHaveLength(25)
    const states = await sql`select state, count(*)::int as n from ingot.jobs group by state order by state`
    expect([...states]).toEqual([
      { state: 'RETRY', n: 25 },
      { state: 'RUNNING', n: 25 },
    ])
  })

  it('each server is judged by its own time of silence, whoever looks', async () => {
    const { sql } = database
    await sendHeartbeat(sql, ['hasty'], 3_000)
    await sendHeartbeat(sql, ['patient'], 3_600_000)
    await sql`insert into ingot.job_servers (pool_id) values ('older')`
    await queue(sql, ...['hasty', 'patient', 'older', 'unknown'].map((unit) => job(unit)))
    await sql`
      update graphile_worker._private_jobs j set attempts = 1, locked_by = q.unit, locked_at = now() - interval '2 minutes'
      from ingot.jobs q where q.id = j.id`
    await sql`update ingot.job_servers set seen_at = now() - interval '1 minute'`
    const running = async (): Promise<unknown> =>
      (await sql`select unit from ingot.jobs where state = 'RUNNING' order by unit`).map((row) => row['unit'])
    const known = async (): Promise<unknown> =>
      (await sql`select pool_id from ingot.job_servers order by pool_id`).map((row) => row['pool_id'])
    // A server with a long patience also finds that the server with a short patience is dead.
    expect(await recover(sql, 3_600_000)).toHaveLength(1)
    expect([await running(), await known()]).toEqual([
      ['older', 'patient', 'unknown'],
      ['older', 'patient'],
    ])
    // A server with a short patience respects the patience of the other one. A server that has announced none is judged by the patience of
    // the observer.
    expect(await recover(sql, 3_000)).toHaveLength(2)
    expect([await running(), await known()]).toEqual([['patient'], ['patient']])
    await sql`update ingot.job_servers set seen_at = now() - interval '61 minutes'`
    // Jobs that it took after its last sign of life are lost only after its patience.
    expect(await recover(sql, 3_000)).toHaveLength(0)
    expect(await known()).toEqual(['patient'])
    await sql`update graphile_worker._private_jobs set locked_at = now() - interval '61 minutes' where locked_by is not null`
    expect(await recover(sql, 3_000)).toHaveLength(1)
    expect([await running(), await known()]).toEqual([[], []])
  })

  it('a server that is started anew with another time of silence counts by the new one', async () => {
    const { sql } = database
    await sendHeartbeat(sql, ['pool'], 3_600_000)
    await sendHeartbeat(sql, ['pool'], 3_000)
    expect([...(await sql`select pool_id, silence from ingot.job_servers`)]).toEqual([
      { pool_id: 'pool', silence: 3_000 },
    ])
  })

  it('a server with much patience looks often enough for those that have little', () => {
    for (const silence of [3, 60, 600, 3_600]) {
      const { beat: every, check: look, silence: whole } = intervalsOf(silence)
      expect(whole).toBe(silence * 1_000)
      expect(look).toBeLessThanOrEqual(20_000)
      expect(every * 3).toBeLessThanOrEqual(whole)
    }
  })
})
