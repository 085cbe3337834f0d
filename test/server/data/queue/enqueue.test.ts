/** Queues jobs in a real database, and checks which values are rejected. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JobRequest } from '../../../../runtime/data/jobs.ts'
import { MAX_CHAIN_LENGTH, MAX_PAYLOAD } from '../../../../runtime/data/jobs.ts'
import type { Fields, JobOptions } from '../../../../runtime/page/services.ts'
import { CaughtError } from '../../../../runtime/page/values/caught-error.ts'
import { makeHash } from '../../../../runtime/page/values/hash.ts'
import { parseJson } from '../../../../runtime/page/values/json.ts'
import { float } from '../../../../runtime/page/values/number.ts'
import { range } from '../../../../runtime/page/values/range.ts'
import { Safe } from '../../../../runtime/page/values/safe.ts'
import { enqueue } from '../../../../server/data/queue/enqueue.ts'
import type { RunStatement } from '../../../../server/data/queue/queue.ts'
import { sendTexts } from '../../../../server/data/store/send.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

let database: TestDatabase
let statements = 0

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  statements = 0
  await database.sql`delete from graphile_worker._private_jobs`
})

const run: RunStatement = async (statement) => {
  statements++
  return sendTexts(database.sql, statement, { prepare: true }).values()
}

function job(values: Fields = {}, options: Partial<JobOptions> = {}, depth = 1): JobRequest {
  return {
    task: { kind: 'unit', unit: 'greet', values },
    origin: { host: 'site.test', language: 'de', user: '7', depth },
    options: { delay: 0, priority: 'default', maxAttempts: 1, sourceName: 'greet', ...options },
  }
}

interface Row {
  readonly id: string
  readonly task: string
  readonly payload: string
  readonly priority: number
  readonly max_attempts: number
  /** The delay of the job in seconds. */
  readonly wait: number
}

async function rows(): Promise<readonly Row[]> {
  return database.sql<Row[]>`
    select j.id::text, t.identifier as task, j.payload::text as payload, j.priority, j.max_attempts,
      extract(epoch from j.run_at - clock_timestamp())::float8 as wait
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`
}

/** Returns the values that a job receives. */
async function passed(values: Fields): Promise<unknown> {
  const [id] = await enqueue([job(values)], run)
  const found = (await rows()).find((row) => row.id === id)
  return (parseJson(found!.payload) as { task: { values: unknown } }).task.values
}

const refused = (values: Fields): Promise<string> =>
  enqueue([job(values)], run).then(
    () => 'queued',
    (error: unknown) => (error as Error).message,
  )

describe('jobs in the queue', () => {
  it('have their priority, attempts, time and origin', async () => {
    const ids = await enqueue(
      [
        job({ n: 1 }, { priority: 'high', maxAttempts: 5 }),
        job({ n: 2 }, { priority: 'low', delay: 0.5 }),
        job({ n: 3 }, { delay: 90 }),
      ],
      run,
    )
    expect(statements).toBe(1)
    const found = new Map((await rows()).map((row) => [row.id, row]))
    const [high, low, later] = ids.map((id) => found.get(id)!)
    expect(high).toMatchObject({ task: 'ingot', priority: -10, max_attempts: 5 })
    expect(low).toMatchObject({ task: 'ingot_low', priority: 10, max_attempts: 1 })
    expect(high!.wait).toBeLessThan(0.1)
    expect(low!.wait).toBeGreaterThan(20)
    expect(low!.wait).toBeLessThan(30.1)
    expect(later!.wait).toBeGreaterThan(5_390)
    expect(JSON.parse(high!.payload)).toEqual({ ...job({ n: 1 }, { priority: 'high', maxAttempts: 5 }) })
  })

  it('are in the order of their ids, however many and however alike', async () => {
    const jobs = Array.from({ length: 300 }, (_, n) =>
      job({ n: n % 7 }, { priority: (['low', 'default', 'high'] as const)[n % 3]! }),
    )
    const ids = await enqueue(jobs, run)
    expect(statements).toBe(1)
    expect(new Set(ids).size).toBe(300)
    const found = new Map((await rows()).map((row) => [row.id, JSON.parse(row.payload) as JobRequest]))
    expect(ids.map((id) => found.get(id))).toEqual(jobs)
  })

  it('are none for none', async () => {
    expect(await enqueue([], run)).toEqual([])
    expect(statements).toBe(0)
  })

  it('wake whoever listens, when they are kept', async () => {
    const heard: string[] = []
    const listening = await database.sql.listen('jobs:insert', (text) => void heard.push(text))
    await enqueue([job(), job()], run)
    await expect.poll(() => heard.length).toBe(1)
    expect(heard[0]).toContain('"count":2')
    await listening.unlisten()
  })
})

