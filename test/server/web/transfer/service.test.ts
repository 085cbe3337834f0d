/** The formats of the platform's service: its exports are imported with their relations, and exported again unchanged. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../../../../server/web/accounts/passwords.ts'
import { createImportSchema } from '../../../../server/web/transfer/import-schema.ts'
import { withSnapshot } from '../../../../server/web/transfer/export.ts'
import { importRows } from '../../../../server/web/transfer/import.ts'
import type { ReadRow } from '../../../../server/web/transfer/rows.ts'
import { readServiceArchive } from '../../../../server/web/transfer/service/archive.ts'
import { isServiceJson } from '../../../../server/web/transfer/service/detect.ts'
import { readServiceJson } from '../../../../server/web/transfer/service/read.ts'
import { sourceKey } from '../../../../server/web/transfer/service/source.ts'
import type { ValueOptions } from '../../../../server/web/transfer/service/values.ts'
import { serviceJson, writeServiceArchive } from '../../../../server/web/transfer/service/write.ts'
import type { DataSchema } from '../../../../runtime/page/compiled.ts'
import { type Home, home, pieces, property } from './support.ts'

const DATA: DataSchema = {
  tables: [
    { name: 'house', file: 'app/schema/house.yml', properties: [property('street'), property('plan', 'upload')] },
    {
      name: 'car',
      file: 'app/schema/car.yml',
      properties: [
        property('color', 'string', 'white'),
        { ...property('house_id', 'integer'), belongsTo: 'house' },
        { ...property('driver_ids', 'array'), belongsTo: 'user' },
        { ...property('next_id'), belongsTo: 'car' },
        property('since', 'date'),
      ],
    },
  ],
  user: [property('roles', 'array')],
  profiles: [{ name: 'student', file: 'app/user_profile_types/student.yml', properties: [property('age', 'integer')] }],
}

const homes: Home[] = []
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ingot-service-'))
})
afterAll(async () => {
  await Promise.all(homes.map((each) => each.close()))
  rmSync(folder, { recursive: true, force: true })
})

async function fresh(): Promise<Home> {
  const made = await home(DATA)
  homes.push(made)
  // The databases of tests are copies of one database, so each needs a new key.
  await made.sql`update ingot.data_source set key = gen_random_uuid()`
  return made
}

interface Told {
  readonly added: number
  readonly changed: number
  readonly same: number
  readonly undone: boolean
  readonly faults: readonly string[]
  readonly warnings: readonly string[]
}

type Reader = (options: ValueOptions) => AsyncIterable<ReadRow>

async function take(to: Home, read: Reader, raw = false, changing = false): Promise<Told> {
  const faults: string[] = []
  const warnings: string[] = []
  const told = ({ location, property: name, reason }: Parameters<Parameters<typeof importRows>[2]['report']>[0]) =>
    `${location.file}:${location.line}: ${location.table ?? 'users'} ${location.row} ${name ?? '-'}: ${reason}`
  const options = {
    schema: createImportSchema(DATA),
    keysOf: raw ? null : await sourceKey(to.sql),
    hash: hashPassword,
  }
  const {
    added,
    changed: changes,
    same,
    undone,
  } = await importRows(to.sql, read(options), {
    ...{ data: DATA, ids: to.ids, policy: 'replace', dryRun: false, isKnown: false, strict: true, changing },
    report: (fault) => faults.push(told(fault)),
    warn: (fault) => warnings.push(told(fault)),
    progress: () => undefined,
  })
  return { added, changed: changes, same, undone, faults, warnings }
}

function text(document: unknown): Reader {
  const json = typeof document === 'string' ? document : JSON.stringify(document)
  return (options) => readServiceJson('data.json', pieces(json), options)
}

async function optionsOf(from: Home, raw: boolean) {
  return {
    data: DATA,
    ids: from.ids,
    tables: ['house', 'car'],
    users: true,
    keysOf: raw ? null : await sourceKey(from.sql),
    filesAt: '/',
    progress: () => undefined,
  }
}

async function given(from: Home, raw = false): Promise<string> {
  const options = await optionsOf(from, raw)
  let whole = ''
  await withSnapshot(from.sql, async (view) => {
    for await (const part of serviceJson(view, options, false)) whole += part
  })
  return whole
}

async function archived(from: Home, name: string): Promise<Reader> {
  const path = join(folder, name)
  const options = await optionsOf(from, false)
  await withSnapshot(from.sql, (view) => writeServiceArchive(view, options, path))
  return (values) => readServiceArchive(path, name, values)
}

/** Zips texts by file name, like a standard tool. */
function zipped(name: string, files: Readonly<Record<string, string>>): Reader {
  const at = join(folder, `${name}-files`)
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(at, file)), { recursive: true })
    writeFileSync(join(at, file), content)
  }
  execFileSync('zip', ['-qr', join(folder, name), '.'], { cwd: at })
  return (values) => readServiceArchive(join(folder, name), name, values)
}

