/** Properties that no file declares: written, filtered, sorted and read as the JSON that they are, beside the declared ones. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Ground, openGround } from './ground.ts'

let ground: Ground

beforeAll(async () => {
  ground = await openGround()
})
afterAll(() => ground?.close())
beforeEach(() => ground.clear())

type Row = Record<string, unknown>

async function run(document: string, variables: Row = {}): Promise<Row> {
  const { data, errors } = await ground.run(document, variables)
  expect(errors).toBeUndefined()
  return data!['r'] as Row
}

const create = (properties: readonly Row[], table = 'post'): Promise<Row> =>
  run('mutation($r: RecordInputType!) { r: record_create(record: $r) { id properties } }', { r: { table, properties } })

const FORMS = `t: property(name: $n) i: property_int(name: $n) f: property_float(name: $n) b: property_boolean(name: $n)
  a: property_array(name: $n) j: property_json(name: $n) o: property_object(name: $n)`
const read = async (id: unknown, n: string): Promise<Row> => {
  const { results } = await run(
    `query($id: ID!, $n: String!) { r: records(per_page: 1, filter: { id: { value: $id }, table: { value: "post" } }) { results { ${FORMS} } } }`,
    { id, n },
  )
  return (results as Row[])[0]!
}

describe('a property that no file declares', () => {
  it.each([
    [{ value: 'text' }, { t: 'text', i: null, f: null, a: ['text'], j: 'text', o: null }],
    [{ value: 5 }, { t: '5', i: 5, f: 5, a: ['5'] }],
    [{ value_int: 7 }, { t: '7', i: 7, f: 7, a: ['7'], j: 7 }],
    [{ value_float: 1.5 }, { t: '1.5', i: 1, f: 1.5, j: 1.5 }],
    [{ value_boolean: true }, { t: 'true', b: true, j: true }],
    [{ value_array: ['x', 'y'] }, { a: ['x', 'y'], j: ['x', 'y'] }],
    [{ value_json: { a: [1, { b: null }] } }, { j: { a: [1, { b: null }] }, o: { a: [1, { b: null }] } }],
    [{ value: null }, { t: null, i: null, f: null, a: [], j: null, o: null }],
  ])('is read as it was stored: %j', async (value, expected) => {
    const { id } = await create([
      { name: 'title', value: 'a' },
      { name: 'extra', ...value },
    ])
    expect(await read(id, 'extra')).toMatchObject(expected)
    expect(await read(id, 'title')).toMatchObject({ t: 'a' })
    expect(await read(id, 'never')).toMatchObject({ t: null, i: null, f: null, a: [], j: null, o: null })
  })

  it('stands in `properties` with the others, and costs rows without any nothing', async () => {
    expect(
      await create([
        { name: 'extra', value: 'x' },
        { name: 'title', value: 'a' },
      ]),
    ).toMatchObject({
      properties: { title: 'a', extra: 'x', state: 'draft', tags: [] },
    })
    const { id, properties } = await create([{ name: 'title', value: 'a' }])
    expect(properties).not.toHaveProperty('extra')
    const [row] = await ground.sql`select undeclared from ingot.records where id = ${String(id)}`
    expect(row!['undeclared']).toBeNull()
  })

  it.each([
    ['a table', 'table: "post", '],
    ['any table', ''],
  ])('is changed like the others, in a record of %s', async (_which, table) => {
    const { id } = await create([{ name: 'extra', value: 'x' }])
    const update = (properties: string): Promise<Row> =>
      run(
        `mutation($id: ID!) { r: record_update(id: $id, record: { ${table}properties: [${properties}] }) { properties } }`,
        { id },
      )
    expect(await update('{ name: "title", value: "t" } { name: "other", value_int: 1 }')).toMatchObject({
      properties: { title: 't', extra: 'x', other: 1 },
    })
    expect(await update('{ name: "other", increment: 2 } { name: "list", array_append: "a" }')).toMatchObject({
      properties: { extra: 'x', other: 3, list: ['a'] },
    })
    expect(
      await update(
        '{ name: "list", array_append: "b" } { name: "list", array_remove: "a" } { name: "extra", value: null }',
      ),
    ).toMatchObject({
      properties: { extra: null, list: ['b'], title: 't' },
    })
  })

  it('is written by all that write records', async () => {
    const made = await run(
      'mutation($r: [RecordsCreateInputType!]!) { r: records_create_rc(records: $r) { id table } }',
      { r: [{ table: 'post', properties: { title: 'many', extra: { deep: [1] } } }] },
    )
    const [{ id }] = made as unknown as [{ id: string }]
    expect(await read(id, 'extra')).toMatchObject({ o: { deep: [1] } })
    await run(
      `mutation { r: records_update_all(table: "post", record: { properties: [{ name: "extra", value: "all" }] }) { count } }`,
    )
    expect(await read(id, 'extra')).toMatchObject({ t: 'all' })
  })

  it('filters as an absent key where it is not stored', async () => {
    const [a, b, c] = [
      await create([{ name: 'extra', value: 'x' }]),
      await create([{ name: 'extra', value_int: 5 }]),
      await create([]),
    ]
    const ids = async (filter: string): Promise<unknown[]> => {
      const { results } = await run(
        `{ r: records(per_page: 9, filter: { table: { value: "post" }, properties: [{ name: "extra", ${filter} }] }) { results { id } } }`,
      )
      return (results as Row[]).map((row) => row['id'])
    }
    expect(await ids('value: "x"')).toEqual([a['id']])
    expect(await ids('value_int: 5')).toEqual([b['id']])
    expect(await ids('value: "nowhere"')).toEqual([])
    expect(await ids('exists: false')).toEqual([c['id']])
    expect(await ids('exists: true')).toEqual([a['id'], b['id']])
    expect(await ids('not_value: "x"')).toEqual([b['id'], c['id']])
    expect(await ids('contains: "X"')).toEqual([a['id']])
    expect(await ids('range: { gt: "4" }')).toEqual([a['id'], b['id']])
  })

  it('sorts, those without it as null', async () => {
    const ids: unknown[] = []
    for (const value of ['b', null, 'a'])
      ids.push((await create(value === null ? [] : [{ name: 'extra', value }]))['id'])
    const sorted = async (order: string): Promise<unknown[]> => {
      const { results } = await run(
        `{ r: records(per_page: 9, filter: { table: { value: "post" } }, sort: [{ properties: [{ name: "extra", order: ${order} }] }]) { results { id } } }`,
      )
      return (results as Row[]).map((row) => row['id'])
    }
    expect(await sorted('ASC')).toEqual([ids[2], ids[0], ids[1]])
    expect(await sorted('DESC')).toEqual([ids[1], ids[0], ids[2]])
  })

  it('is found where one table declares it and another does not, and where none is named', async () => {
    const a = await create([{ name: 'title', value: 'same' }])
    const b = await create([{ name: 'title', value: 'same' }], 'note')
    const ask = async (filter: string): Promise<unknown[]> => {
      const { results } = await run(
        `{ r: records(per_page: 9, filter: { ${filter} properties: [{ name: "title", value: "same" }] }) { results { id title: property(name: "title") } } }`,
      )
      return results as Row[]
    }
    const both = [a, b].map(({ id }) => ({ id, title: 'same' }))
    expect(await ask('table: { value_in: ["post", "note"] }')).toEqual(both)
    expect(await ask('')).toEqual(both)
    expect(await ask('table: { value: "note" }')).toEqual(both.slice(1))
  })

  it('of users and profiles is stored as well', async () => {
    const { id } =
      await run(`mutation { r: user_create(user: { email: "a@x.y", properties: [{ name: "shoe", value_int: 42 }]
      profiles: [{ name: "seller", values: { properties: [{ name: "van", value: "blue" }] } }] }) { id } }`)
    await run(
      'mutation($id: ID!) { r: user_update(id: $id, user: { properties: [{ name: "hat", value: "red" }] profiles: [{ name: "seller", values: { properties: [{ name: "pet", value: "dog" }] } }] }) { id } }',
      { id },
    )
    const { results } = await run(
      `{ r: users(per_page: 9, filter: { properties: [{ name: "shoe", value_int: 42 }], profiles: [{ name: "seller", properties: [{ name: "van", value: "blue" }] }] })
        { results { hat: property(name: "hat") properties profile(profile_type: "seller") { properties van: property(name: "van") } } } }`,
    )
    expect(results).toMatchObject([
      {
        hat: 'red',
        properties: { shoe: 42, hat: 'red' },
        profile: { van: 'blue', properties: { van: 'blue', pet: 'dog' } },
      },
    ])
  })

  it('relates no rows, but for a filter', async () => {
    const a = await create([{ name: 'title', value: 'one' }])
    await create(
      [
        { name: 'body', value: 'n' },
        { name: 'post_id', value: a['id'] },
      ],
      'note',
    )
    const { errors } = await ground.run(
      '{ records(per_page: 1, filter: { table: { value: "post" } }) { results { related_records(table: "note", join_on_property: "id", foreign_property: "post_id") { id } } } }',
    )
    expect(errors![0]!.message).toContain('`note` has no property `post_id`')
    const { results } = await run(
      '{ r: records(per_page: 1, filter: { table: { value: "post" }, related_records: [{ join: { foreign_property: "post_id" }, filter: { table: { value: "note" } } }] }) { results { id } } }',
    )
    expect(results).toEqual([{ id: a['id'] }])
  })

  it.each(['\0', 'a\ud800'])('has no name that cannot be stored: %j', async (name) => {
    const { errors } = await ground.run(
      'mutation($n: String!) { record_create(record: { table: "post", properties: [{ name: $n, value: "x" }] }) { id } }',
      { n: name },
    )
    expect(errors).toHaveLength(1)
    expect(await ground.count('post')).toBe(0)
  })
})

describe('a filter by a property without a name', () => {
  it.each(['', null])('filters nothing: %j', async (n) => {
    const { id } = await create([])
    for (const document of [
      'query($n: String!) { r: records(per_page: 9, filter: { table: { value: "post" }, properties: [{ name: $n, value: "x" }] }) { results { id } } }',
      'query($n: String) { r: records(per_page: 9, filter: { properties: [{ name: $n, value: "x", not_value_in: ["y"] }] }) { results { id } } }',
      'query($p: [PropertyFilterInput!]) { r: models(per_page: 9, filter: { properties: $p }) { results { id } } }',
    ]) {
      const variables = document.includes('$p') ? { p: [{ name: n, exists: true }] } : { n }
      if (n === null && document.includes('String!')) continue
      expect(await run(document, variables)).toEqual({ results: [{ id }] })
    }
  })
})
