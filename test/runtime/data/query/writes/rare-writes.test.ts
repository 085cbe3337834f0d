/** Rarely used parts of reading and writing rows: links of users, nested records, uploads, aggregations, images. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type QueryDatabase, openQueryDatabase } from '../rows/run-query.ts'
import { DATA } from './write-fixture.ts'

let fixture: QueryDatabase

beforeAll(async () => {
  fixture = await openQueryDatabase(DATA)
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  await fixture.sql`truncate ingot.records, ingot.users, ingot.profiles, ingot.attachments, ingot.authentications cascade`
})

type Row = Record<string, unknown>

async function data(document: string, variables: Row = {}): Promise<Row> {
  return JSON.parse(JSON.stringify(await fixture.ask(document, variables))) as Row
}

async function complaint(document: string, variables: Row = {}): Promise<string> {
  return (await fixture.complaints(document, variables)).join('; ')
}

describe('links of users', () => {
  const SHOWN = 'id authentications { __typename provider uid token token_expires_at raw_info }'
  const CREATE = `mutation($u: UserInputType!) { u: user_create(user: $u) { ${SHOWN} } }`

  it('are stored with the user, changed by provider, and shown at once', async () => {
    const link = {
      provider: 'github',
      uid: '42',
      token: 't',
      token_expires_at: '2030-01-02T03:04:05Z',
      raw_info: { a: [1] },
    }
    const { u } = (await data(CREATE, { u: { email: 'a@b.c', authentications: [link] } })) as { u: Row }
    const shown = { ...link, __typename: 'Authentication', token_expires_at: '2030-01-02T03:04:05.000Z' }
    expect(u['authentications']).toEqual([shown])
    const UPDATE = `mutation($id: ID!, $u: UserInputType!) { u: user_update(id: $id, user: $u) { ${SHOWN} } }`
    const more = [{ provider: 'google' }, { provider: 'github', uid: '43' }]
    const changed = (await data(UPDATE, { id: u['id'], u: { authentications: more } })) as { u: Row }
    expect(changed.u['authentications']).toEqual([
      { ...shown, uid: '43' },
      {
        __typename: 'Authentication',
        provider: 'google',
        uid: null,
        token: null,
        token_expires_at: null,
        raw_info: null,
      },
    ])
    expect(
      await data(
        '{ p: people { results { authentications { provider } } } u: users(per_page: 9) { results { authentications { uid } } } }',
      ),
    ).toEqual({
      p: { results: [{ authentications: [{ provider: 'github' }, { provider: 'google' }] }] },
      u: { results: [{ authentications: [{ uid: '43' }, { uid: null }] }] },
    })
  })

  it('are none where there are none, and go with the user', async () => {
    const { u } = (await data(CREATE, { u: { email: 'a@b.c', authentications: [] } })) as { u: Row }
    expect(u['authentications']).toEqual([])
    expect(await complaint(CREATE, { u: { email: 'b@b.c', authentications: [{ provider: 'myspace' }] } })).toMatch(
      /myspace/,
    )
    expect(
      await complaint(CREATE, { u: { email: 'b@b.c', authentications: [{ provider: 'saml', uid: 'a\0' }] } }),
    ).toMatch(/NUL/)
    expect(
      await complaint(CREATE, {
        u: { email: 'b@b.c', authentications: [{ provider: 'saml', raw_info: { a: '\0' } }] },
      }),
    ).toMatch(/NUL/)
  })
})

describe('records below others', () => {
  const CREATE = 'mutation($r: RecordInputType!) { r: record_create(record: $r) { id } }'
  const tree = {
    table: 'post',
    properties: [{ name: 'title', value: 'top' }],
    records: [
      { table: 'note', values: { properties: [{ name: 'body', value: 'one' }], external_id: 'x' } },
      {
        values: {
          table: 'post',
          properties: [{ name: 'title', value: 'two' }],
          records: [{ table: 'note', values: {} }],
        },
      },
    ],
  }

  it('are made with their owner, to any depth, by one statement', async () => {
    const { r } = (await data(CREATE, { r: tree })) as { r: Row }
    const rows = await fixture.sql`
      select t.name as table, r.properties ->> 'body' as body, r.properties ->> 'title' as title, r.properties ->> 'state' as state,
        r.external_id, (select o.properties ->> 'title' from ingot.records o where o.id = r.customizable_id) as owner, r.customizable_type as type
      from ingot.records r join ingot.tables t on t.id = r.table_id where r.id <> ${String(r['id'])} order by r.id`
    expect([...rows]).toEqual([
      { table: 'note', body: 'one', title: null, state: null, external_id: 'x', owner: 'top', type: 'Customization' },
      {
        table: 'post',
        body: null,
        title: 'two',
        state: 'draft',
        external_id: null,
        owner: 'top',
        type: 'Customization',
      },
      { table: 'note', body: null, title: null, state: null, external_id: null, owner: 'two', type: 'Customization' },
    ])
    const UPDATE = `mutation($id: ID!, $r: RecordInputType!) { r: record_update(id: $id, record: $r) { id } }`
    await data(UPDATE, { id: r['id'], r: { records: [{ table: 'note', values: {} }] } })
    const [count] =
      await fixture.sql`select count(*)::int as n from ingot.records where customizable_id = ${String(r['id'])}`
    expect(count!['n']).toBe(3)
    expect(await complaint(UPDATE, { id: '999999', r: { records: [{ table: 'note', values: {} }] } })).toBe(
      "Can't find Record with id=999999",
    )
    const [same] = await fixture.sql`select count(*)::int as n from ingot.records`
    expect(same!['n']).toBe(5)
  })

  it.each([
    [{ table: 'post', records: [{ values: {} }] }, /requires the name of its table/],
    [{ table: 'post', records: [{ table: 'nope', values: {} }] }, /no table `nope`/],
    [
      { table: 'post', records: [{ table: 'note', values: { properties: [{ name: 'x\0', value: '1' }] } }] },
      /cannot be stored/,
    ],
  ])('are refused where they fit no table: %#', async (r, message) => {
    expect(await complaint(CREATE, { r })).toMatch(message)
    expect(await fixture.sql`select 1 from ingot.records`).toHaveLength(0)
  })

  it('are not given to many at once', async () => {
    expect(
      await complaint('mutation($r: RecordInputType!) { records_update_all(table: "post", record: $r) { count } }', {
        r: { records: [{ table: 'note', values: {} }] },
      }),
    ).toMatch(/many records at once/)
  })
})

describe('files of properties', () => {
  const DELETE = `mutation($t: ObjectsWithUploadsEnum!, $id: ID!, $n: String, $all: Boolean) {
    u: upload_delete(upload_object_type: $t, upload_object_id: $id, attribute_name: $n, delete_all_properties: $all) {
      upload_object_id upload_object_type uploads errors job_id __typename } }`

  it('are taken out by name, or all, and nothing else is', async () => {
    const cover = { path: 'uploads/2026/01/aa/x.png', file_name: 'x.png' }
    const [id] = await fixture.insert('post', [{ properties: { cover, title: 'T' } }])
    const base = {
      upload_object_id: id,
      upload_object_type: 'Record',
      errors: [],
      job_id: null,
      __typename: 'ObjectUpload',
    }
    expect(await data(DELETE, { t: 'Record', id, n: 'title' })).toEqual({ u: { ...base, uploads: {} } })
    expect(await data(DELETE, { t: 'Record', id, n: 'cover' })).toEqual({ u: { ...base, uploads: { cover } } })
    expect(await data(DELETE, { t: 'Record', id, all: true })).toEqual({ u: { ...base, uploads: {} } })
    const [row] = await fixture.sql`select properties from ingot.records where id = ${id!}`
    expect(row!['properties']).toEqual({ cover: null, title: 'T' })
    expect(await complaint(DELETE, { t: 'User', id, all: true })).toBe(`Can't find User with id=${id}`)
    expect(await complaint(DELETE, { t: 'UserProfile', id, all: true })).toBe(`Can't find UserProfile with id=${id}`)
    expect(await complaint(DELETE, { t: 'Record', id })).toMatch(/needs `attribute_name`/)
  })

  const CREATE = 'mutation($r: RecordInputType!) { r: record_create(record: $r) { id } }'
  const upload = (value_upload: Row, name = 'cover'): Row => ({
    r: { table: 'post', properties: [{ name, value_upload }] },
  })

  it('are refused where none can be made', async () => {
    expect(await complaint(CREATE, upload({ type: 'plain', content: 'x' }))).toMatch(/This host does not store files/)
    expect(await complaint(CREATE, upload({ type: 'pdf', content: 'x' }))).toMatch(/This host does not store files/)
    expect(await complaint(CREATE, upload({ type: 'plain', content: 'x' }, 'title'))).toMatch(
      /needs a property of the type `upload`/,
    )
    expect(await complaint(CREATE, upload({ type: 'plain' }))).toMatch(/either `content` or `remote_url`/)
    expect(await complaint(CREATE, upload({ type: 'plain', content: 'a', remote_url: 'b' }))).toMatch(/either/)
  })
})

describe('images beside records', () => {
  it('have the version that is asked for, or the original', async () => {
    const [id] = await fixture.insert('post', [{}, {}])
    const file = { path: 'uploads/a.png', file_name: 'a.png', versions: { thumb: 'uploads/a.thumb.png' } }
    await fixture.sql`insert into ingot.attachments (kind, owner_type, owner_id, name, file)
      values ('image', 'Record', ${id!}, 'photo', ${JSON.stringify(file)}::text::jsonb)`
    const { c } = (await data(
      `query($n: String!) { c: customizations(sort: [{ name: "id" }]) { results { i: custom_image(name: $n) {
      __typename name file_name filename url big: url(version: "big") image_original_width } } } }`,
      { n: 'photo' },
    )) as { c: { results: Row[] } }
    expect(c.results).toEqual([
      {
        i: {
          __typename: 'ListingImage',
          name: 'photo',
          file_name: 'a.png',
          filename: 'a.png',
          url: '/files/uploads/a.thumb.png',
          big: '/files/uploads/a.png',
          image_original_width: null,
        },
      },
      { i: null },
    ])
  })
})

describe('aggregations', () => {
  const ASK = `query($a: [ListingAggregation], $p: [QueryCustomAttribute]) {
    c: customizations(aggregations: $a, properties: $p, model_schema: { name: "post" }, per_page: 1) { total_entries aggregations { raw compact } } }`
  const ask = async (fields: Row[], more: Row = {}, properties: Row[] = []): Promise<{ raw: Row; compact: Row }> =>
    (
      (await data(ASK, { a: [{ fields, ...more }], p: properties })) as {
        c: { aggregations: { raw: Row; compact: Row } }
      }
    ).c.aggregations

  beforeEach(async () => {
    await fixture.insert('post', [
      { properties: { title: 'a', views: 1, tags: ['x', 'y'], state: 'draft' } },
      { properties: { title: 'b', views: 4, tags: ['x'], state: 'live' } },
      { properties: { title: 'b', tags: [], state: 'live' } },
      { properties: { title: 'gone', views: 100, state: 'live' }, deleted_at: '2020-01-01' },
    ])
    await fixture.insert('note', [{ properties: { body: 'a' } }])
  })

  it('count the values of what matches', async () => {
    const { raw, compact } = await ask([
      { name: 'titles', customization_property_name: 'title' },
      { name: 'labels', field_name: 'properties.tags', sort: { name: '_count', order: 'desc' }, size: 1 },
    ])
    expect(raw).toEqual({
      titles: {
        buckets: [
          { key: 'a', doc_count: 1 },
          { key: 'b', doc_count: 2 },
        ],
      },
      labels: { buckets: [{ key: 'x', doc_count: 2 }] },
    })
    expect(compact).toEqual({ titles: { a: 1, b: 2 }, labels: { x: 2 } })
    const filtered = await ask([{ name: 't', customization_property_name: 'title' }], {}, [
      { name: 'title', value: 'b' },
    ])
    expect(filtered.compact).toEqual({ t: { b: 2 } })
  })

  it('have means and extremes, also inside of each value', async () => {
    const views = (type: string): Row => ({ name: type, type, customization_property_name: 'views' })
    const { raw, compact } = await ask(
      [
        {
          name: 'by',
          customization_property_name: 'state',
          aggregations: [views('max'), views('avg'), { name: 'title' }],
        },
        views('min'),
      ],
      { name: 'group' },
    )
    expect(compact).toEqual({
      group: {
        by: {
          draft: { count: 1, max: 1, avg: 1, title: { a: 1 } },
          live: { count: 2, max: 4, avg: 4, title: { b: 2 } },
        },
        min: 1,
      },
    })
    expect(raw['group']).toMatchObject({
      min: { value: 1 },
      by: { buckets: [{ key: 'draft', doc_count: 1, max: { value: 1 } }, { key: 'live' }] },
    })
  })

  it('take hostile names as text, and bound themselves', async () => {
    const name = `'); drop table ingot.records; -- "$1`
    const { raw } = await ask([{ name, customization_property_name: 'title', size: -5 }], { name })
    expect(raw).toEqual({ [name]: { [name]: { buckets: [] } } })
    let deep: Row = { name: 'x', customization_property_name: 'title' }
    for (let level = 0; level < 8; level++) deep = { ...deep, aggregations: [deep] }
    expect(await complaint(ASK, { a: [{ fields: [deep] }] })).toMatch(/at most 5 levels deep/)
    const { raw: none } = await ask([{ name: 'x', customization_property_name: name }], { name: 'x' })
    expect(none).toEqual({ x: { x: { buckets: [] } } })
    expect(await ask([], {})).toEqual({ raw: {}, compact: {} })
  })

  it('of users reach their profiles and records; global ones everybody', async () => {
    const [user] = await fixture.sql<{ id: string }[]>`
      insert into ingot.users (email, slug, properties) values ('a@b.c', 'a', '{"roles": ["admin"]}'), ('b@b.c', 'b', '{}') returning id::text`
    await fixture.sql`insert into ingot.profiles (user_id, profile_type, properties) values (${user!.id}, 'seller', '{"rating": 4.5}')`
    await fixture.insert('note', [{ user_id: user!.id, properties: { body: 'hers' } }])
    const { p } = (await data(
      `query($a: [ListingAggregation]) { p: people(user: { email: "a@b.c" }, aggregations: $a) { aggregations { compact } } }`,
      {
        a: [
          {
            fields: [
              { name: 'rating', type: 'avg', profile_type: 'seller', profile_property_name: 'rating' },
              { name: 'notes', customization_name: 'note', customization_property_name: 'body' },
              { name: 'roles' },
              { name: 'email' },
            ],
          },
          { name: 'all', global: true, fields: [{ name: 'email' }] },
        ],
      },
    )) as { p: { aggregations: { compact: Row } } }
    expect(p.aggregations.compact).toEqual({
      rating: 4.5,
      notes: { hers: 1 },
      roles: { admin: 1 },
      email: { 'a@b.c': 1 },
      all: { email: { 'a@b.c': 1, 'b@b.c': 1 } },
    })
  })
})