const DOCUMENT = {
  users: [
    { id: 1000, email: 'tom@example.com', first_name: 'Tom', slug: 'tom', password: 'a secret one' },
    {
      id: 'mike',
      email: 'Mike@example.com',
      created_at: '2010-10-10 10:00:00',
      updated_at: '2011-01-01T00:00:00Z',
      profiles: [
        {
          type_name: 'student',
          id: 2001,
          properties: { age: 21 },
          images: [{ name: 'avatar', url: 'https://files.example/a.png' }],
          attachments: null,
        },
      ],
    },
    { id: 1002, email: 'gone@example.com', deleted_at: '2020-02-02T02:02:02.002Z' },
  ],
  transactables: [{ id: 7, type_name: 'house', properties: { street: 'Elm' } }],
  models: [
    {
      id: 1,
      user_id: 1000,
      type_name: 'car',
      customizable_id: 'mike',
      customizable_type: 'User',
      properties: { house_id: 8, driver_ids: ['mike', 1000], next_id: '2', since: '2020-01-02' },
    },
    { id: 2, user_id: 'mike', type_name: 'car', properties: { color: null, next_id: '1' } },
    {
      id: 8,
      type_name: 'house',
      deleted_at: '2021-01-01T00:00:00Z',
      properties: { street: 'Oak' },
      addresses: [{ name: 'main', address: 'Warsaw', postcode: '01-001' }],
      images: [{ name: 'plan', url: 'https://files.example/plan.png' }],
    },
  ],
}

test('rows of JSON come in with their relations, times, passwords and files, whatever ids the database gives', async () => {
  const to = await fresh()
  await to.sql`select setval('ingot.ids', 500), setval('ingot.user_ids', 700)`
  const told = await take(to, text(DOCUMENT))
  expect(told).toEqual({ added: 7, changed: 0, same: 0, undone: false, faults: [], warnings: [] })
  const users = await to.sql<{ id: string; external_id: string; encrypted_password: string | null }[]>`
    select id::text, external_id, encrypted_password, email, created_at, deleted_at is not null as gone
    from ingot.users order by id`
  expect(users.map(({ external_id }) => external_id)).toEqual(['1000', 'mike', '1002'])
  expect(users[1]).toMatchObject({ email: 'mike@example.com', created_at: new Date('2010-10-10T10:00:00Z') })
  expect(users[2]).toMatchObject({ gone: true })
  expect(await verifyPassword(users[0]?.encrypted_password ?? null, 'a secret one')).toBe(true)
  const [tom, mike] = users.map(({ id }) => id)
  const records = await to.sql<{ id: string; external_id: string; properties: Record<string, unknown> }[]>`
    select id::text, external_id, properties, user_id::text, customizable_id::text, deleted_at from ingot.records`
  const of = (key: string) => records.find(({ external_id }) => external_id === key)
  expect(of('1')).toMatchObject({
    user_id: tom,
    customizable_id: mike,
    properties: { color: 'white', house_id: Number(of('8')?.id), driver_ids: [mike, tom], next_id: of('2')?.id },
  })
  expect(of('2')).toMatchObject({ user_id: mike, properties: { color: null, next_id: of('1')?.id } })
  expect(of('8')).toMatchObject({
    deleted_at: new Date('2021-01-01T00:00:00Z'),
    properties: { street: 'Oak', plan: { path: 'https://files.example/plan.png' } },
  })
  expect(await to.sql`select name, fields from ingot.addresses where owner_id = ${of('8')?.id ?? null}`).toEqual([
    { name: 'main', fields: { address: 'Warsaw', postcode: '01-001' } },
  ])
  expect(await to.sql`select kind, owner_type, name, file ->> 'path' as path from ingot.attachments`).toEqual([
    { kind: 'image', owner_type: 'UserProfile', name: 'avatar', path: 'https://files.example/a.png' },
  ])
  // No user is notified: the import queued no mails or other jobs.
  expect(await to.sql`select count(*)::int as n from ingot.jobs`).toEqual([{ n: 0 }])
})

