/** An import restores exactly what an export has written. */
import { parse as parseCsv } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PropertyType } from '../../../../runtime/page/compiled.ts'
import { storedText } from '../../../../runtime/data/query/writes/stored-values.ts'
import {
  DATA,
  exportCsv,
  exportJson,
  type Home,
  HOSTILE,
  home,
  importCsv,
  importJson,
  parsed,
  property,
  rows,
  TYPES,
} from './support.ts'

let from: Home
let to: Home
beforeAll(async () => {
  ;[from, to] = await Promise.all([home(), home()])
})
afterAll(async () => {
  await Promise.all([from.close(), to.close()])
})

// A fixed seed, so that a failure can be reproduced.
let state = 20_240_315
function random(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
function one<T>(items: readonly T[]): T {
  return items[random(items.length)] as T
}

const TEXTS = [
  '',
  ' ',
  'null',
  '\\N',
  'true',
  '5',
  '"',
  '""',
  "'",
  ',',
  ';',
  '\n',
  '\r\n',
  '\t',
  '\\',
  '{"a":1}',
  '["x"]',
  '$1',
  '=1+1',
  "'=1+1",
  "''@x",
  '+1 2',
  '-5',
  '@',
  '\t=1',
  '\r-1',
]
const LETTERS = [
  'a',
  'Z',
  'é',
  'ß',
  '漢',
  '🙂',
  '\u200b',
  '\ufeff',
  '\u0001',
  '\u2028',
  '"',
  '\\',
  ',',
  '\n',
  ' ',
  "'",
  '{',
  '$',
  '=',
  '-',
]

function text(): string {
  return random(2) === 0 ? one(TEXTS) : Array.from({ length: random(12) }, () => one(LETTERS)).join('')
}

const number = (): string =>
  `${one(['', '-'])}${random(1_000_000)}${one(['', '.5', '.10', '.000001', '.123456789012345678901'])}`

const VALUES: Readonly<Record<PropertyType, () => unknown>> = {
  string: text,
  binary: text,
  integer: () => one(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0', `${random(1e9)}`]),
  float: () => one([0.1, 1e21, -1e-7, 5e-324, 1.7976931348623157e308, random(1000) / 7]),
  decimal: number,
  datetime: () => new Date(random(2_000_000) * 1_000_003).toISOString(),
  date: () => one(['2020-02-29', '0001-01-01', '9999-12-31']),
  time: () => one(['00:00:00', '23:59:59.999']),
  boolean: () => random(2) === 0,
  array: () => Array.from({ length: random(4) }, text),
  address: () => one([{ street: text(), no: 5 }, text() || 'x', '{"a":1}', '"quoted"']),
  file: () => `https://cdn.example/${encodeURIComponent(text())}.pdf`,
  photo: () => ({ path: `/p/${random(9)}.png`, file_name: text(), extension: 'png', versions: { big: '/b.png' } }),
  geojson: () => ({ type: 'Point', coordinates: [random(180), 0.5], note: text() }),
  upload: () => `/uploads/${random(99)}.tar.gz`,
}

const time = (): string => new Date(1.6e12 + random(1e9)).toISOString()

async function fill(sql: Home['sql']): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const parts = TYPES.flatMap((type) => {
      const what = random(10)
      if (what === 0) return []
      return [`"a_${type}":${what === 1 ? 'null' : storedText(property(`a_${type}`, type), VALUES[type]())}`]
    })
    await record(sql, 'every', `{${parts.join(',')}}`)
  }
  await record(sql, HOSTILE, JSON.stringify({ [HOSTILE]: HOSTILE, $x: '$y' }).replace('}', ',"__proto__":"p"}'))
  await record(sql, 'modules/blog/post', '{"a/b":"c"}')
  await record(sql, 'listing', '{"name":"a property of that name","price":12.50}')
  await sql.unsafe(
    `update ingot.records set name = 'old', customizable_id = 7, customizable_type = 'User' where table_id = $1`,
    [from.ids.get('listing') ?? 0],
  )
  for (let i = 0; i < 60; i++) {
    const deleted = random(3) === 0 ? time() : null
    const [user] = await sql.unsafe<{ id: string }[]>(
      `insert into ingot.users (email, slug, name, first_name, last_name, language, external_id, encrypted_password, properties, created_at, updated_at, deleted_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb, $10, $11, $12) returning id`,
      [
        `user${i}@example.com`,
        `user-${i}`,
        one([null, text()]),
        one([null, text()]),
        text(),
        'de',
        one([null, `x${i}${text()}`]),
        one([null, '$2b$10$abcdefghijklmnopqrstuv', '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$aGFzaA']),
        JSON.stringify({ roles: [text()], email: text(), age: i }),
        time(),
        time(),
        deleted,
      ],
    )
    for (const type of ['default', 'seller'])
      if (random(3) > 0)
        await sql.unsafe(
          `insert into ingot.profiles (user_id, profile_type, properties, created_at, deleted_at) values ($1, $2, $3::text::jsonb, $4, $5)`,
          [
            user?.id ?? '0',
            type,
            type === 'default' ? JSON.stringify({ motto: text() }) : '{"rate":0.10}',
            time(),
            deleted,
          ],
        )
  }
}

async function record(sql: Home['sql'], table: string, properties: string): Promise<void> {
  await sql.unsafe(
    `insert into ingot.records (table_id, user_id, external_id, properties, created_at, updated_at, deleted_at)
     values ($1, $2, $3, $4::text::jsonb, $5, $6, $7)`,
    [
      from.ids.get(table) ?? 0,
      one([null, '17', '999999999999999']),
      one([null, '', text(), 'the same']),
      properties,
      time(),
      time(),
      one([null, null, time()]),
    ],
  )
}

