import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openGround, type Ground } from './ground.ts'

let ground: Ground

beforeAll(async () => {
  ground = await openGround()
})
afterAll(() => ground?.close())
beforeEach(() => ground.clear())

const CREATE = `mutation($record: RecordInputType!) { r: record_create(record: $record) { id table properties deleted_at } }`

async function create(record: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { data, errors } = await ground.run(CREATE, { record })
  expect(errors).toBeUndefined()
  return data!['r'] as Record<string, unknown>
}

async function stored(id: unknown): Promise<Record<string, unknown>> {
  const rows = await ground.sql`select properties from ingot.records where id = ${String(id)}`
  return rows[0]!['properties'] as Record<string, unknown>
}

const UPDATE = `mutation($id: ID!, $record: RecordInputType!) { r: record_update(id: $id, record: $record) { id properties deleted_at } }`

describe('record_create', () => {
  it('stores by declared type, with defaults, and gives the row', async () => {
    const made = await create({
      table: 'post',
      properties: [
        { name: 'title', value: 'Ω "quoted" 😀' },
        { name: 'views', value_int: 3 },
        { name: 'price', value: '12.340' },
        { name: 'score', value_float: 0.5 },
        { name: 'live', value_boolean: true },
        { name: 'at', value: '2017-07-07 14:00:00 +0000' },
        { name: 'place', value_json: { type: 'Point', coordinates: [1, 2] } },
        { name: 'cover', value: 'https://x.test/a.png' },
      ],
    })
    expect(made['table']).toBe('post')
    expect(await stored(made['id'])).toEqual({
      title: 'Ω "quoted" 😀',
      views: 3,
      price: 12.34,
      score: 0.5,
      live: true,
      at: '2017-07-07T14:00:00.000Z',
      place: { type: 'Point', coordinates: [1, 2] },
      cover: { path: 'https://x.test/a.png', file_name: 'a.png', extension: 'png', versions: {} },
      tags: [],
      state: 'draft',
    })
  })

  it('keeps the digits of decimals and large integers', async () => {
    const made = await create({
      table: 'post',
      properties: [
        { name: 'price', value: '12345678901234567890.123456789' },
        { name: 'views', value: '9223372036854775807' },
      ],
    })
    const rows = await ground.sql`
      select properties ->> 'price' as price, properties ->> 'views' as views from ingot.records where id = ${String(made['id'])}`
    expect(rows[0]).toEqual({ price: '12345678901234567890.123456789', views: '9223372036854775807' })
  })

  it('takes columns, and restores and clears by null', async () => {
    const made = await create({
      table: 'post',
      external_id: 'ext',
      user_id: 7,
      created_at: '2001-02-03T04:05:06Z',
      deleted_at: '2001-02-03T04:05:06Z',
    })
    const rows = await ground.sql`
      select external_id, user_id::text, created_at::text from ingot.records where id = ${String(made['id'])}`
    expect(rows[0]).toMatchObject({ external_id: 'ext', user_id: '7' })
    expect(made['deleted_at']).toBe('2001-02-03T04:05:06.000Z')
    const { data } = await ground.run(
      `mutation($id: ID!) { r: record_update(id: $id, record: { deleted_at: null }) { deleted_at external_id } }`,
      { id: made['id'] },
    )
    expect(data!['r']).toEqual({ deleted_at: null, external_id: 'ext' })
  })

  it('holds an external_id as long as an index can, and says so of a longer one', async () => {
    const noise = Array.from({ length: 650 }, () => String.fromCodePoint(0x20000 + Math.floor(Math.random() * 40_000)))
    expect(await create({ table: 'post', external_id: noise.join('') })).toMatchObject({ id: expect.any(String) })
    for (const record of [
      { table: 'post', external_id: `${noise.join('')}x` },
      { table: 'post', external_id: 'x'.repeat(5_000) },
    ]) {
      const { data, errors } = await ground.run(CREATE, { record })
      expect(data).toBeNull()
      expect(errors?.[0]?.message).toMatch(/`external_id` is too long: it has at most (650|2600) such characters/)
    }
  })

  it('takes an id, and goes on behind it', async () => {
    const made = await create({ table: 'post', id: 5_000_000 })
    expect(made['id']).toBe('5000000')
    const next = await create({ table: 'post' })
    expect(Number(next['id'])).toBeGreaterThan(5_000_000)
    const again = await ground.run(CREATE, { record: { table: 'post', id: '5000000' } })
    expect(again.data).toBeNull()
    expect(again.errors![0]!.message).toMatch(/id exists/)
  })

  it('gives no id twice, while others bring theirs', async () => {
    const [row] = await ground.sql`select last_value::text as last from ingot.ids`
    const base = Number(row!['last'])
    const results = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        ground.run(CREATE, {
          record: index % 4 === 0 ? { table: 'post', id: base + 5 * index + 300 } : { table: 'note' },
        }),
      ),
    )
    expect(results.filter(({ errors }) => errors !== undefined)).toEqual([])
    expect((await ground.count('post')) + (await ground.count('note'))).toBe(120)
  })

  it.each([
    [{ table: 'pots' }, /no table `pots`/],
    [{}, /table/],
    [{ table: 'post', properties: [{ name: 'views', value: 'many' }] }, /`views` is an integer and cannot hold "many"/],
    [{ table: 'post', properties: [{ name: 'title', value: 'a\0b' }] }, /cannot hold/],
    [{ table: 'post', properties: [{ name: 'title', increment: 1 }] }, /needs a number/],
    [{ table: 'post', properties: [{ name: 'views', array_append: 'x' }] }, /needs an array/],
    [{ table: 'post', properties: [{ name: 'views', increment: 1.5 }] }, /integer/],
    [{ table: 'post', created_at: 'soon' }, /created_at.*no time/],
    [{ table: 'post', id: '1; drop table ingot.records' }, /id/],
    [{ table: 'post', id: -1 }, /id/],
    [{ table: 'post', external_id: 'a\0' }, /NUL/],
  ])('refuses %j', async (record, message) => {
    const { data, errors } = await ground.run(CREATE, { record })
    expect(data).toBeNull()
    expect(errors!.map((error) => error.message).join()).toMatch(message)
    expect(errors!.map((error) => error.message).join()).not.toMatch(/insert|select/i)
  })

  it('refuses forms outside of pages', async () => {
    const { errors } = await ground.run(
      `mutation { record_create(form_name: "f", record: { table: "post" }) { id } }`,
      {},
    )
    expect(errors![0]!.message).toMatch(/`f`: forms are sent from pages/)
  })

  it('stores hostile text as text', async () => {
    const texts = [
      "'; drop table ingot.records; --",
      '$1',
      `${'$'}{x}`,
      '\\',
      "\\'",
      '"',
      '{}',
      '{{7*7}}',
      '\u2028',
      'x'.repeat(1_000_000),
    ]
    for (const text of texts) {
      const made = await create({
        table: 'post',
        external_id: text.slice(0, 100),
        properties: [{ name: 'title', value: text }],
      })
      expect((await stored(made['id']))['title']).toBe(text)
    }
    expect(await ground.count('post')).toBe(texts.length)
  })

  it('stores names of properties that look like SQL', async () => {
    const made = await create({
      table: 'odd',
      properties: [
        { name: 'it\'s a "name" \\ --', value: '1' },
        { name: 'a/b', value: '2' },
      ],
    })
    expect(await stored(made['id'])).toEqual({ 'it\'s a "name" \\ --': '1', 'a/b': '2' })
    const { data } = await ground.run(UPDATE, {
      id: made['id'],
      record: { properties: [{ name: 'it\'s a "name" \\ --', value: '3' }] },
    })
    expect((data!['r'] as Record<string, unknown>)['properties']).toEqual({ 'it\'s a "name" \\ --': '3', 'a/b': '2' })
  })

  it('stores sixty and more properties at once', async () => {
    const properties = Array.from({ length: 120 }, (_, index) => ({ name: `p${index}`, value: `${index}` }))
    const made = await create({ table: 'wide', properties })
    expect(Object.keys(await stored(made['id']))).toHaveLength(120)
  })
})