test('the same file again changes nothing, and a row of it changes only the properties that it gives', async () => {
  const to = await fresh()
  const one = { ...DOCUMENT, users: DOCUMENT.users.map(({ password: _, ...rest }) => rest) }
  await take(to, text(one))
  expect(await take(to, text(one))).toMatchObject({ added: 0, changed: 0, same: 7, faults: [] })
  const changes = { records: [{ id: 2, type_name: 'car', properties: { color: 'red' } }] }
  expect(await take(to, text(changes))).toMatchObject({ changed: 1 })
  const [car] = await to.sql`
    select properties, user_id is not null as owned from ingot.records where external_id = '2'`
  expect(car).toMatchObject({ properties: { color: 'red', next_id: expect.any(String) }, owned: true })
  const missing = { models: [{ id: 99, type_name: 'car', properties: {} }] }
  expect(await take(to, text(missing), false, true)).toMatchObject({
    undone: true,
    faults: ['data.json:1: car 1 id: there is no row with the id 99'],
  })
})

test('what is exported goes into another database, and comes out of it as it was', async () => {
  const [from, to] = [await fresh(), await fresh()]
  await take(from, text(DOCUMENT))
  // Rows that were created on this server have no external id.
  await from.sql`
    insert into ingot.records (table_id, properties, user_id)
    select table_id, properties || jsonb_build_object('next_id', id::text), user_id from ingot.records where external_id = '1'`
  await to.sql`select setval('ingot.ids', 900), setval('ingot.user_ids', 900)`
  const first = await given(from)
  expect(first).toContain(await sourceKey(from.sql))
  expect(await take(to, text(first))).toMatchObject({ added: 8, faults: [], warnings: [] })
  expect(JSON.parse(await given(to))).toEqual(JSON.parse(first))
  expect(await take(from, text(first))).toMatchObject({ added: 0, changed: 0, same: 8 })
  // An archive contains the ids of rows.
  const other = await fresh()
  expect(await take(other, await archived(from, 'rows.zip'))).toMatchObject({ added: 8, faults: [], warnings: [] })
  expect(await given(other, true)).toBe(await given(from, true))
})

test('raw ids stay, in both forms', async () => {
  const [from, json, csv] = [await fresh(), await fresh(), await fresh()]
  await take(from, text(DOCUMENT))
  const first = await given(from, true)
  expect(await take(json, text(first), true)).toMatchObject({ added: 7, faults: [] })
  expect(await given(json, true)).toBe(first)
  expect(await take(csv, await archived(from, 'raw.zip'))).toMatchObject({ added: 7, faults: [] })
  expect(await given(csv, true)).toBe(first)
})

test('an archive of numbered CSV files has the ids of rows and users', async () => {
  const to = await fresh()
  const read = zipped('hand.zip', {
    'users.csv': 'id,email,encrypted_password,external_id,properties\n1,a@example.com,abc,af56-ecdd,{}\n',
    'user_profiles.csv': 'id,user_id,profile_type,properties\n5,1,student,"{""age"": 30}"\n',
    'records.0.csv':
      'id,user_id,created_at,updated_at,properties,model_schema\n1,1,2020-03-13 11:22:54.825836,,"{""street"": ""A \\""b\\"""", ""old"": 1}",house\n',
    'records.1.csv': 'id,user_id,properties,model_schema\n2,,"{""house_id"": ""1""}",car\n',
    'notes.txt': 'not read',
  })
  expect(await take(to, read)).toMatchObject({
    added: 3,
    faults: [],
    warnings: [
      'hand.zip/users.csv:2: users 1 encrypted_password: it is not a hash of argon2id or bcrypt: the user needs a new password',
    ],
  })
  expect(await to.sql`select id, external_id from ingot.users`).toEqual([{ id: '1', external_id: 'af56-ecdd' }])
  expect(await to.sql`select id, user_id, properties from ingot.profiles`).toEqual([
    { id: '5', user_id: '1', properties: { age: 30 } },
  ])
  const [house, car] = await to.sql`select id, user_id, properties, undeclared from ingot.records order by id`
  expect(house).toMatchObject({ id: '1', user_id: '1', properties: { street: 'A "b"' }, undeclared: { old: 1 } })
  expect(car).toMatchObject({ id: '2', properties: { house_id: 1 } })
})