test('every type, column and name comes back by JSON and by CSV', async () => {
  await fill(from.sql)
  const before = await rows(from.sql)
  expect(before['records']).toHaveLength(303)
  const json = await exportJson(from)
  expect(JSON.parse(json)).toMatchObject({ format: 'ingot-data', version: 1 })

  expect(await importJson(to, json)).toMatchObject({ rowsRead: 363, added: 363, refused: 0, faults: [] })
  expect(await rows(to.sql)).toEqual(before)
  expect(await exportJson(to)).toBe(json)
  // A second import changes nothing, not even times.
  expect(await importJson(to, json)).toMatchObject({ added: 0, changed: 0, same: 363, kept: 0 })
  expect(await rows(to.sql)).toEqual(before)

  await to.sql.unsafe('truncate ingot.records, ingot.users cascade')
  for (const [table, text] of await exportCsv(from))
    expect(await importCsv(to, table, text)).toMatchObject({ refused: 0, faults: [] })
  expect(await rows(to.sql)).toEqual(before)
})

test('a document of people, indented otherwise, is the same', async () => {
  const json = await exportJson(from)
  await to.sql.unsafe('truncate ingot.records, ingot.users cascade')
  const { tables, users } = parsed(json)
  await importJson(to, JSON.stringify({ tables, users }, null, '\t'))
  expect(await exportJson(to)).toBe(json)
})

test('new ids follow behind the greatest one that came', async () => {
  const [next] = await to.sql<Record<string, string>[]>`
    select nextval('ingot.ids') as id, nextval('ingot.user_ids') as user,
      nextval('ingot.row_ids') as row, (select max(id) from ingot.records) as most,
      (select max(id) from ingot.profiles) as most_profile,
      (select max(id) from ingot.users) as most_user`
  expect(BigInt(next!['id']!)).toBeGreaterThan(BigInt(next!['most']!))
  expect(BigInt(next!['row']!)).toBeGreaterThan(BigInt(next!['most_profile']!))
  expect(BigInt(next!['user']!)).toBeGreaterThan(BigInt(next!['most_user']!))
  const added = await importJson(to, { tables: { category: [{ properties: {} }] } })
  expect(added).toMatchObject({ added: 1 })
})

test('what was written to properties that no file declares comes back, and lands where it is declared by then', async () => {
  await from.sql.unsafe('truncate ingot.records, ingot.users cascade')
  const others = { deep: { a: [1, null] }, 'a "quoted", name': 'x,\n"y"', nothing: null }
  const made = await importJson(from, {
    users: [
      {
        email: 'a@x.y',
        undeclared: { shoe: 42 },
        profiles: [{ profile_type: 'default', undeclared: { van: 'blue' } }],
      },
    ],
    tables: {
      category: [
        { properties: { title: 'a' }, undeclared: { ...others, position: '7' } },
        { properties: { title: 'b' } },
      ],
    },
  })
  expect(made).toMatchObject({ added: 3, refused: 0, faults: [] })
  const [first] = parsed(await exportJson(from)).tables['category'] as Record<string, unknown>[]
  expect(first).toMatchObject({ properties: { title: 'a', position: 7 }, undeclared: others })
  const json = await exportJson(from)
  await to.sql.unsafe('truncate ingot.records, ingot.users cascade')
  expect(await importJson(to, json)).toMatchObject({ added: 3, refused: 0 })
  expect(await exportJson(to)).toBe(json)
  expect(await importJson(to, json, { policy: 'replace' })).toMatchObject({ same: 3, changed: 0 })
  await to.sql.unsafe('truncate ingot.records, ingot.users cascade')
  for (const [table, text] of await exportCsv(from))
    expect(await importCsv(to, table, text)).toMatchObject({ refused: 0 })
  expect(await exportJson(to)).toBe(json)
  // A row without undeclared properties leaves the stored ones unchanged.
  const silent = JSON.parse(json) as { tables: Record<string, Record<string, unknown>[]> }
  for (const row of silent.tables['category']!) delete row['undeclared']
  expect(await importJson(to, JSON.stringify(silent), { policy: 'replace' })).toMatchObject({ same: 3 })
  expect(await importJson(to, { tables: { category: [{ properties: {}, undeclared: 'x' }] } })).toMatchObject({
    refused: 1,
  })
})

test('values of properties that are no longer declared stay, and are not exported', async () => {
  const [table, ...others] = DATA.tables
  const less = { ...DATA, tables: [{ ...table!, properties: table!.properties.slice(1) }, ...others] }
  const json = await exportJson(to, less)
  expect(json).not.toContain('a_string')
  const before = await rows(to.sql)
  const changed = json.replaceAll('"a_boolean":true', '"a_boolean":false')
  expect(await importJson(to, changed, { policy: 'replace', data: less })).toMatchObject({ refused: 0 })
  const after = await rows(to.sql)
  expect(after['records']).toEqual(
    before['records']?.map((row) => row.replace('""a_boolean"": true', '""a_boolean"": false')),
  )
})

test('no cell of an exported table begins as what a spreadsheet computes, but for numbers', async () => {
  for (const [table, csv] of await exportCsv(from)) {
    const rows = parseCsv(csv, { relax_column_count: true }) as string[][]
    for (const cell of rows.flat()) if (!/^-?\d/.test(cell)) expect(cell, String(table)).not.toMatch(/^[=+\-@\t\r]/)
  }
})
