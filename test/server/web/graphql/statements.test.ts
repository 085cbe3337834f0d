/** Statements on a real PostgreSQL: their duration, their failures, the replica, and prepared statements. */
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createStatements, type Statements } from '../../../../server/web/graphql/database/statements.ts'
import type { Logger } from '../../../../server/core/contracts/log.ts'
import { type Meter, newMeter } from '../../../../server/core/contracts/meter.ts'
import { createClient } from '../../../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../../../server/data/store/database-url.ts'
import { watchReplica } from '../../../../server/data/store/replica.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { statementOf } from '../../../support/statement.ts'
import { type Door, openDoor } from './door.ts'

let database: TestDatabase
let meter: Meter
let logged: Record<string, unknown>[]
let logger: Logger

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(() => {
  meter = newMeter()
  logged = []
  logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
})

const READ = { write: false, replica: false, timeout: 10 }

async function ask(
  statements: Statements,
  text: string,
  values: readonly unknown[] = [],
  more: { replica?: boolean; timeout?: number } = {},
): Promise<unknown> {
  const [row] = await statements.run(statementOf(text, values), { ...READ, ...more, connection: null, meter })
  return row?.[0]
}

test('gives columns, JSON parsed, and no row where there is none', async () => {
  const statements = createStatements({ sql: database.sql, replica: null }, logger)
  expect(await ask(statements, `select json_build_object('b', $1::text, 'a', 1)`, ['x'])).toEqual({ b: 'x', a: 1 })
  expect(await ask(statements, 'select null::json')).toBe(null)
  expect(await ask(statements, 'select 1 where false')).toBe(undefined)
  expect(meter).toMatchObject({ statements: 3, unreachable: false })
  expect(meter.milliseconds).toBeGreaterThan(0)
})

test('a statement whose time is up is stopped in the database, and its connection works on', async () => {
  const statements = createStatements({ sql: database.sql, replica: null }, logger)
  const started = performance.now()
  await expect(ask(statements, 'select pg_sleep(20)::text', [], { timeout: 0.2 })).rejects.toThrow(
    'The query took too long and was stopped',
  )
  expect(performance.now() - started).toBeLessThan(18_000)
  const [{ running } = { running: null }] = await database.sql`
    select count(*)::int as running from pg_stat_activity where query like '%pg_sleep(20)%' and state = 'active' and pid <> pg_backend_pid()`
  expect(running).toBe(0)
  await expect(ask(statements, 'select 1', [], { timeout: 0 })).rejects.toThrow(/took too long/)
  expect(await ask(statements, 'select 7')).toBe(7)
  expect(logged.filter(({ level }) => Number(level) >= 40)).toEqual([])
})

test('while all connections are busy, one that waits is stopped too', async () => {
  const sql = createClient(readDatabaseUrl(database.url, 'DATABASE_URL'), { pool: 1, name: 'tests' })
  const statements = createStatements({ sql, replica: null }, logger)
  const slow = ask(statements, 'select pg_sleep(1)::text')
  await expect(ask(statements, 'select 2', [], { timeout: 0.1 })).rejects.toThrow(/took too long/)
  expect(await slow).toBe('')
  expect(await ask(statements, 'select 3')).toBe(3)
  await sql.end()
})

test('parameters reach the database as they are: their text is cast there', async () => {
  const statements = createStatements({ sql: database.sql, replica: null }, logger)
  const casts = `select json_build_array($1::timestamptz, $2::jsonb, $3::text[], $4::boolean, $5::bigint, $6::text::jsonb, $7::text)`
  const values = ['2020-03-15T14:28:48.123456Z', '{"a":[1,"x"]}', '{"a,b",c}', true, '9007199254740993', '"x"', null]
  for (let i = 0; i < 3; i++) {
    const [time, ...rest] = (await ask(statements, casts, values)) as unknown[]
    expect(time).toBe('2020-03-15T14:28:48.123456+00:00')
    expect(rest).toEqual([{ a: [1, 'x'] }, ['a,b', 'c'], true, 9007199254740992, 'x', null])
  }
})

