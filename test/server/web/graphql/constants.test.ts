/** Constants in the memory of several processes with one database. */
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Constants, openConstants } from '../../../../server/web/graphql/values/constants.ts'
import { createSeal } from '../../../../server/web/graphql/values/secrets.ts'
import { createClient } from '../../../../server/data/store/connection.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Door, openDoor } from './door.ts'

const seal = createSeal('the secret of this test')
let database: TestDatabase
let door: Door
let far: Sql
let constants: Constants
let logged: string[]

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

beforeEach(async () => {
  await database.sql`delete from ingot.constants`
  logged = []
  door = await openDoor(database.url)
  far = createClient(door.address, { pool: 2, name: 'far' })
  constants = await openConstants(
    far,
    seal,
    pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
  )
})
afterEach(async () => {
  await constants.close()
  await far.end({ timeout: 1 })
  await door.close()
})

/** Sets a constant as another process does. */
async function set(name: string, value: string): Promise<void> {
  const sealed = seal.seal(value)
  await database.sql.begin(async (sql) => {
    await sql`
      insert into ingot.constants (name, value) values (${name}, ${sealed})
      on conflict (name) do update set value = excluded.value`
    await sql`select pg_notify('ingot_constants', '')`
  })
}

async function becomes(expected: Record<string, string>): Promise<void> {
  for (let i = 0; i < 250 && JSON.stringify(constants.all()) !== JSON.stringify(expected); i++) await sleep(20)
  expect(constants.all()).toEqual(expected)
}

describe('constants', () => {
  test('that another process sets are there a moment later', async () => {
    expect(constants.all()).toEqual({})
    await set('A', 'one')
    await becomes({ A: 'one' })
    const before = constants.all()
    await set('A', 'two')
    await becomes({ A: 'two' })
    expect(before).toEqual({ A: 'one' })
  })

  test('that were set while the database was away are there when it is back', async () => {
    await set('A', 'one')
    await becomes({ A: 'one' })
    await door.shut()
    await set('A', 'two')
    await sleep(3_000)
    expect(constants.all()).toEqual({ A: 'one' })
    await door.open()
    await becomes({ A: 'two' })
    await set('A', 'three')
    await becomes({ A: 'three' })
  })

  test('of any name are values, never parts of an object’s own workings', async () => {
    await set('__proto__', 'x')
    await set('constructor', 'y')
    await set('modules/user/KEY', 'z')
    await set('empty', '')
    await constants.reload()
    const all = constants.all()
    expect(Object.entries(all).toSorted()).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['empty', ''],
      ['modules/user/KEY', 'z'],
    ])
    expect(Object.getPrototypeOf(all)).toBe(Object.prototype)
  })

  test('that another secret sealed are named in the log, once, and are not there', async () => {
    await set('GOOD', 'x')
    await database.sql`insert into ingot.constants (name, value) values ('OLD', ${createSeal('another secret').seal('hidden')})`
    await constants.reload()
    await constants.reload()
    expect(constants.all()).toEqual({ GOOD: 'x' })
    const named = logged.filter((line) => line.includes("constant 'OLD'"))
    expect(named).toHaveLength(1)
    expect(named[0]).toContain('INGOT_SECRET')
    expect(logged.join()).not.toContain('hidden')
  })

  test('stand sealed in the database', async () => {
    await set('KEY', 'sk_live_51')
    const [row] = await database.sql`select c::text as row from ingot.constants c`
    expect(row?.['row']).not.toContain('sk_live_51')
  })
})