describe('record_update', () => {
  it('leaves what is not named as it is, and clears by null', async () => {
    const { id } = await create({
      table: 'post',
      properties: [
        { name: 'title', value: 'a' },
        { name: 'tags', value_array: ['x'] },
        { name: 'views', value: '1' },
      ],
    })
    const { data } = await ground.run(UPDATE, {
      id,
      record: {
        table: 'post',
        properties: [
          { name: 'title', value: null },
          { name: 'tags', value: null },
        ],
      },
    })
    expect(data!['r']).toMatchObject({ properties: { title: null, tags: [], views: 1, state: 'draft' } })
  })

  it('finds the types of a record whose table is not named', async () => {
    const post = await create({ table: 'post', properties: [{ name: 'amount', value: '5' }] })
    const note = await create({ table: 'note', properties: [{ name: 'amount', value: '5' }] })
    const change = { properties: [{ name: 'amount', value: '6' }] }
    await ground.run(UPDATE, { id: post['id'], record: change })
    await ground.run(UPDATE, { id: note['id'], record: change })
    expect((await stored(post['id']))['amount']).toBe(6)
    expect((await stored(note['id']))['amount']).toBe('6')
    // Text suits the note, where the property is text, and not the post.
    const text = { properties: [{ name: 'amount', value: 'six' }] }
    expect((await ground.run(UPDATE, { id: note['id'], record: text })).errors).toBeUndefined()
    const refused = await ground.run(UPDATE, { id: post['id'], record: text })
    expect(refused.errors![0]!.message).toMatch(/`amount` is an integer and cannot hold "six"/)
    expect((await stored(post['id']))['amount']).toBe(6)
  })

  it.each([
    ['999999999', { properties: [] }, "Can't find Record with id=999999999"],
    ['999999999', { table: 'post' }, "Can't find post with id=999999999"],
    ['x; select', { table: 'post' }, "Can't find post with id=x; select"],
    ['99999999999999999999', {}, "Can't find Record with id=99999999999999999999"],
    ['1e3', {}, "Can't find Record with id=1e3"],
  ])('of %s says that there is none', async (id, record, message) => {
    const { data, errors } = await ground.run(UPDATE, { id, record })
    expect(data).toBeNull()
    expect(errors![0]!.message).toBe(message)
    expect(errors![0]!.path).toEqual(['r'])
  })

  it('refuses the wrong table', async () => {
    const { id } = await create({ table: 'post' })
    const wrong = await ground.run(UPDATE, { id, record: { table: 'note', external_id: 'x' } })
    expect(wrong.errors![0]!.message).toBe(`Record ${id as string} is of table \`post\`, not of \`note\`.`)
  })

  it('moves updated_at with every write, also within one operation', async () => {
    const { id } = await create({ table: 'post' })
    const { data } = await ground.run(
      `mutation($id: ID!) {
        a: record_update(id: $id, record: { properties: [{ name: "views", value_int: 1 }] }) { updated_at created_at }
        b: record_update(id: $id, record: { properties: [{ name: "views", value_int: 2 }] }) { updated_at created_at }
      }`,
      { id },
    )
    const [a, b] = [data!['a'], data!['b']] as { updated_at: string; created_at: string }[]
    expect(a!.updated_at >= a!.created_at).toBe(true)
    expect(b!.updated_at >= a!.updated_at).toBe(true)
  })

  it('leaves columns alone whose variable is not given, and clears them by null', async () => {
    const { id } = await create({ table: 'post', external_id: 'gone', user_id: 3 })
    const { data, errors } = await ground.run(
      `mutation($id: ID!, $user: ID, $ext: ID) { r: record_update(id: $id, record: { user_id: $user, external_id: $ext }) { user_id external_id } }`,
      { id, ext: null },
    )
    expect(errors).toBeUndefined()
    expect(data!['r']).toEqual({ user_id: '3', external_id: null })
  })

  it('changes nothing by an increment or an element without a value', async () => {
    const { id } = await create({
      table: 'post',
      properties: [
        { name: 'views', value_int: 4 },
        { name: 'tags', value_array: ['a'] },
      ],
    })
    const { errors } = await ground.run(
      `mutation($id: ID!, $by: Float, $tag: String) { r: record_update(id: $id, record: { properties: [
        { name: "views", increment: $by }, { name: "tags", array_append: $tag } ] }) { id } }`,
      { id },
    )
    expect(errors).toBeUndefined()
    expect(await stored(id)).toMatchObject({ views: 4, tags: ['a'] })
  })
})