describe('failures', () => {
  const said = async (text: string, values: readonly unknown[] = []): Promise<string> => {
    const statements = createStatements({ sql: database.sql, replica: null }, logger)
    const error = await ask(statements, text, values).then(
      () => null,
      (reason: unknown) => reason,
    )
    return error instanceof Error ? error.message : 'nothing failed'
  }

  test('are sentences without SQL; the log has the rest of what is the server’s own', async () => {
    expect(await said('select secret_column from ingot.records')).toBe(
      'The query failed. See the server log for the reason',
    )
    expect(logged.at(-1)).toMatchObject({ level: 50, code: '42703', reason: expect.stringContaining('secret_column') })
    logged = []
    expect(await said(`select ('x' || $1)::int::text`, ['1'])).toBe('A value does not fit')
    expect(await said(`select (2147483647 + length($1))::text`, ['1'])).toBe('A number or a time is out of range')
    expect(await said(`select $1::text`, ['a\0b'])).toBe('A text contains a character that cannot be stored')
    expect(await said(`select $1::timestamptz::text`, ['0000-99-99'])).toBe('A number or a time is out of range')
    expect(await said(`select $1::timestamptz::text`, ['noon'])).toBe('A value does not fit')
    expect(await said(`select $1::bigint::text`, ["1'; drop table ingot.records; --"])).toBe('A value does not fit')
    expect(await said(`select '\\ud800'::jsonb -> 0`)).toMatch(/value does not fit|cannot be stored/)
    expect(logged.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  test('a duplicate names the field', async () => {
    const insert = `insert into ingot.users (email, slug) values ($1, $2) returning to_json(id)`
    const statements = createStatements({ sql: database.sql, replica: null }, logger)
    await ask(statements, insert, ['a@example.com', 'a'])
    expect(await said(insert, ['A@example.com', 'b'])).toBe('A user with this email exists already')
    expect(await said(insert, ['b@example.com', 'a'])).toBe('A user with this slug exists already')
  })

  test('a value of another visitor never stands in a message', async () => {
    expect(
      await said(`insert into ingot.users (email, slug) values ('a@example.com', 'z') returning to_json(id)`),
    ).not.toContain('example')
  })
})

describe('a connection', () => {
  let door: Door
  let sql: Sql
  let statements: Statements

  beforeEach(async () => {
    door = await openDoor(database.url)
    sql = createClient(door.address, { pool: 2, name: 'tests' })
    statements = createStatements({ sql, replica: null }, logger)
  })
  afterEach(async () => {
    await sql.end({ timeout: 1 })
    await door.close()
  })

  /** Runs a statement that writes. It runs once, or not at all. */
  const write = (text: string): Promise<unknown> =>
    statements.run(statementOf(text), { ...READ, write: true, connection: null, meter })

  test('that breaks in the middle of a change fails its request only; the next one works', async () => {
    const lost = write('select pg_sleep(5)::text')
    await sleep(200)
    door.cut()
    await expect(lost).rejects.toThrow('The database is not reachable')
    expect(meter.unreachable).toBe(true)
    expect(logged.at(-1)).toMatchObject({ level: 50, msg: 'The database is not reachable' })
    expect(await ask(statements, 'select 5')).toBe(5)
  })

  test('that the database ends fails its request only', async () => {
    const lost = write('select pg_sleep(5)::text')
    const gone = expect(lost).rejects.toThrow('The database is not reachable')
    await sleep(200)
    await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(5)%' and pid <> pg_backend_pid()`
    await gone
    expect(await ask(statements, 'select 6')).toBe(6)
  })

  test('that breaks in the middle of a query is replaced, and the query runs once more', async () => {
    const slow = ask(statements, `select 'x' || pg_sleep(0.5)::text`)
    await sleep(100)
    door.cut()
    expect(await slow).toBe('x')
    expect(meter).toMatchObject({ statements: 1, unreachable: false })
  })

  test('is found again by itself when the database is back', async () => {
    expect(await ask(statements, 'select 1')).toBe(1)
    await door.shut()
    await expect(ask(statements, 'select 2')).rejects.toThrow('The database is not reachable')
    await door.open()
    let value: unknown
    for (let i = 0; i < 50 && value !== 3; i++) {
      value = await ask(statements, 'select 3').catch(() => sleep(100))
    }
    expect(value).toBe(3)
  })

  test('that no longer answers gives its request up', async () => {
    expect(await ask(statements, 'select 1')).toBe(1)
    door.freeze(true)
    const started = performance.now()
    await expect(ask(statements, 'select 2', [], { timeout: 0.3 })).rejects.toThrow(/took too long/)
    expect(performance.now() - started).toBeLessThan(5_000)
    door.freeze(false)
  })

  test('of a replica that is away is replaced by the database itself, and the log says so once', async () => {
    const both = createStatements({ sql: database.sql, replica: watchReplica(sql, database.sql, 10, logger) }, logger)
    expect(await ask(both, 'select 1', [], { replica: true })).toBe(1)
    await door.shut()
    for (let i = 0; i < 5; i++) expect(await ask(both, `select ${10 + i}`, [], { replica: true })).toBe(10 + i)
    expect(logged.filter(({ msg }) => /replica/.test(String(msg)))).toHaveLength(1)
    expect(meter.unreachable).toBe(false)
  })

  test('of a replica answers only what asks for it', async () => {
    const both = createStatements({ sql, replica: watchReplica(database.sql, sql, 10, logger) }, logger)
    const name = `select current_setting('application_name')`
    await sql`set application_name = 'primary'`
    const other = createClient(readDatabaseUrl(database.url, 'DATABASE_URL'), { pool: 1, name: 'replica' })
    const named = createStatements(
      { sql: database.sql, replica: watchReplica(other, database.sql, 10, logger) },
      logger,
    )
    expect(await ask(named, name, [], { replica: true })).toBe('replica')
    expect(await ask(named, name)).toBe('tests')
    expect(
      await named.run(statementOf(name), { ...READ, write: true, replica: true, connection: null, meter }),
    ).toEqual([['tests']])
    expect(await ask(both, 'select 1')).toBe(1)
    await other.end()
  })
})

test('texts are prepared from their second use on, and no more than a bounded number', async () => {
  const sql = createClient(readDatabaseUrl(database.url, 'DATABASE_URL'), { pool: 1, name: 'tests' })
  const statements = createStatements({ sql, replica: null }, logger)
  const prepared = async (): Promise<number> => {
    const [row] = await sql.unsafe(
      `select count(*)::int as count from pg_prepared_statements where statement like 'select %::text || %as hostile'`,
      [],
      { prepare: false },
    )
    return Number(row?.['count'])
  }
  for (let i = 0; i < 20; i++) await ask(statements, `select $1::text || '${i}' as hostile`, ['x'])
  expect(await prepared()).toBe(0)
  for (let i = 0; i < 20; i++) await ask(statements, `select $1::text || '${i}' as hostile`, ['x'])
  expect(await prepared()).toBe(20)
  for (let i = 0; i < 1_200; i++)
    for (let n = 0; n < 2; n++) await ask(statements, `select $1::text || '${i}' as hostile`, ['x'])
  expect(await prepared()).toBe(1_000)
  await sql.end()
})