const ROWS = 'id,user_id,properties,model_schema,deleted_at\n'

test('rows of an archive keep their ids and references, change the rows of these ids, and new rows follow behind them', async () => {
  const to = await fresh()
  const files = {
    'users.csv': 'id,email,external_id,properties\n55,a@example.com,,{}\n',
    'records.csv': `${ROWS}205,55,"{""street"": ""Oak""}",house,\n101,55,"{""house_id"": ""205"", ""next_id"": ""101""}",car,\n`,
  }
  expect(await take(to, zipped('kept.zip', files))).toMatchObject({ added: 3, faults: [], warnings: [] })
  const rows = async () => to.sql<{ id: string; user_id: string; properties: unknown }[]>`
    select id, user_id, external_id, properties from ingot.records order by id`
  expect(await rows()).toMatchObject([
    { id: '101', user_id: '55', external_id: null, properties: { house_id: 205, next_id: '101', color: 'white' } },
    { id: '205', user_id: '55', external_id: null, properties: { street: 'Oak' } },
  ])
  // Importing its own export changes nothing, not even the times of the last changes.
  const times = () => to.sql`select id, updated_at from ingot.records union all select id, updated_at from ingot.users`
  const before = await times()
  expect(await take(to, await archived(to, 'again.zip'))).toMatchObject({ added: 0, changed: 0, same: 3, faults: [] })
  expect(await times()).toEqual(before)
  const [made] = await to.sql<{ id: string }[]>`
    insert into ingot.records (table_id, properties) select table_id, '{}' from ingot.records where id = 205 returning id`
  expect(made).toEqual({ id: '206' })
  const [person] = await to.sql<{ id: string }[]>`
    insert into ingot.users (email, slug, properties) values ('b@example.com', 'b', '{}') returning id`
  expect(person).toEqual({ id: '56' })
  const change = { 'records.csv': `${ROWS}205,,"{""street"": ""Elm""}",house,\n` }
  expect(await take(to, zipped('change.zip', change))).toMatchObject({ added: 0, changed: 1, faults: [] })
  expect((await rows())[1]).toMatchObject({ id: '205', user_id: null, properties: { street: 'Elm' } })
})

test('every wrong row of an archive is named with its line, and none of the archive goes in', async () => {
  const to = await fresh()
  await take(to, zipped('first.zip', { 'records.csv': `${ROWS}7,,"{""street"": ""Oak""}",house,\n` }))
  const before = await to.sql`select id, properties from ingot.records`
  const read = zipped('wrong.zip', {
    'users.csv': 'id,email,properties\n1,a@example.com,{}\n',
    'records.csv': [
      `${ROWS}7,,"{""street"": ""Elm""}",house,`,
      'x8,,{},house,',
      '9,,{,house,',
      '10,,{},boat,',
      '7,,{},house,',
      '11,one,{},house,',
      '12,,{},house',
      '13,,"{""since"": ""never""}",car,\n',
    ].join('\n'),
  })
  const told = await take(to, read)
  expect(told.undone).toBe(true)
  const at = (line: number, rest: string) => expect.stringContaining(`wrong.zip/records.csv:${line}: ${rest}`)
  expect(told.faults).toHaveLength(7)
  expect(told.faults).toEqual(
    expect.arrayContaining([
      at(3, "house 2 id: 'x8'"),
      at(4, "records 3 -: the column 'properties' does not contain valid JSON"),
      at(5, "boat 4 -: there is no table 'boat'"),
      at(6, 'house 5 id: id 7 is given twice: first in line 2'),
      at(7, "house 6 user_id: 'one'"),
      at(8, 'records 7 -: its number of cells differs from the first line'),
      at(9, 'car 8 since: '),
    ]),
  )
  expect(await to.sql`select id, properties from ingot.records`).toEqual(before)
  expect(await to.sql`select id from ingot.users`).toEqual([])
})