describe('atomic changes', () => {
  const BUMP = `mutation($id: ID!, $by: Float, $tag: String) { r: record_update(id: $id, record: { table: "post", properties: [
    { name: "views", increment: $by }, { name: "price", decrement: 0.1 }, { name: "tags", array_append: $tag }] }) { property_int(name: "views") } }`

  it('lose nothing when fifty write at once', async () => {
    const { id } = await create({ table: 'post', properties: [{ name: 'price', value: '10' }] })
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ground.run(BUMP, { id, by: 2, tag: `t${index}` })),
    )
    expect(results.filter((result) => result.errors !== undefined)).toEqual([])
    const seen = results.map((result) => (result.data!['r'] as Record<string, unknown>)['property_int'])
    expect(new Set(seen).size).toBe(50)
    const row = await stored(id)
    expect(row['views']).toBe(100)
    expect(row['price']).toBe(5)
    expect([...(row['tags'] as string[])].toSorted()).toEqual(
      Array.from({ length: 50 }, (_, index) => `t${index}`).toSorted(),
    )
  })

  it('append, remove, and begin with nothing', async () => {
    const { id } = await create({ table: 'post', properties: [{ name: 'tags', value_array: ['a', 'b', 'a'] }] })
    const { data } = await ground.run(
      `mutation($id: ID!) { r: record_update(id: $id, record: { properties: [
        { name: "tags", array_remove: "a" }, { name: "tags", array_append: "c" }, { name: "tags", array_append: "d" },
        { name: "score", decrement: 1.5 }] }) { property_array(name: "tags") property_float(name: "score") } }`,
      { id },
    )
    expect(data!['r']).toEqual({ property_array: ['b', 'c', 'd'], property_float: -1.5 })
  })

  it('start from a value of the same mutation, and from a stored value of another type', async () => {
    const { id } = await create({ table: 'post', properties: [{ name: 'views', value_int: 5, increment: 2 }] })
    expect((await stored(id))['views']).toBe(7)
    await ground.sql`update ingot.records set properties = '{"views": {"not": "a number"}, "tags": "one"}' where id = ${String(id)}`
    const { errors } = await ground.run(BUMP, { id, by: 1, tag: 'two' })
    expect(errors).toBeUndefined()
    expect(await stored(id)).toMatchObject({ views: 1, tags: ['one', 'two'] })
  })

  it('stand many in a row', async () => {
    const { id } = await create({ table: 'post' })
    const many = Array.from({ length: 200 }, () => '{ name: "views", increment: 1 }').join(' ')
    const { errors } = await ground.run(
      `mutation($id: ID!) { r: record_update(id: $id, record: { properties: [${many}] }) { id } }`,
      { id },
    )
    expect(errors).toBeUndefined()
    expect((await stored(id))['views']).toBe(200)
  })
})

