/** The rows of an import: which existing row each of them updates, which are left out and why. An import changes everything or nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DATA, exportJson, type Home, HOSTILE, home, importCsv, importJson, parsed, rows } from './support.ts'

let to: Home
beforeAll(async () => {
  to = await home()
})
afterAll(() => to.close())
beforeEach(async () => {
  await to.sql.unsafe('truncate ingot.records, ingot.users cascade')
})

async function properties(table: string): Promise<readonly unknown[]> {
  const tables = parsed(await exportJson(to)).tables[table] ?? []
  return tables.map((row) => (row as { readonly properties: unknown }).properties)
}

const SEED = {
  users: [
    {
      external_id: 'anna',
      email: 'Anna@Example.com',
      first_name: 'Anna',
      last_name: 'Ähre',
      profiles: [{ profile_type: 'default', properties: { motto: 'm' } }],
    },
    { email: 'ben@example.com', slug: 'benny', properties: { age: '7' } },
    { email: 'anna.aehre@example.org', name: 'Anna Ähre' },
  ],
  tables: {
    listing: [
      {
        external_id: 'plane',
        user_id: { $user: 'anna' },
        properties: {
          title: 'Block plane',
          category_id: { $ref: ['category', 'tools'] },
          number: { $ref: ['category', 'tools'] },
          tags: ['a', null, { $ref: ['category', 'tools'] }, { $user: 'BEN@example.com' }],
        },
      },
    ],
    category: [{ external_id: 'tools', created_at: '2024-03-15T14:28:48.153Z', properties: { title: 'Tools' } }],
  },
}

describe('rows written by hand', () => {
  test('get ids, defaults, slugs and names, and refer to each other in any order', async () => {
    expect(await importJson(to, SEED, { isKnown: true })).toMatchObject({ rowsRead: 5, added: 5, refused: 0 })
    const { users, tables } = parsed(await exportJson(to))
    const [anna, ben, other] = users as { id: string; email: string; slug: string; name: string; profiles: unknown[] }[]
    expect(anna).toMatchObject({
      email: 'anna@example.com',
      name: 'Anna Ähre',
      profiles: [{ properties: { motto: 'm' } }],
    })
    expect(ben).toMatchObject({ slug: 'benny', properties: { age: 7, roles: [] } })
    // Both would have the same slug.
    expect(new Set([anna?.slug, other?.slug]).size).toBe(2)
    expect(other?.slug).toBe(`${anna?.slug.replace(/-\d+$/, '')}-${other?.id}`)
    const [category] = tables['category'] as { id: string; created_at: string; updated_at: string }[]
    expect(category).toMatchObject({
      created_at: '2024-03-15T14:28:48.153Z',
      updated_at: '2024-03-15T14:28:48.153Z',
      properties: { title: 'Tools', position: 3, labels: [] },
    })
    expect(tables['listing']).toMatchObject([
      {
        user_id: anna?.id,
        properties: { category_id: category?.id, number: Number(category?.id), tags: ['a', category?.id, ben?.id] },
      },
    ])
  })

  test('are the same rows the second time', async () => {
    await importJson(to, SEED)
    const before = await rows(to.sql)
    expect(await importJson(to, SEED)).toMatchObject({ added: 0, same: 5, changed: 0 })
    expect(await rows(to.sql)).toEqual(before)
  })

  test('of a seed are added where they are missing, and else left alone', async () => {
    const seed = { isKnown: true, policy: 'only missing' } as const
    await importJson(to, SEED, seed)
    const before = await rows(to.sql)
    expect(await importJson(to, SEED, seed)).toMatchObject({ added: 0, changed: 0, refused: 0 })
    expect(await rows(to.sql)).toEqual(before)
    const without = { tables: { category: [{ properties: { title: 'x' } }] } }
    expect((await importJson(to, without, seed)).faults).toEqual([
      '1: category 1 -: a row of a seed needs an external_id, otherwise it would be added again each time',
    ])
  })
})

describe('rows that are there already', () => {
  const at = (updated_at: string, title: string) => ({
    tables: { category: [{ id: 5, updated_at, properties: { title } }] },
  })

  test('are replaced by newer ones, and kept where they are newer', async () => {
    await importJson(to, at('2024-01-02T00:00:00Z', 'second'))
    expect(await importJson(to, at('2024-01-01T00:00:00Z', 'first'))).toMatchObject({ kept: 1, changed: 0 })
    expect(await properties('category')).toEqual([{ title: 'second' }])
    expect(await importJson(to, at('2024-01-03T00:00:00Z', 'third'))).toMatchObject({ kept: 0, changed: 1 })
    expect(await importJson(to, at('2024-01-01T00:00:00Z', 'first'), { policy: 'replace' })).toMatchObject({
      changed: 1,
    })
    expect(await properties('category')).toEqual([{ title: 'first' }])
  })

  test('lose what the file does not give, keep the time they were made, and move updated_at', async () => {
    await importJson(to, {
      tables: {
        category: [
          {
            id: 5,
            external_id: 'x',
            created_at: '2020-01-01',
            updated_at: '2020-01-01',
            deleted_at: '2021-01-01',
            properties: { title: 'a', position: 1 },
          },
        ],
      },
    })
    await importJson(to, { tables: { category: [{ external_id: 'x', properties: { title: null } }] } })
    const [row] = parsed(await exportJson(to)).tables['category'] as { updated_at: string; deleted_at?: string }[]
    expect(row).toMatchObject({ id: '5', created_at: '2020-01-01T00:00:00.000Z', properties: { title: null } })
    expect(Date.now() - Date.parse(row?.updated_at ?? '')).toBeLessThan(60_000)
    expect(row?.deleted_at).toBeUndefined()
  })

  test('a dry run says the same, and changes nothing, not even the next id', async () => {
    await importJson(to, SEED)
    const before = await rows(to.sql)
    const [{ last_value: last } = {}] = await to.sql`select last_value from ingot.ids`
    const more = {
      tables: {
        category: [
          { id: 99_999_999, properties: {} },
          { external_id: 'tools', properties: {} },
          { properties: { position: 'x' } },
        ],
      },
    }
    const tried = await importJson(to, more, { dryRun: true })
    expect(await rows(to.sql)).toEqual(before)
    expect((await to.sql`select last_value from ingot.ids`)[0]).toEqual({ last_value: last })
    expect(await importJson(to, more)).toEqual(tried)
    expect(tried).toMatchObject({ added: 1, changed: 1, refused: 1 })
  })
})

describe('rows that do not fit are left out, and the rest is imported', () => {
  test.each<[string, object, readonly string[]]>([
    ['a table', { tables: { listng: [{}] } }, ["1: listng 1 -: there is no table 'listng': did you mean 'listing'?"]],
    [
      'a property',
      { tables: { category: [{ properties: { titel: 1 } }] } },
      ["1: category 1 titel: table 'category' has no such property: did you mean 'title'?"],
    ],
    [
      'a property outside',
      { tables: { category: [{ title: 1 }] } },
      ['1: category 1 title: it is a property: move it into `properties`'],
    ],
    [
      'types',
      { tables: { listing: [{ properties: { price: 'much', number: 1.5 } }] } },
      [
        '1: listing 1 price: Property `price` is a decimal and cannot hold "much"',
        '1: listing 1 number: Property `number` is an integer and cannot hold 1.5',
      ],
    ],
    [
      'digits',
      { tables: { listing: [{ properties: { price: 0.1234567890123456, number: 2 ** 60 } }] } },
      [
        '1: listing 1 price: a number with this many digits would be rounded: write it as text',
        '1: listing 1 number: a number with this many digits would be rounded: write it as text',
      ],
    ],
    [
      'rows',
      { tables: { category: [7, null, []] } },
      [
        '1: category 1 -: a row must be an object',
        '1: category 2 -: a row must be an object',
        '1: category 3 -: a row must be an object',
      ],
    ],
    [
      'ids',
      {
        tables: {
          category: [{ id: 'x' }, { id: 0 }, { id: -1 }, { id: 1.5 }, { id: '9223372036854775807' }, { id: {} }],
        },
      },
      [
        ...['x', '0', '-1', '1.5', '9223372036854775807'].map(
          (id, at) => `1: category ${at + 1} id: '${id}': \`id\` must be a whole number from 1 to 10^15`,
        ),
        '1: category 6 id: it is not a text',
      ],
    ],
    [
      'the same id',
      { tables: { category: [{ id: 8 }, { id: 8 }], listing: [{ id: 8 }] } },
      [
        '1: category 2 id: id 8 is given twice: first in line 1',
        '1: listing 1 id: id 8 is given twice: first in line 1',
      ],
    ],
    [
      'the same external id',
      { tables: { category: [{ external_id: 'e' }, { external_id: 'e' }], listing: [{ external_id: 'e' }] } },
      ["1: category 2 external_id: external_id 'e' is given twice: first in line 1"],
    ],
    [
      'NUL',
      { tables: { category: [{ external_id: '\0', properties: { title: 'a\0' } }] } },
      [
        expect.stringContaining('`external_id` contains the character NUL, which cannot be stored'),
        expect.stringContaining('Property `title` is a string and cannot hold'),
      ],
    ],
    [
      'times',
      { tables: { category: [{ created_at: 'soon' }] } },
      ["1: category 1 created_at: 'soon': `created_at` is not a time"],
    ],
    [
      'references',
      {
        tables: {
          listing: [
            { external_id: 'a', properties: { category_id: { $ref: ['listing', 'b'] } } },
            { external_id: 'b', properties: { category_id: { $ref: ['listing', 'c'] } } },
            { user_id: { $user: 'nobody' } },
            { properties: { category_id: { $ref: ['nowhere', 'x'] } } },
          ],
        },
      },
      [
        expect.stringMatching(/^1: listing 4 \$ref: there is no table 'nowhere'/),
        "1: listing 2 category_id: there is no row of table 'listing' with the external_id 'c'",
        "1: listing 3 user_id: there is no user 'nobody'",
        "1: listing 1 category_id: there is no row of table 'listing' with the external_id 'b'",
      ],
    ],
    [
      'users',
      {
        users: [
          {},
          { email: 'x' },
          { email: 'a@b', password: 'secret' },
          { email: 'c@d', encrypted_password: 'secret' },
          { email: 'e@f', profiles: [{ profile_type: 'sellr' }] },
        ],
      },
      [
        '1: @users 1 email: a user needs an email address',
        "1: @users 2 email: 'x': `email` is not an e-mail address",
        '1: @users 3 password: passwords can only be imported as hashes, in encrypted_password',
        '1: @users 4 encrypted_password: it is not a hash of argon2id or bcrypt',
        "1: @users 5 profiles: a profile needs a profile_type: did you mean 'seller'?",
      ],
    ],
    [
      'the same address',
      { users: [{ email: 'a@b' }, { email: 'A@B' }, { email: 'c@d', slug: 's' }, { email: 'e@f', slug: 's' }] },
      [
        "1: @users 2 email: email 'a@b' is given twice: first in line 1",
        "1: @users 4 slug: slug 's' is given twice: first in line 1",
      ],
    ],
  ])('%s', async (_, document, faults) => {
    const good = { external_id: 'good', properties: { title: 'good' } }
    const { tables = {}, ...others } = document as { tables?: Record<string, unknown[]> }
    const done = await importJson(to, {
      ...others,
      tables: {
        ...tables,
        [HOSTILE]: [{ external_id: 'good' }],
        'modules/blog/post': [{ external_id: good.external_id }],
      },
    })
    expect(done.faults).toEqual(faults)
    expect(await properties('modules/blog/post')).toHaveLength(1)
    expect(await properties(HOSTILE)).toHaveLength(1)
    expect(done.rowsRead).toBe(done.added + done.refused)
  })

  test('what others have', async () => {
    await importJson(to, {
      users: [
        { id: 1, email: 'a@b', slug: 'a', external_id: 'a' },
        { id: 2, email: 'c@d', slug: 'c', external_id: 'c', profiles: [{ id: 77, profile_type: 'default' }] },
      ],
    })
    await importJson(to, {
      tables: {
        category: [
          { id: 5, external_id: 'two' },
          { id: 6, external_id: 'two' },
        ],
      },
    })
    const done = await importJson(to, {
      users: [
        { id: 1, email: 'c@d' },
        { id: 3, email: 'x@y', slug: 'c' },
        { id: 4, email: 'z@y', external_id: 'a' },
        { id: 9, email: 'n@n', profiles: [{ id: 77, profile_type: 'default' }] },
      ],
      tables: { listing: [{ id: 5 }], category: [{ external_id: 'two' }] },
    })
    expect(done).toMatchObject({ added: 0, changed: 0, refused: 6 })
    expect(done.faults).toEqual([
      '1: listing 1 id: id 5 is a row of another table',
      "1: category 1 external_id: 2 rows have the external_id 'two': use the id",
      "1: @users 1 email: the user with the id 2 has the email 'c@d'",
      "1: @users 2 slug: the user with the id 2 has the slug 'c'",
      "1: @users 3 external_id: the user with the id 1 has the external_id 'a'",
      "1: @users 4 profiles: a profile's id 77 is taken",
    ])
  })
})

describe('CSV', () => {
  test('written by hand', async () => {
    const text =
      'external_id,title,price,tags,number,name\r\nq1,"a ""b""\r\nc",5,"[""x"",""y""]",,\\N\r\nq2,,5.0,one,"",""\r\n\r\n'
    expect(await importCsv(to, 'listing', text)).toMatchObject({ added: 2, faults: [] })
    expect(await properties('listing')).toEqual([
      { title: 'a "b"\r\nc', price: '5', tags: ['x', 'y'], name: null },
      { price: '5.0', tags: ['one'], number: null, name: '' },
    ])
  })

  test('broken rows are left out', async () => {
    const text = 'external_id,title,number\nq1,x"y,1\nq2,a\nq3,ok,1\nq4,ok,x\n"q5"x,ok,1\nq6,"two\nlines",2\nq7,ok,y\n'
    const done = await importCsv(to, 'listing', text)
    expect(done).toMatchObject({ rowsRead: 6, added: 1, refused: 5 })
    expect([...done.faults].sort()).toEqual([
      expect.stringMatching(/^2: listing 1 -: Invalid Opening Quote/),
      '3: listing 2 -: its number of cells differs from the first line',
      '5: listing 4 number: Property `number` is an integer and cannot hold "x"',
      '6: listing 5 -: a quote inside a cell must be written twice: ""',
      '9: listing 6 number: Property `number` is an integer and cannot hold "y"',
    ])
  })

  test.each([
    ['', 'data.csv: the file is empty. Its first line must contain the column names.'],
    ['title,title\n', "data.csv:1: the column 'title' occurs twice."],
    ['title,\n', 'data.csv:1: a column has no name.'],
    ['title\n"never closed\n\n', /^data\.csv:\d: a quoted cell is not closed before the end of the file\.$/],
  ])('%j is refused', async (text, sentence) => {
    await expect(importCsv(to, 'listing', text)).rejects.toThrow(sentence)
  })

  test('a row without an end is refused', async () => {
    await expect(importCsv(to, 'listing', `title\n"${'x'.repeat(17 * 1024 * 1024)}`)).rejects.toThrow(
      'larger than 16 MB',
    )
  })
})

test('a file that ends too early leaves nothing behind', async () => {
  await importJson(to, SEED)
  const before = await rows(to.sql)
  const many = Array.from({ length: 12_000 }, (_, at) => ({ external_id: `e${at}` }))
  const text = JSON.stringify({ tables: { category: many } }).slice(0, -3)
  await expect(importJson(to, text)).rejects.toThrow('ends too early')
  expect(await rows(to.sql)).toEqual(before)
})

test('two imports at once bring each row once', async () => {
  const many = Array.from({ length: 2_000 }, (_, at) => ({ external_id: `e${at}`, properties: { position: at } }))
  const both = await Promise.all([1, 2, 3].map(() => importJson(to, { tables: { category: many } })))
  expect(both.map(({ added }) => added).sort((a, b) => a - b)).toEqual([0, 0, 2_000])
  expect(await to.sql`select 1 from ingot.records`).toHaveLength(2_000)
})

test('rows that are written meanwhile get other ids, and are not lost', async () => {
  let stop = false
  const table = to.ids.get('listing') ?? 0
  const others = (async () => {
    let written = 0
    while (!stop) {
      await to.sql`insert into ingot.records (table_id) values (${table})`
      written++
    }
    return written
  })()
  try {
    for (let round = 0; round < 5; round++) {
      const [{ last_value: last } = { last_value: '0' }] = await to.sql<
        { last_value: string }[]
      >`select last_value from ingot.ids`
      // Ids that are far beyond those that other tests use while the import reads its rows, however slow it is.
      const from = Number(last) + 1_000_000
      const many = Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? { id: from + at } : {}))
      expect(await importJson(to, { tables: { category: many } })).toMatchObject({ added: 300, refused: 0 })
    }
  } finally {
    stop = true
  }
  const written = await others
  expect(await to.sql`select 1 from ingot.records where table_id = ${table}`).toHaveLength(written)
})

test('hostile values are values', async () => {
  const evil = [`'; drop table ingot.records; --`, '$1', '\\', '{"$ref":["category","x"]}', '\u2028', `"');`]
  const made = evil.map((text, at) => ({
    external_id: text,
    properties: { title: text, category_id: { $ref: ['listing', evil[at - 1] ?? text] }, tags: evil },
  }))
  expect(await importJson(to, { tables: { listing: made } })).toMatchObject({ added: evil.length, faults: [] })
  const found = (await properties('listing')) as { title: string; tags: string[] }[]
  expect(found.map(({ title }) => title)).toEqual(evil)
  expect(found[0]?.tags).toEqual(evil)
  expect(DATA.tables.map(({ name }) => name)).toContain(HOSTILE)
})