describe('values', () => {
  it('keep their types and the order of their keys', async () => {
    const values = {
      whole: 3,
      float: float(3),
      small: float(0.5),
      long: 2n ** 80n,
      text: 'a "quoted" \\ text <b>\n€ 😀',
      none: null,
      gone: undefined,
      yes: true,
      list: [1, [2, { three: 'x' }]],
      ordered: makeHash([
        ['10', 'a'],
        ['2', 'b'],
      ]),
    }
    const got = (await passed(values)) as Record<string, unknown>
    const { gone: _gone, ...rest } = values
    expect(got).toEqual({ ...rest, gone: null })
    expect(Object.keys(got)).toEqual(Object.keys(values))
  })

  it('become plain where they carry more than JSON does', async () => {
    const got = await passed({
      safe: new Safe('<b>'),
      error: new CaughtError('it failed', 'LiquidError'),
      nan: Number.NaN,
    })
    expect(got).toEqual({
      safe: '<b>',
      error: { message: 'it failed', name: 'LiquidError', class: 'LiquidError' },
      nan: null,
    })
  })

  it('reach no prototype', async () => {
    const got = (await passed(
      makeHash([
        ['__proto__', { polluted: true }],
        ['constructor', 1],
      ]),
    )) as Record<string, unknown>
    expect(Object.keys(got)).toEqual(['__proto__', 'constructor'])
    expect(got['polluted']).toBeUndefined()
    expect(Object.getPrototypeOf(got)).toBe(Object.prototype)
  })

  it('that cannot be stored are refused by their names', async () => {
    const loop: Record<string, unknown> = { a: 1 }
    loop['self'] = loop
    expect(await refused({ r: range(1, 3) })).toBe(
      'the job greet cannot be queued: r is a range, which cannot be stored',
    )
    expect(await refused({ user: { go: () => 1 } })).toBe(
      'the job greet cannot be queued: user.go is not a value, which cannot be stored',
    )
    expect(await refused({ list: ['a', 'b\0c'] })).toBe(
      'the job greet cannot be queued: list[1] contains the character NUL, which cannot be stored',
    )
    expect(await refused({ 'k\0': 1 })).toContain('contains the character NUL')
    expect(await refused({ map: new Map() })).toContain('map is not a plain value')
    expect(await refused({ loop })).toContain('is nested more than 100 levels deep, or contains itself')
    expect(await refused({ deep: Array.from({ length: 200 }).reduce((inner) => [inner], 1) })).toContain(
      'is nested more',
    )
    expect(await rows()).toEqual([])
  })

  it('are no halves of characters, which would make the queue unreadable', async () => {
    expect(await passed({ text: 'a\ud800b', '\udfff': 1 })).toEqual({ text: 'a\ufffdb', '\ufffd': 1 })
    const [row] = await database.sql`select arguments from ingot.jobs`
    expect(row?.['arguments']).toEqual({ text: 'a\ufffdb', '\ufffd': 1 })
  })

  it('end at their size in bytes, and shared ones cannot grow without end', async () => {
    expect(await refused({ text: 'x'.repeat(MAX_PAYLOAD) })).toContain('larger than 512 KB')
    expect(await refused({ text: '€'.repeat(MAX_PAYLOAD / 2) })).toContain('larger than 512 KB')
    expect(await refused({ text: 'x'.repeat(MAX_PAYLOAD - 1_000) })).toBe('queued')
    let shared: unknown = 'x'
    for (let n = 0; n < 60; n++) shared = [shared, shared]
    const begun = performance.now()
    expect(await refused({ shared })).toContain('larger than 512 KB')
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})

describe('jobs in a row', () => {
  it('end where they are too many, unless one of them rests', async () => {
    await enqueue([job({}, {}, MAX_CHAIN_LENGTH)], run)
    await expect(enqueue([job({}, {}, MAX_CHAIN_LENGTH + 1)], run)).rejects.toThrow('more than 100 jobs in a row')
    await expect(enqueue([job({}, { delay: 0.5 }, MAX_CHAIN_LENGTH + 1)], run)).rejects.toThrow(
      'more than 100 jobs in a row',
    )
    const [id] = await enqueue([job({}, { delay: 1 }, MAX_CHAIN_LENGTH + 1)], run)
    const row = (await rows()).find((each) => each.id === id)
    expect((JSON.parse(row!.payload) as JobRequest).origin.depth).toBe(1)
  })

  it('have delays that are numbers', async () => {
    for (const delay of [Number.NaN, -1, Number.POSITIVE_INFINITY, 1e12])
      await expect(enqueue([job({}, { delay })], run), String(delay)).rejects.toThrow(`a delay of ${delay} minutes`)
  })
})