test('an export without rows goes in', async () => {
  const [from, to] = [await fresh(), await fresh()]
  const nothing = { added: 0, changed: 0, same: 0, undone: false, faults: [], warnings: [] }
  expect(await take(to, await archived(from, 'empty.zip'))).toEqual(nothing)
  expect(await take(to, text(await given(from)))).toEqual(nothing)
  // An archive without any file is also valid.
  writeFileSync(join(folder, 'no-files.zip'), Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]))
  expect(await take(to, (values) => readServiceArchive(join(folder, 'no-files.zip'), 'no-files.zip', values))).toEqual(
    nothing,
  )
})

test('profiles that come without their users go to those who are stored', async () => {
  const to = await fresh()
  await take(to, text({ users: [{ id: '7', email: 'a@example.com', profiles: [] }] }), true)
  const read = zipped('profiles.zip', {
    'user_profiles.csv': 'user_id,profile_type,properties\n7,student,"{""age"": 30}"\n',
  })
  expect(await take(to, read)).toMatchObject({ added: 0, faults: [] })
  const [user] = await to.sql`select id, email from ingot.users`
  expect(user).toMatchObject({ email: 'a@example.com' })
  expect(await to.sql`select user_id, properties from ingot.profiles`).toEqual([
    { user_id: user?.['id'], properties: { age: 30 } },
  ])
  const none = zipped('nobody.zip', { 'user_profiles.csv': 'user_id,profile_type,properties\n8,student,{}\n' })
  expect(await take(to, none)).toMatchObject({
    undone: true,
    faults: [expect.stringContaining('there is no user with the id 8')],
  })
})

test('one wrong row keeps all of them out, and every wrong one is named with its place', async () => {
  const to = await fresh()
  const rows = [
    '{"id": 1, "type_name": "car", "properties": {"colour": "red"}}',
    '{"id": 2, "type_name": "boat", "properties": {}}',
    '{"id": 3, "type_name": "car", "properties": {"house_id": "none"}}',
    "{'id': 4}",
    '{"id": 3, "type_name": "car"}',
  ]
  const told = await take(
    to,
    text(`{"users": null,\n"models": {"total_entries": 5, "results": [\n${rows.join(',\n')}]}}`),
  )
  expect(told.undone).toBe(true)
  expect(told.faults).toEqual([
    "data.json:3: car 1 colour: table 'car' has no such property: did you mean 'color'?",
    expect.stringMatching(/^data\.json:4: boat 2 -: there is no table 'boat'/),
    expect.stringMatching(/^data\.json:6: models 4 -: it is not JSON/),
    "data.json:7: car 5 external_id: external_id '3' is given twice: first in line 5",
  ])
  expect(await to.sql`select id from ingot.records`).toEqual([])
  // A reference to a missing row is reported, and the row is imported.
  const lost = { models: [{ id: 3, type_name: 'car', user_id: 5, properties: { house_id: 'none' } }] }
  expect(await take(to, text(lost))).toMatchObject({
    added: 1,
    warnings: [
      "data.json:1: car 1 user_id: there is no row that '5' names",
      "data.json:1: car 1 house_id: there is no row that 'none' names",
    ],
  })
})

test('an archive that is none, is cut off, or holds no rows is refused in one sentence', async () => {
  const to = await fresh()
  writeFileSync(join(folder, 'none.zip'), 'not a zip')
  const read = (name: string) => take(to, (values) => readServiceArchive(join(folder, name), name, values))
  await expect(read('none.zip')).rejects.toThrow('none.zip: the archive cannot be read (')
  await expect(take(to, zipped('other.zip', { 'readme.txt': '' }))).rejects.toThrow(
    "other.zip: the archive has no records.csv and no users.csv, but 'readme.txt'.",
  )
  zipped('whole.zip', { 'records.csv': `id,model_schema,properties\n${'1,house,{}\n'.repeat(9)}` })
  writeFileSync(join(folder, 'cut.zip'), readFileSync(join(folder, 'whole.zip')).subarray(0, 90))
  await expect(read('cut.zip')).rejects.toThrow('cut.zip: the archive cannot be read (')
})

test.each([
  [{ users: [{ email: 'a@b.example' }], models: [] }, true],
  [{ raw_ids: true, import: {} }, true],
  [{ users: { results: [] } }, true],
  [{ users: [], tables: {} }, false],
  [{ format: 'ingot-data', users: [] }, false],
  [{ users: [] }, false],
])('%j: of the service is %s', async (document, expected) => {
  expect(await isServiceJson('f', pieces(JSON.stringify(document)))).toBe(expected)
})
