/** Tests `ingot jobs`: showing and changing the queue. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readJobsLine, runJobsLine } from '../../../../server/commands/jobs.ts'
import { deleteJobs, retryJobs } from '../../../../server/data/queue/admin.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { job, jobsOf, queue, runOn, until } from './queue-site.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const WORDS = /\x1b\[\d+m/g

async function ran(...argv: readonly string[]): Promise<{ code: number; out: string; said: string }> {
  let out = ''
  let said = ''
  const code = await runJobsLine(
    readJobsLine(argv),
    runOn(database.sql),
    (text) => {
      out += text
    },
    (text) => {
      said += text
    },
  )
  return { code, out: out.replace(WORDS, ''), said: said.replace(WORDS, '') }
}

async function kill(id: string, message = 'no such luck'): Promise<void> {
  const { sql } = database
  await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = ${message} where id = ${id}::bigint`
  await sql`
    insert into ingot.job_failures (job_id, reason, error_class, message, stack)
    values (${id}::bigint, 'error', 'LiquidError', ${message}, '[{"path": "app/lib/send.liquid", "line": 7}]')`
}

describe('with a few jobs', () => {
  let waiting: string
  let dead: string
  let running: string

  beforeEach(async () => {
    const { sql } = database
    await sql`delete from graphile_worker._private_jobs`
    await sql`delete from ingot.job_failures`
    const ids = await queue(
      sql,
      job('mails/digest', { week: 7, text: 'evil \u001b[31m' }, { sourceName: 'weekly', priority: 'low' }),
      job('send', {}, { maxAttempts: 3 }),
      job('resize'),
    )
    ;[waiting, dead, running] = ids as [string, string, string]
    await kill(dead)
    await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'p', attempts = 1 where id = ${running}::bigint`
  })

  it('lists them, those that failed first, and counts them', async () => {
    const { out, said, code } = await ran('list')
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
      ['ID', 'STATE', 'PRIORITY', 'JOB', 'ATTEMPTS'],
      [dead, 'DEAD', 'default', 'send', '3/3'],
      [running, 'RUNNING', 'default', 'resize', '1/1'],
      [waiting, 'SCHEDULED', 'low', 'weekly', '0/1'],
      [''],
    ])
    expect(said).toBe('3 in all: 1 scheduled, 1 running, 1 dead\n')
    expect((await ran('list', '--state', 'dead', '--json')).out).toContain('"errorMessage":"no such luck"')
    expect((await ran('list', '--state=retry')).said).toBe('There are no matching jobs.\n')
    expect((await ran('list', '--limit', '1')).out.split('\n')).toHaveLength(3)
  })

  it('shows one, and nothing of it steers the terminal', async () => {
    const { out } = await ran('show', waiting)
    expect(out).toContain('label      weekly\n')
    expect(out).toContain('"week": 7')
    expect(out).not.toContain('\u001b')
    const failed = await ran('show', dead)
    expect(failed.out).toContain('error      LiquidError: no such luck\nat         app/lib/send.liquid:7\n')
    expect(JSON.parse((await ran('show', dead, '--json')).out)).toMatchObject({
      id: dead,
      state: 'DEAD',
      arguments: {},
    })
  })

  it('tries a dead one again, and forgets what it failed with', async () => {
    expect(await ran('retry', dead)).toMatchObject({ code: 0, said: `Job ${dead} is queued to run now.\n` })
    const found = (await jobsOf(database.sql)).find((row) => row['id'] === dead)
    expect(found).toMatchObject({ state: 'SCHEDULED', attempts: 0, error_message: null })
    expect(await ran('retry', running)).toMatchObject({ code: 1, said: `Job ${running} is already running.\n` })
    expect(await ran('retry', '999999')).toMatchObject({
      code: 1,
      said: expect.stringContaining('There is no job 999999'),
    })
  })

  it('lets one run now that waits for its time', async () => {
    const { sql } = database
    const [later = ''] = await queue(sql, job('later', {}, { delay: 600 }))
    const heard: string[] = []
    const { unlisten } = await sql.listen('jobs:insert', (told) => void heard.push(told))
    expect(await ran('retry', later, '--json')).toMatchObject({ code: 0, out: `["${later}"]\n` })
    const [row] = await sql`select run_at <= now() as due from ingot.jobs where id = ${later}`
    expect(row).toEqual({ due: true })
    await until('those who run jobs are told', () => heard.length > 0)
    await unlisten()
    expect(JSON.parse(heard[0] ?? '')).toEqual({ count: 1 })
  })

  it('lists each job on one line, whatever its error says, and nothing turns the text around', async () => {
    const { sql } = database
    const [id = ''] = await queue(sql, job('send'))
    await sql`
      insert into ingot.job_failures (job_id, reason, message) values (${id}, 'error', ${'first\nsecond\tthird \u202efourth'})`
    const { out } = await ran('list', '--limit', '10000')
    const line = out.split('\n').find((each) => each.includes('first'))
    expect(line).toContain('first second third \\u202efourth')
    expect(line).toMatch(new RegExp(`^${id} `))
    await sql`delete from graphile_worker._private_jobs where id = ${id}`
    await sql`delete from ingot.job_failures where job_id = ${id}`
  })

  it('gives ids in their order, whatever their digits', async () => {
    const { sql } = database
    await sql`delete from graphile_worker._private_jobs`
    await sql`alter table graphile_worker._private_jobs alter column id restart with 98`
    await queue(sql, ...[1, 2, 3, 4].map((n) => job('send', { n })))
    const ids = ['98', '99', '100', '101']
    await sql`update graphile_worker._private_jobs set run_at = '2026-01-01'`
    const listed = JSON.parse((await ran('list', '--json', '--limit', '10000')).out) as readonly { id: string }[]
    expect(listed.map(({ id }) => id)).toEqual(ids)
    await sql`update graphile_worker._private_jobs set attempts = max_attempts`
    expect(JSON.parse((await ran('retry', '--all-dead', '--json')).out)).toEqual(ids)
    expect(await retryJobs(runOn(sql), [...ids].reverse())).toEqual(ids)
    expect(await deleteJobs(runOn(sql), [...ids].reverse())).toEqual(ids)
  })

  it('tries all dead ones again, and no others', async () => {
    await kill(waiting)
    expect(await ran('retry', '--all-dead')).toMatchObject({ code: 0, said: '2 jobs are queued to run now.\n' })
    const states = new Map((await jobsOf(database.sql)).map((row) => [row['id'], row['state']]))
    expect([waiting, dead, running].map((id) => states.get(id))).toEqual(['SCHEDULED', 'SCHEDULED', 'RUNNING'])
    expect(await ran('retry', '--all-dead')).toMatchObject({ code: 0, said: 'There are no dead jobs.\n' })
  })

  it('takes one out that does not run', async () => {
    expect(await ran('delete', dead)).toMatchObject({ code: 0, said: `Job ${dead} was deleted.\n` })
    expect(await database.sql`select * from ingot.job_failures`).toHaveLength(0)
    expect(await ran('delete', running)).toMatchObject({
      code: 1,
      said: expect.stringContaining('is running now'),
    })
    expect(await ran('delete', dead)).toMatchObject({ code: 1 })
    expect(new Set((await jobsOf(database.sql)).map((row) => row['id']))).toEqual(new Set([waiting, running]))
  })
})

it.each([
  [[], 'needs an action: give list, show, retry, delete'],
  [['kill'], "has no action 'kill'"],
  [['list', '--state', 'gone'], "There is no state 'gone': give scheduled, running, retry, dead"],
  [['list', '--limit', '0'], "cannot be '0'"],
  [['list', '--limit'], 'needs a value'],
  [['list', '.', '.'], "does not take '.'"],
  [['show'], 'needs the ID of a job'],
  [['show', 'x'], "'x' is not the ID"],
  [['show', '1', '--state', 'dead'], "has no option '--state'"],
  [['retry'], 'or --all-dead'],
  [['delete', '1', '.', 'x'], "does not take 'x'"],
] as const)('refuses %j', (argv, sentence) => {
  expect(() => readJobsLine(argv)).toThrow(sentence)
})
