import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type WriteFixture, openWriteFixture } from './write-fixture.ts'

let fixture: WriteFixture

beforeAll(async () => {
  fixture = await openWriteFixture()
})
afterAll(() => fixture?.close())
beforeEach(() => fixture.clear())

type Row = Record<string, unknown>

describe('constants', () => {
  const SET =
    'mutation($n: String!, $v: String!) { c: constant_set(name: $n, value: $v) { name value created_at updated_at } }'

  it('are sealed in the database, opened in results, and replaced', async () => {
    const { data, errors } = await fixture.run(SET, { n: 'KEY', v: 'geheim 🔑' })
    expect(errors).toBeUndefined()
    expect(data!['c']).toMatchObject({ name: 'KEY', value: 'geheim 🔑' })
    const [row] = await fixture.sql`select value from ingot.constants`
    expect(row!['value']).not.toContain('geheim')
    expect(fixture.constants()['KEY']).toBe('geheim 🔑')
    await fixture.run(SET, { n: 'KEY', v: 'new' })
    const { data: read } = await fixture.run(
      'query { constant(filter: { name: "KEY" }) { value } constants { total_entries results { name value } } }',
    )
    expect(read).toEqual({
      constant: { value: 'new' },
      constants: { total_entries: 1, results: [{ name: 'KEY', value: 'new' }] },
    })
  })

  it('are found by filter, sorted, and paged', async () => {
    for (const name of ['B', 'A', 'C_x']) await fixture.run(SET, { n: name, v: name.toLowerCase() })
    const { data } = await fixture.run(
      `query { a: constants(sort: [{ name: { order: DESC } }], per_page: 2) { has_next_page total_pages results { name } }
        b: constants(filter: { name: { starts_with: "c_" } }) { results { value } }
        c: constants(per_page: 0) { results { name } total_entries } d: constant(filter: { name: "nope" }) { name } e: constant { name } }`,
    )
    expect(data).toEqual({
      a: { has_next_page: true, total_pages: 2, results: [{ name: 'C_x' }, { name: 'B' }] },
      b: { results: [{ value: 'c_x' }] },
      c: { results: [], total_entries: 3 },
      d: null,
      e: null,
    })
  })

  it('are removed', async () => {
    await fixture.run(SET, { n: 'K', v: 'x' })
    const { data } = await fixture.run(
      'mutation { a: constant_unset(name: "K") { name value } b: constant_unset(name: "K") { name } }',
    )
    expect(data).toEqual({ a: { name: 'K', value: 'x' }, b: null })
    expect(fixture.constants()).not.toHaveProperty('K')
  })

  it.each([
    [{ n: '', v: 'x' }, /needs a name/],
    [{ n: 'a\0b', v: 'x' }, /NUL/],
  ])('refuse %j', async (variables, message) => {
    const { data, errors } = await fixture.run(SET, variables)
    expect(data).toBeNull()
    expect(errors![0]!.message).toMatch(message)
  })

  it('take hostile names and values as text', async () => {
    const text = `'; drop table ingot.constants; -- $1 \\`
    await fixture.run(SET, { n: text, v: text })
    expect(fixture.constants()[text]).toBe(text)
  })

  it('are not set where another mutation fails', async () => {
    const { data } = await fixture.run(
      'mutation { a: constant_set(name: "K", value: "v") { name } b: record_delete(id: 1) { id } }',
    )
    expect(data).toBeNull()
    expect(fixture.constants()).not.toHaveProperty('K')
    expect(await fixture.sql`select from ingot.constants`).toHaveLength(0)
  })
})