describe('record_delete', () => {
  it('hides the row, once', async () => {
    const { id } = await create({ table: 'post' })
    const text = `mutation($id: ID!) { r: record_delete(id: $id, table: "post") { id deleted_at } }`
    const first = await ground.run(text, { id })
    expect((first.data!['r'] as Record<string, unknown>)['deleted_at']).toMatch(/^\d{4}-.*Z$/)
    const second = await ground.run(text, { id })
    expect(second.errors![0]!.message).toBe(`Can't find post with id=${id as string}`)
    expect(await ground.count('post')).toBe(0)
  })

  it('wants the right table, and any table where the site says so', async () => {
    const { id } = await create({ table: 'post' })
    const wrong = await ground.run(`mutation($id: ID!) { record_delete(id: $id, table: "note") { id } }`, { id })
    expect(wrong.errors![0]!.message).toMatch(/is of table `post`/)
    const strict = await ground.run(
      `mutation($id: ID!) { record_delete(id: $id) { id } }`,
      { id },
      { requireTableForDelete: true },
    )
    expect(strict.errors![0]!.message).toMatch(/needs `table`/)
    const old = await ground.run(
      `mutation($id: ID!) { model_delete(id: $id) { id model_schema_name } }`,
      { id },
      { requireTableForDelete: true },
    )
    expect(old.data!['model_delete']).toEqual({ id, model_schema_name: 'post' })
  })
})

