/** Log entries are stored as rows, regardless of their contents and of failures of the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { LogEntry } from '../../../../runtime/page/services.ts'
import { failureRow, entryRow } from '../../../../server/web/logs/stored-row.ts'
import type { LogRow } from '../../../../server/web/logs/model.ts'
import { openLogs } from '../../../../server/web/logs/open.ts'
import { createLogWriter } from '../../../../server/web/logs/writer.ts'
import { NO_ORIGIN } from '../../../../server/core/contracts/log.ts'
import { createClient } from '../../../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../../../server/data/store/database-url.ts'
import { purge } from '../../../../server/data/store/purge.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

let database: TestDatabase
const lines: Record<string, unknown>[] = []
const logger = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) })

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.close())
beforeEach(async () => {
  lines.length = 0
  await database.sql`delete from ingot.logs`
})

const entry = (message: unknown, more: Partial<LogEntry> = {}): LogEntry => {
  return { message, type: 'info', env: 'all', file: 'app/lib/x.liquid', line: 3, ...more }
}

async function rows(): Promise<readonly { type: string; message: string; data: Record<string, unknown> }[]> {
  return database.sql`select type, message, data from ingot.logs order by id`
}

test('entries of the site come with their place; those of another environment do not come', async () => {
  const logs = openLogs(database.url, { environment: 'staging', logger })
  const place = { url: 'example.com/a', page: 'a', user: { id: '7', email: 'a@example.com' }, job: null }
  logs.write(entry('hello'), place)
  logs.write(entry('not here', { env: 'production' }), place)
  logs.write(entry('here', { env: 'staging', type: ' debug ' }), NO_ORIGIN)
  await logs.close()
  expect(await rows()).toEqual([
    {
      type: 'info',
      message: 'hello',
      data: {
        url: 'example.com/a',
        page: 'a',
        user: { id: '7', email: 'a@example.com' },
        partial: 'app/lib/x.liquid',
        line: 3,
      },
    },
    { type: 'debug', message: 'here', data: { partial: 'app/lib/x.liquid', line: 3 } },
  ])
  expect(lines.map(({ msg }) => msg)).toEqual(['hello', 'here'])
})

test('any value can be logged', async () => {
  const logs = openLogs(database.url, { environment: 'production', logger })
  const round: Record<string, unknown> = {}
  round['self'] = round
  for (const value of [
    null,
    false,
    0,
    1.5,
    '',
    { a: [1, { b: 'ż' }] },
    [],
    'nul \0 half \ud800 end',
    round,
    'x'.repeat(300_000),
  ]) {
    logs.write(entry(value), NO_ORIGIN)
  }
  await logs.close()
  const messages = (await rows()).map(({ message }) => message)
  expect(messages.slice(0, 8)).toEqual([
    'null',
    'false',
    '0',
    '1.5',
    '',
    '{"a":[1,{"b":"ż"}]}',
    '[]',
    'nul \ufffd half \ufffd end',
  ])
  expect(messages[8]).toContain('cannot be shown')
  expect(messages[9]).toHaveLength(100_001)
})

test('a failure is a diagnostic with its stack', async () => {
  const logs = openLogs(database.url, { environment: 'production', logger })
  const stack = [
    { path: 'app/lib/inner.liquid', line: 2 },
    { path: 'app/views/pages/a.liquid', line: 9 },
  ]
  logs.failed(
    { type: 'LiquidError', message: 'broken', stack },
    { url: 'example.com/a', page: 'a', user: null, job: null },
  )
  const fault = Object.assign(new LiquidFault('internal error'), {
    file: 'app/p.liquid',
    line: 4,
    cause: new TypeError('x is no function'),
  })
  logs.write(entry(fault.located, { type: fault.name, fault }), NO_ORIGIN)
  await logs.close()
  const [first, second] = await rows()
  expect(first).toEqual({
    type: 'error',
    message: 'broken',
    data: {
      schema_version: 1,
      type: 'LiquidError',
      message: 'broken',
      source_span: null,
      stack,
      context: { url: 'example.com/a' },
      page: 'a',
      partial: 'app/lib/inner.liquid',
      line: 2,
    },
  })
  expect(second?.message).toBe('Liquid error (app/p.liquid:4): internal error (TypeError: x is no function)')
  expect(second?.data['stack']).toEqual([{ path: 'app/p.liquid', line: 4 }])
})

test('many entries are written in the order in which they were made', async () => {
  const logs = openLogs(database.url, { environment: 'production', logger })
  for (let count = 0; count < 5_000; count++) logs.write(entry(`entry ${count}`), NO_ORIGIN)
  await logs.close()
  expect((await rows()).map(({ message }) => message)).toEqual(
    Array.from({ length: 5_000 }, (_, count) => `entry ${count}`),
  )
})

test('what is logged while the database is away is written when it is back, and nothing twice', async () => {
  const address = readDatabaseUrl(database.url, 'DATABASE_URL')
  const sql = createClient(address, { pool: 1, name: 'cut' })
  const said: string[] = []
  const log = {
    info: (_: object, text: string) => void said.push(text),
    warn: (_: object, text: string) => void said.push(text),
  }
  const writer = createLogWriter(sql, log)
  const row = (message: string): LogRow => entryRow(entry(message), NO_ORIGIN)
  writer.add(row('before'))
  await expect.poll(async () => (await rows()).length).toBe(1)
  await database.sql`alter table ingot.logs rename to logs_away`
  for (let count = 0; count < 1_200; count++) writer.add(row(`away ${count}`))
  await sleep(1_000)
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut'`
  await database.sql`alter table ingot.logs_away rename to logs`
  await expect.poll(async () => (await rows()).length).toBe(1_201)
  expect((await rows()).map(({ message }) => message)).toEqual([
    'before',
    ...Array.from({ length: 1_200 }, (_, count) => `away ${count}`),
  ])
  await writer.close()
  expect(said).toHaveLength(2)
})

test('a table that is locked for long makes no entry come twice', async () => {
  const sql = createClient(readDatabaseUrl(database.url, 'DATABASE_URL'), { pool: 1, name: 'locked' })
  const writer = createLogWriter(sql, logger, { entries: 100, characters: 1_000_000, timeout: 300 })
  await database.sql.begin(async (transaction) => {
    await transaction`lock table ingot.logs in access exclusive mode`
    writer.add(entryRow(entry('once'), NO_ORIGIN))
    // Several attempts reach their timeout.
    await sleep(2_500)
  })
  await expect.poll(async () => (await rows()).length).toBeGreaterThan(0)
  await writer.close()
  expect((await rows()).map(({ message }) => message)).toEqual(['once'])
})

test('more than memory is to hold: the oldest go, and are counted', async () => {
  const sql = createClient(readDatabaseUrl(database.url, 'DATABASE_URL'), { pool: 1, name: 'full' })
  const writer = createLogWriter(sql, logger, { entries: 100, characters: 1_000_000 })
  await database.sql`alter table ingot.logs rename to logs_away`
  for (let count = 0; count < 250; count++) writer.add(entryRow(entry(`entry ${count}`), NO_ORIGIN))
  await sleep(400)
  await database.sql`alter table ingot.logs_away rename to logs`
  await expect.poll(async () => (await rows()).length).toBe(101)
  await writer.close()
  const [remark, ...others] = await rows()
  expect(remark).toMatchObject({ type: 'warning', message: expect.stringMatching(/^150 older log entries/) })
  expect(others.map(({ message }) => message)).toEqual(
    Array.from({ length: 100 }, (_, count) => `entry ${count + 150}`),
  )
})

test('a row that the database will never take does not keep the others', async () => {
  const sql = createClient(readDatabaseUrl(database.url, 'DATABASE_URL'), { pool: 1, name: 'bad' })
  const writer = createLogWriter(sql, logger)
  for (let count = 0; count < 20; count++) {
    const row = failureRow({ type: 'x', message: `entry ${count}`, stack: [] }, NO_ORIGIN)
    writer.add(count === 7 ? { ...row, data: '{broken' } : row)
  }
  await writer.close()
  expect((await rows()).map(({ message }) => message)).toEqual(
    Array.from({ length: 20 }, (_, count) => `entry ${count}`).filter((message) => message !== 'entry 7'),
  )
  expect(lines.filter(({ msg }) => String(msg).includes('an entry of the site log was rejected'))).toHaveLength(1)
})

test('a database that never comes back holds no stop up', async () => {
  const sql = createClient(readDatabaseUrl(database.url.replace(/\/t_\w+/, '/t_nowhere'), 'DATABASE_URL'), {
    pool: 1,
    name: 'none',
  })
  const writer = createLogWriter(sql, logger)
  writer.add(entryRow(entry('lost'), NO_ORIGIN))
  await sleep(200)
  const begun = performance.now()
  await writer.close()
  expect(performance.now() - begun).toBeLessThan(4_000)
  expect(lines.some(({ msg }) => String(msg).includes('1 entries of the site log are lost'))).toBe(true)
})

test('entries go after the days that they are kept', async () => {
  await database.sql`insert into ingot.logs (created_at, type, message) select now() - d * interval '1 day', 'info', d::text from generate_series(1, 20) as d`
  await database.sql`insert into ingot.notifications (channel, content, created_at) values ('email', '{}', now() - interval '8 days'), ('email', '{}', now())`
  expect(await purge(database.sql, { log: 7, exports: 30, deadJobs: 30 })).toBe(14 + 1)
  expect((await rows()).map(({ message }) => Number(message)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
})