describe('activities', () => {
  const CREATE =
    'mutation($payload: ActivityStreamsPayload!) { a: activity_create(payload: $payload) { id uuid payload } }'

  async function create(payload: unknown): Promise<Row> {
    const { data, errors } = await fixture.run(CREATE, { payload })
    expect(errors).toBeUndefined()
    return data!['a'] as Row
  }

  async function publish(uuid: unknown, ids: unknown, at?: string): Promise<unknown> {
    const { data, errors } = await fixture.run(
      'mutation($uuid: ID!, $ids: [ID]!, $at: ISO8601DateTime) { p: activity_publish(uuid: $uuid, ids: $ids, feed_type: "inbox", at: $at) }',
      { uuid, ids, at },
    )
    expect(errors).toBeUndefined()
    return data!['p']
  }

  const STREAM = `query($id: ID, $reset: Boolean = true) { s: streams(feed_type: "inbox", feed_id: $id, reset_last_read: $reset, per_page: 2) {
    total_entries unread_count has_next_page results { uuid payload } } }`

  async function stream(variables: Row, viewer: string | null = null): Promise<Row> {
    const { data, errors } = await fixture.run(STREAM, variables, { viewer })
    expect(errors).toBeUndefined()
    return data!['s'] as Row
  }

  it('are stored, also from an object with variables in it', async () => {
    const made = await create({ type: 'Like', object: { id: '7', type: 'Post' } })
    expect(made['payload']).toEqual({ type: 'Like', object: { id: '7', type: 'Post' }, uuid: made['uuid'] })
    const { data } = await fixture.run(
      'mutation($actor: String) { a: activity_create(payload: { actor: { id: $actor }, n: [1, $actor] }) { uuid payload } }',
      { actor: "o'x" },
    )
    const uuid = (data!['a'] as Row)['uuid']
    expect(data!['a']).toEqual({ uuid, payload: { actor: { id: "o'x" }, n: [1, "o'x"], uuid } })
    const { data: found } = await fixture.run(
      'query($uuids: [String], $ids: [ID]) { a: activities(uuids: $uuids, ids: $ids) { total_entries results { id } } }',
      { uuids: [made['uuid'], 'no'] },
    )
    expect(found!['a']).toEqual({ total_entries: 1, results: [{ id: made['id'] }] })
  })

  it('are found and published by the uuid of their payload, also where the payload came with another', async () => {
    const first = (await create({ n: 1 }))['payload'] as Row
    const copy = (await create(first))['payload'] as Row
    expect(copy).toEqual({ n: 1, uuid: expect.any(String) as string })
    expect(copy['uuid']).not.toBe(first['uuid'])
    await publish(copy['uuid'], ['u1'])
    expect((await stream({ id: 'u1' }))['results']).toEqual([{ uuid: copy['uuid'], payload: copy }])
    const { data } = await fixture.run(
      'query($uuids: [String]) { a: activities(uuids: $uuids) { results { payload } } }',
      {
        uuids: [first['uuid'], copy['uuid']],
      },
    )
    expect(data!['a']).toEqual({ results: expect.arrayContaining([{ payload: first }, { payload: copy }]) as Row[] })
  })

  it('refuse payloads that are no objects', async () => {
    for (const payload of [[1], 5, { a: 'x\0' }]) {
      const { errors } = await fixture.run(CREATE, { payload })
      expect(errors![0]!.message).toMatch(/payload of an activity must be an object|contains the character NUL/)
    }
  })

  it('stand in feeds, newest first, with a count of the unread', async () => {
    const made = [await create({ n: 1 }), await create({ n: 2 }), await create({ n: 3 })]
    await publish(made[0]!['uuid'], ['u1', 'u2'], '2020-01-01T00:00:00Z')
    await publish(made[1]!['uuid'], ['u1'], '2022-01-01T00:00:00Z')
    expect(await publish(made[2]!['uuid'], ['u1'], '2021-01-01T00:00:00Z')).toBe('2021-01-01T00:00:00.000Z')
    const peek = await stream({ id: 'u1', reset: false })
    expect(peek).toMatchObject({ total_entries: 3, unread_count: 3, has_next_page: true })
    expect((peek['results'] as Row[]).map((row) => row['payload'])).toEqual([
      { n: 2, uuid: made[1]!['uuid'] },
      { n: 3, uuid: made[2]!['uuid'] },
    ])
    expect((await stream({ id: 'u1' }))['unread_count']).toBe(3)
    expect((await stream({ id: 'u1' }))['unread_count']).toBe(0)
    await publish((await create({ n: 4 }))['uuid'], ['u1'])
    expect((await stream({ id: 'u1' }))['unread_count']).toBe(1)
    expect((await stream({ id: 'u2' }))['total_entries']).toBe(1)
  })

  it('move the mark also where it is not selected', async () => {
    await publish((await create({ n: 1 }))['uuid'], ['u1'])
    await fixture.run('query { streams(feed_type: "inbox", feed_id: "u1") { results { id } } }')
    expect((await stream({ id: 'u1' }))['unread_count']).toBe(0)
  })

  it('are those of the signed-in user where no feed is named', async () => {
    await publish((await create({ n: 1 }))['uuid'], ['17'])
    expect((await stream({}, '17'))['total_entries']).toBe(1)
    expect((await stream({}))['total_entries']).toBe(0)
  })

  it('are taken out of feeds', async () => {
    const one = await create({ object: { type: 'Post', id: 5 } })
    const two = await create({ object: { type: 'Post', id: '6' } })
    await publish(one['uuid'], ['a', 'b'])
    await publish(two['uuid'], ['a'])
    const { data: feeds } = await fixture.run('query { feeds { name ids } }')
    expect(feeds).toEqual({ feeds: [{ name: 'inbox', ids: ['a', 'b'] }] })
    const { data } = await fixture.run(
      'mutation { a: activity_unpublish(related_to_object: { type: "post", ids: ["5", "9"] }) }',
    )
    expect(data!['a']).toEqual([one['id']])
    const { data: rest } = await fixture.run(
      'mutation($uuid: ID) { a: activity_unpublish(uuid: $uuid) b: activity_unpublish(record_id: 1) }',
      { uuid: two['uuid'] },
    )
    expect(rest).toEqual({ a: [two['id']], b: [] })
    const { errors } = await fixture.run('mutation { activity_unpublish }')
    expect(errors![0]!.message).toMatch(/needs `uuid`/)
  })

  it('say so where there is none of the uuid', async () => {
    const { errors } = await fixture.run('mutation { activity_publish(uuid: "nope", ids: ["a"], feed_type: "inbox") }')
    expect(errors![0]!.message).toBe("Can't find Activity with uuid=nope")
  })
})