describe('old names', () => {
  it('create, change and delete', async () => {
    const made = await ground.run(
      `mutation { model_create(model: { model_schema_name: "post", title: "T", customizable_id: 4, customizable_type: User,
        properties: [{ name: "title", value: "a" }] }) { id name customizable_id customizable_type property(name: "title") } }`,
      {},
    )
    expect(made.errors).toBeUndefined()
    const row = made.data!['model_create'] as Record<string, unknown>
    expect(row).toMatchObject({ name: 'T', customizable_id: '4', customizable_type: 'User', property: 'a' })
    const changed = await ground.run(
      `mutation($id: ID!) { customization_update(id: $id, customization: { properties: [{ name: "title", value: "b" }] }) { name property(name: "title") } }`,
      { id: row['id'] },
    )
    expect(changed.data!['customization_update']).toEqual({ name: 'T', property: 'b' })
    const gone = await ground.run(`mutation($id: ID!) { customization_delete(id: $id) { deleted_at } }`, {
      id: row['id'],
    })
    expect(gone.errors).toBeUndefined()
  })
})

describe('records_create_rc', () => {
  const MANY = `mutation($records: [RecordsCreateInputType!]!) { r: records_create_rc(records: $records) { id table } }`

  it('inserts 10,000 rows by one statement, in order', async () => {
    const records = Array.from({ length: 10_000 }, (_, index) => ({
      table: index % 2 === 0 ? 'post' : 'note',
      external_id: `e${index}`,
      properties: index % 2 === 0 ? { title: `T${index}`, views: index, tags: ['a', 'b'] } : { body: `B${index}` },
    }))
    const before = ground.statements()
    const { data, errors } = await ground.run(MANY, { records })
    expect(errors).toBeUndefined()
    expect(ground.statements() - before).toBe(1)
    const rows = data!['r'] as { id: string; table: string }[]
    expect(rows).toHaveLength(10_000)
    expect(rows[1]!.table).toBe('note')
    const order = await ground.sql`select external_id from ingot.records order by id`
    expect(order.map((row) => row['external_id'] as string).slice(0, 3)).toEqual(['e0', 'e1', 'e2'])
    expect(rows.map((row) => Number(row.id))).toEqual(rows.map((row) => Number(row.id)).toSorted((a, b) => a - b))
    expect(await stored(rows[2]!.id)).toEqual({ title: 'T2', views: 2, tags: ['a', 'b'], state: 'draft' })
  })

  it.each([
    [[{ table: 'post' }, { table: 'pots' }], /Record 2: There is no table `pots`/],
    [[{ table: 'post' }, { table: 'post', properties: { views: 'x' } }], /Record 2: .*`views` is an integer/],
    [[{ table: 'post' }, { properties: {} }], /Record 2: .*name of its table/],
    [[{ table: 'post', properties: { extra: { a: 'nul\0' } } }, { table: 'post' }], /Record 1: .*`extra`/],
    [[{ table: 'post', properties: { 'nul\0': 1 } }, { table: 'post' }], /Record 1: .*cannot be stored/],
  ])('stores none where one does not fit: %j', async (records, message) => {
    const { data, errors } = await ground.run(MANY, { records })
    expect(data).toBeNull()
    expect(errors![0]!.message).toMatch(message)
    expect(await ground.count('post')).toBe(0)
  })

  it('takes records that are written out', async () => {
    const { data, errors } = await ground.run(
      `mutation($title: String, $more: PropertiesObject) { r: records_create_rc(records: [
        { table: "post", properties: { title: $title, views: 4 } }, { table: "post", properties: $more, id: 777000 }]) { id } }`,
      { title: 'one', more: { title: 'two' } },
    )
    expect(errors).toBeUndefined()
    const [one, two] = data!['r'] as { id: string }[]
    expect(await stored(one!.id)).toMatchObject({ title: 'one', views: 4 })
    expect(two!.id).toBe('777000')
    expect(await stored(two!.id)).toMatchObject({ title: 'two' })
  })
})

