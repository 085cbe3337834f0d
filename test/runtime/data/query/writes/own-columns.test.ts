/** Properties that tables declare with the name of a column of records. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DataSchema, PropertyDef, PropertyType } from '../../../../../runtime/page/compiled.ts'
import { deriveIndexes } from '../../../../../runtime/data/query/index.ts'
import { analyze } from '../../../../../runtime/data/query/index.ts'
import { type WriteFixture, openWriteFixture } from './write-fixture.ts'

const property = (name: string, type: PropertyType, column = false): PropertyDef => ({
  name,
  type,
  ...(column ? { column } : {}),
  default: null,
  belongsTo: null,
  options: null,
})
const own = (name: string): PropertyDef => property(name, name.endsWith('_at') ? 'datetime' : 'string', true)

const DATA: DataSchema = {
  tables: [
    {
      name: 'profile',
      file: 'app/schema/profile.yml',
      properties: [property('bio', 'string'), own('user_id'), own('external_id'), own('created_at')],
    },
    { name: 'badge', file: 'app/schema/badge.yml', properties: [property('owner', 'string'), own('id')] },
    { name: 'loose', file: 'app/schema/loose.yml', properties: [property('bio', 'string')] },
  ],
  user: [],
  profiles: [],
}

let fixture: WriteFixture
beforeAll(async () => {
  fixture = await openWriteFixture(DATA)
})
afterAll(() => fixture?.close())
beforeEach(() => fixture.clear())

type Row = Record<string, unknown>

async function run(document: string, variables: Row = {}): Promise<Row> {
  const { data, errors } = await fixture.run(document, variables)
  expect(errors).toBeUndefined()
  return data!['r'] as Row
}

async function refused(document: string, variables: Row = {}): Promise<string> {
  const { errors } = await fixture.run(document, variables)
  return errors?.[0]?.message ?? 'done'
}

const CREATE = `mutation ($u: String, $e: String, $c: String, $b: String) {
  r: record_create(record: { table: "profile", properties: [
    { name: "user_id", value: $u } { name: "external_id", value: $e } { name: "created_at", value: $c } { name: "bio", value: $b }
  ] }) {
    id user_id external_id created_at properties
    u: property(name: "user_id") i: property_int(name: "user_id") j: property_json(name: "user_id")
    e: property(name: "external_id") c: property(name: "created_at")
  }
}`

async function user(email: string): Promise<string> {
  const made = await run(`mutation ($e: String!) { r: user_create(user: { email: $e, password: "secret1" }) { id } }`, {
    e: email,
  })
  return made['id'] as string
}

async function found(filter: string, variables: Row = {}, head = '', more = ''): Promise<unknown> {
  const { results } = await run(
    `query ${head} { r: records(per_page: 9, filter: { table: { value: "profile" }, properties: [${filter}] }${more}) { results { bio: property(name: "bio") } } }`,
    variables,
  )
  return (results as Row[]).map(({ bio }) => bio)
}

describe('properties that are columns', () => {
  it('are written and read as the columns', async () => {
    const made = await run(CREATE, { u: '7', e: 'e1', c: '2020-01-02T03:04:05Z', b: 'a' })
    expect(made).toMatchObject({
      user_id: '7',
      external_id: 'e1',
      created_at: '2020-01-02T03:04:05.000Z',
      u: '7',
      i: 7,
      j: 7,
      e: 'e1',
      c: '2020-01-02T03:04:05.000Z',
      properties: { bio: 'a', user_id: '7', external_id: 'e1', created_at: '2020-01-02T03:04:05.000Z' },
    })
    const [row] = await fixture.sql`select properties, undeclared from ingot.records`
    expect(row).toMatchObject({ properties: { bio: 'a' }, undeclared: null })
    const without = await run(CREATE, { u: '', b: 'b' })
    expect(without).toMatchObject({ user_id: null, u: null, i: null, external_id: null, properties: { user_id: null } })
    expect(without['created_at']).toEqual(expect.any(String))
    expect(await refused(CREATE, { u: 'nobody' })).toContain('`user_id` must be a whole number from 1 to')
    expect(await fixture.count('profile')).toBe(2)
  })

  it('are what a record shows whose table the query does not name', async () => {
    const { id } = await run(CREATE, { u: '7', b: 'a' })
    await run('mutation { r: record_create(record: { table: "loose", user_id: "9" }) { id } }')
    const { results } = await run(
      '{ r: records(per_page: 9) { results { id table properties u: property(name: "user_id") } } }',
    )
    expect(results).toMatchObject([
      { id, table: 'profile', u: '7', properties: { bio: 'a', user_id: '7' } },
      { table: 'loose', u: null, properties: {} },
    ])
    expect((results as Row[])[1]!['properties']).not.toHaveProperty('user_id')
    const named = await run(
      'query ($n: String!) { r: records(per_page: 1, filter: { table: { value: "profile" } }) { results { p: property(name: $n) } } }',
      { n: 'user_id' },
    )
    expect(named).toEqual({ results: [{ p: '7' }] })
  })

  it('filter and sort by the columns, through their indexes', async () => {
    await run(CREATE, { u: '7', e: 'e1', c: '2020-01-02T03:04:05Z', b: 'a' })
    await run(CREATE, { u: '10', e: 'e2', c: '2022-01-02T03:04:05Z', b: 'b' })
    await run(CREATE, { b: 'c' })
    const value = (name: string) => `{ name: "${name}", value: $v }`
    expect(await found(value('user_id'), { v: '7' }, '($v: String)')).toEqual(['a'])
    expect(await found(value('user_id'), { v: 'nobody' }, '($v: String)')).toEqual([])
    expect(await found(value('user_id'), {}, '($v: String)')).toEqual(['a', 'b', 'c'])
    expect(await found(value('external_id'), { v: 'e2' }, '($v: String)')).toEqual(['b'])
    expect(await found('{ name: "user_id", value_int: 10 }')).toEqual(['b'])
    expect(await found('{ name: "user_id", value_in: $v }', { v: ['7', '10'] }, '($v: [String!])')).toEqual(['a', 'b'])
    expect(await found('{ name: "user_id", value_in: [], allow_empty: true }')).toEqual(['a', 'b', 'c'])
    expect(await found('{ name: "user_id", not_value: "7" }')).toEqual(['b', 'c'])
    expect(await found('{ name: "user_id", not_value_in: ["7"] }')).toEqual(['b', 'c'])
    expect(await found('{ name: "user_id", exists: false }')).toEqual(['c'])
    expect(await found('{ name: "external_id", starts_with: "e" }')).toEqual(['a', 'b'])
    expect(await found('{ name: "created_at", range: { lt: "2021-01-01" } }')).toEqual(['a'])
    const sort = (name: string) => `, sort: [{ properties: [{ name: "${name}", order: DESC }] }]`
    expect(await found('{ name: "user_id", exists: true }', {}, '', sort('user_id'))).toEqual(['b', 'a'])
    expect(await found('', {}, '', sort('created_at'))).toEqual(['c', 'b', 'a'])
    const query =
      'query ($u: String!) { records(per_page: 9, filter: { table: { value: "profile" }, properties: [{ name: "user_id", value: $u }] }, sort: [{ properties: [{ name: "created_at", order: DESC }] }]) { results { id } } }'
    const analysis = analyze(query, DATA)
    expect(analysis.problems).toEqual([])
    expect(deriveIndexes(analysis.needs).map(({ keys }) => keys)).toContainEqual([
      { column: 'user_id', order: 'asc' },
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'asc' },
    ])
  })

  it('relate records and users in both directions', async () => {
    const ada = await user('ada@example.com')
    await run(CREATE, { u: ada, b: 'a' })
    const { results } = await run(`{ r: users(per_page: 5) { results { email
      one: related_record(table: "profile", join_on_property: "id", foreign_property: "user_id") { bio: property(name: "bio") u: property(name: "user_id") } } } }`)
    expect(results).toEqual([{ email: 'ada@example.com', one: { bio: 'a', u: ada } }])
    const back = await run(`{ r: records(per_page: 5, filter: { table: { value: "profile" } }) { results {
      owner: related_user(join_on_property: "user_id", foreign_property: "id") { email }
      badges: related_records(table: "badge", join_on_property: "user_id", foreign_property: "owner") { id } } } }`)
    expect(back).toEqual({ results: [{ owner: { email: 'ada@example.com' }, badges: [] }] })
  })

  it('change with the record, its table named or not', async () => {
    const { id } = await run(CREATE, { u: '7', e: 'e1', b: 'a' })
    const update = (table: string, value: string) =>
      `mutation ($id: ID!, $v: String) { r: record_update(id: $id, record: { ${table} properties: [${value}] }) { user_id external_id properties } }`
    expect(await run(update('table: "profile"', '{ name: "user_id", value: $v }'), { id, v: '8' })).toMatchObject({
      user_id: '8',
      external_id: 'e1',
    })
    expect(await run(update('', '{ name: "user_id", value: $v }'), { id, v: '9' })).toMatchObject({ user_id: '9' })
    expect(await run(update('', '{ name: "user_id", value: $v }'), { id })).toMatchObject({ user_id: '9' })
    expect(await run(update('', '{ name: "user_id", value: null }'), { id })).toMatchObject({ user_id: null })
    expect(
      await run(update('', '{ name: "bio", value: $v } { name: "created_at", value: "2020-01-01" }'), { id, v: 'b' }),
    ).toMatchObject({ properties: { bio: 'b', created_at: '2020-01-01T00:00:00.000Z' } })
    expect(await refused(update('', '{ name: "user_id", value: $v }'), { id, v: 'nobody' })).toContain(
      'must be a whole number from 1 to',
    )
    expect(await refused(update('table: "profile"', '{ name: "user_id", array_append: "x" }'), { id })).toContain(
      'needs an array',
    )
    // In a table that does not declare the property, the name refers to an ordinary property.
    const { id: other } = await run('mutation { r: record_create(record: { table: "loose", user_id: "3" }) { id } }')
    expect(await run(update('', '{ name: "user_id", value: $v }'), { id: other, v: 'nobody' })).toMatchObject({
      user_id: '3',
      properties: { user_id: 'nobody' },
    })
  })

  it('are written by mutations of many records, and below others', async () => {
    await run(
      `mutation { r: records_create_rc(records: [
        { table: "profile", properties: { user_id: 7, external_id: "e1", created_at: "2020-01-01", bio: "a" } }
        { table: "profile", properties: { user_id: "", bio: "b" } }]) { id } }`,
    )
    expect(await found('{ name: "user_id", value: "7" }')).toEqual(['a'])
    expect(await found('{ name: "created_at", range: { lt: "2021-01-01" } }')).toEqual(['a'])
    const changed = await run(
      `mutation { r: records_update_all(table: "profile", filter: { properties: [{ name: "external_id", value: "e1" }] },
        record: { properties: [{ name: "user_id", value: "11" }] }) { count } }`,
    )
    expect(changed).toEqual({ count: 1 })
    expect(await found('{ name: "user_id", value: "11" }')).toEqual(['a'])
    await run(`mutation { r: record_create(record: { table: "loose", records: [
      { table: "profile", values: { properties: [{ name: "user_id", value: "12" } { name: "bio", value: "below" }] } }] }) { id } }`)
    expect(await found('{ name: "user_id", value: "12" }')).toEqual(['below'])
    const made = await run(
      'mutation { r: record_create(record: { table: "badge", properties: [{ name: "id", value: "4242" }] }) { id p: property(name: "id") } }',
    )
    expect(made).toEqual({ id: '4242', p: '4242' })
  })
})