describe('the old search', () => {
  beforeEach(async () => {
    for (const [index, title] of ['Red car', 'Blue car', 'Red boat'].entries()) {
      const { errors } = await fixture.run(`mutation($r: RecordInputType!) { record_create(record: $r) { id } }`, {
        r: {
          table: 'post',
          external_id: `x${index}`,
          user_id: index + 1,
          properties: [
            { name: 'title', value: title },
            { name: 'views', value_int: index },
            { name: 'tags', value_array: [title.split(' ')[0], 'all'] },
          ],
        },
      })
      expect(errors).toBeUndefined()
    }
    await fixture.run(
      `mutation { record_create(record: { table: "note", properties: [{ name: "body", value: "b" }] }) { id } }`,
    )
  })

  const found = async (args: string, variables: Row = {}): Promise<unknown[]> => {
    const { data, errors } = await fixture.run(
      `query${args.includes('$v') ? '($v: String)' : ''} { c: customizations(${args}) { results { property(name: "title") } } }`,
      variables,
    )
    expect(errors).toBeUndefined()
    return ((data!['c'] as Row)['results'] as Row[]).map((row) => row['property'])
  }

  it.each([
    ['model_schema: { name: "post" }', ['Red car', 'Blue car', 'Red boat']],
    ['custom_model_type: { names: ["post"] }', ['Red car', 'Blue car', 'Red boat']],
    ['model_schema: { name: "post" }, external_ids: ["x0", "x2"]', ['Red car', 'Red boat']],
    ['model_schema: { name: "post" }, user_id: 2', ['Blue car']],
    ['model_schema: { name: "post" }, properties: [{ name: "title", value: "Blue car" }]', ['Blue car']],
    [
      'model_schema: { name: "post" }, properties: [{ name: "title", value: "Blue car", exclude: true }]',
      ['Red car', 'Red boat'],
    ],
    [
      'model_schema: { name: "post" }, properties: [{ name: "title", values: ["Blue car", "Red boat"] }]',
      ['Blue car', 'Red boat'],
    ],
    [
      'model_schema: { name: "post" }, properties: [{ name: "tags", values: ["Red", "all"], values_operator: AND }]',
      ['Red car', 'Red boat'],
    ],
    ['model_schema: { name: "post" }, properties: [{ name: "tags", values: ["Red"] }]', ['Red car', 'Red boat']],
    ['model_schema: { name: "post" }, properties: [{ name: "tags", values: ["Red"], exclude: true }]', ['Blue car']],
    ['model_schema: { name: "post" }, properties: [{ name: "views", range: { gte: "1" } }]', ['Blue car', 'Red boat']],
    ['model_schema: { name: "post" }, properties: [{ name: "score", exists: true }]', []],
    [
      'model_schema: { name: "post" }, sort: [{ property_name: "title", order: "desc" }]',
      ['Red car', 'Red boat', 'Blue car'],
    ],
    ['model_schema: { name: "post" }, sort: [{ name: "id", order: "DESC" }]', ['Red boat', 'Blue car', 'Red car']],
    ['model_schema: { name: "post" }, sort: [{ name: "views", order: "desc" }], per_page: 1, page: 2', ['Blue car']],
    ['name: "post"', ['Red car', 'Blue car', 'Red boat']],
    ['names: ["note"]', [null]],
    ['without_names: ["note"], user_id: 2', ['Blue car']],
    ['name: "post", model_schema: { names: ["post", "note"] }', ['Red car', 'Blue car', 'Red boat']],
    ['name: "post", model_schema: { name: "note" }', []],
    [
      'name: "post", sort: [{ name: "properties.title.raw", order: "desc" }], properties: [{ name: "views", range: { lt: "2" } }]',
      ['Red car', 'Blue car'],
    ],
    ['name: "post", sort: [{ name: "properties.views", order: "desc" }], per_page: 1', ['Red boat']],
    ['model_schema: { name: "post" }, is_deleted: true', []],
    ['model_schema: { name: "post" }, customizable_id: 5', []],
    [
      'model_schema: { name: "post" }, query: { keyword: "boat", match_type: CONTAINS, properties: [{ name: "title" }] }',
      ['Red boat'],
    ],
    ...['properties.title', 'properties.title.raw', 'title'].flatMap((name): [string, string[]][] => [
      [`model_schema: { name: "post" }, query: { keyword: "blue car", fields: [{ name: "${name}" }] }`, ['Blue car']],
      [`model_schema: { name: "post" }, query: { keyword: "blue", properties: [{ name: "${name}" }] }`, ['Blue car']],
    ]),
    ['model_schema: { name: "post" }, query: { keyword: "red", fields: [{ name: "properties.body" }] }', []],
    [
      'model_schema: { name: "post" }, query: { keyword: "baot", fields: [{ name: "properties.title" }], match_type: FUZZY }',
      ['Red boat'],
    ],
  ])('customizations(%s)', async (args, titles) => {
    expect(await found(args)).toEqual(titles)
  })

  it('calls a record by the name of its table, also of one that a variable names', async () => {
    const { data, errors } = await fixture.run(
      'query($v: String, $s: String) { c: customizations(name: $v, sort: [{ name: $s, order: "desc" }], per_page: 3) { results { name property(name: "title") } } }',
      { v: 'post', s: 'properties.title' },
    )
    expect(errors).toBeUndefined()
    expect(data).toEqual({
      c: { results: ['Red car', 'Red boat', 'Blue car'].map((property) => ({ name: 'post', property })) },
    })
    expect(await found('name: $v', { v: null })).toHaveLength(4)
  })

  it('drops what has no value', async () => {
    expect(
      await found('model_schema: { name: "post" }, properties: [{ name: "title", value: $v }]', { v: null }),
    ).toHaveLength(3)
    expect(
      await found('model_schema: { name: "post" }, properties: [{ name: "title", value: $v }]', { v: 'Red boat' }),
    ).toEqual(['Red boat'])
  })

  it('pages, and finds people', async () => {
    for (const name of ['Zoe Z', 'Adam A'])
      await fixture.run('mutation($u: UserInputType!) { user_create(user: $u) { id } }', {
        u: { email: `${name[0]}@x.y`, name },
      })
    const { data, errors } = await fixture.run(
      `query { p: people(sort: [{ name: "name" }], per_page: 1) { total_entries page size current_page has_next_page results { name email slug } }
        q: people(user: { emails: ["Z@X.Y"] }) { results { name } } r: people(user: { is_deleted: true }) { total_entries } }`,
    )
    expect(errors).toBeUndefined()
    expect(data).toEqual({
      p: {
        total_entries: 2,
        page: 1,
        size: 1,
        current_page: 1,
        has_next_page: true,
        results: [{ name: 'Adam A', email: 'a@x.y', slug: 'adam-a' }],
      },
      q: { results: [{ name: 'Zoe Z' }] },
      r: { total_entries: 0 },
    })
  })
})