describe('records_update_all and records_delete_all', () => {
  beforeEach(async () => {
    for (const views of [1, 2, 3]) await create({ table: 'post', properties: [{ name: 'views', value_int: views }] })
    await create({ table: 'note', properties: [{ name: 'body', value: 'n' }] })
  })

  it('change what the filter leaves', async () => {
    const { data } = await ground.run(
      `mutation($more: String) { r: records_update_all(table: "post", filter: { properties: [{ name: "views", range: { gte: $more } }] },
        record: { properties: [{ name: "views", increment: 10 }, { name: "title", value: "t" }] }) { count } }`,
      { more: '2' },
    )
    expect(data!['r']).toEqual({ count: 2 })
    const rows =
      await ground.sql`select properties -> 'views' as v from ingot.records where properties ? 'views' order by 1`
    expect(rows.map((row) => row['v'] as number)).toEqual([1, 12, 13])
  })

  it('move rows to another table', async () => {
    const { data } = await ground.run(
      `mutation { r: records_update_all(table: "note", record: { table: "post", properties: [{ name: "title", value: "moved" }] }) { count } }`,
      {},
    )
    expect(data!['r']).toEqual({ count: 1 })
    expect(await ground.count('post')).toBe(4)
  })

  it('delete all of a table, and of all tables only when told', async () => {
    const one = await ground.run(`mutation { r: records_delete_all(table: "post") { count __typename } }`, {})
    expect(one.data!['r']).toEqual({ count: 3, __typename: 'ObjectCount' })
    const refused = await ground.run(`mutation { r: records_delete_all { count } }`, {})
    expect(refused.errors![0]!.message).toMatch(/any_table: true/)
    const all = await ground.run(`mutation { r: records_delete_all(any_table: true) { count } }`, {})
    expect(all.data!['r']).toEqual({ count: 1 })
    const again = await ground.run(`mutation { r: models_delete_all(model_schema_name: "post") { count } }`, {})
    expect(again.data!['models_delete_all'] ?? again.data!['r']).toEqual({ count: 0 })
  })

  it('do not take a filter whose conditions have no values for none', async () => {
    const text = `mutation($id: ID) { r: records_delete_all(table: "post", filter: { id: { value: $id } }) { count } }`
    const { data, errors } = await ground.run(text, { id: null })
    expect(data).toBeNull()
    expect(errors![0]!.message).toMatch(/would delete every row/)
    expect(await ground.count('post')).toBe(3)
  })
})

describe('an operation that fails', () => {
  it('leaves nothing behind', async () => {
    const { data, errors } = await ground.run(
      `mutation { a: record_create(record: { table: "post" }) { id } b: record_delete(id: 1, table: "post") { id } c: record_create(record: { table: "post" }) { id } }`,
      {},
    )
    expect(data).toBeNull()
    expect(errors).toHaveLength(1)
    expect(errors![0]!.path).toEqual(['b'])
    expect(await ground.count('post')).toBe(0)
  })

  it('leaves nothing behind when the database is what fails', async () => {
    await create({ table: 'post', id: 4242 })
    const { data, errors } = await ground.run(
      `mutation { a: record_create(record: { table: "note" }) { id } b: record_create(record: { table: "post", id: 4242 }) { id } }`,
      {},
    )
    expect(data).toBeNull()
    expect(errors![0]!.path).toEqual(['b'])
    expect(await ground.count('note')).toBe(0)
  })
})
