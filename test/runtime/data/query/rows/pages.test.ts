/** Pages of records: columns, sorts, paging with its counters, deleted rows, tables. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type QueryDatabase, openQueryDatabase, type Data, table } from './run-query.ts'

describe('pages of records', () => {
  let database: QueryDatabase
  let ids: readonly string[] = []

  beforeAll(async () => {
    database = await openQueryDatabase({
      tables: [
        table('car', { name: 'string', price: 'integer', built: 'date', used: 'boolean', tags: 'array' }),
        table('boat', { name: 'string', length: 'float' }),
        table('modules/shop/cart', { name: 'string' }),
      ],
      user: [],
      profiles: [],
    })
    ids = await database.insert('car', [
      {
        properties: { name: 'a', price: 30, built: '2001-01-01', used: true, tags: ['x'] },
        external_id: 'one',
        user_id: '7',
      },
      { properties: { name: 'b', price: 4 }, created_at: '2021-01-01T00:00:00Z', external_id: '' },
      {
        properties: { name: 'c', price: 200, built: '1990-05-05', used: false },
        created_at: '2019-06-01T10:20:30.456Z',
      },
      { properties: { name: 'd' }, external_id: "o'ne", user_id: '8' },
      { properties: { name: 'e', price: 30 }, deleted_at: '2022-01-01T00:00:00Z' },
    ])
    await database.insert('boat', [
      { properties: { name: 'v', length: 3.5 } },
      { properties: { name: 'w', length: 12 } },
    ])
    await database.insert('modules/shop/cart', [{ properties: { name: 'z' } }])
  })
  afterAll(() => database.close())

  const names = (found: Data): string => found['results'].map((row: Data) => row['name']).join('')

  async function cars(args: string, variables: Readonly<Record<string, unknown>> = {}, head = ''): Promise<string> {
    const document = `${head}{ records(per_page: 50, ${args}) { results { name: property(name: "name") } } }`
    return names((await database.ask(document, variables))['records'])
  }
  const filtered = (filter: string) => cars(`filter: { table: { value: "car" } ${filter} }`)
  const sorted = (sort: string) => cars(`filter: { table: { value: "car" } } sort: [${sort}]`)

  it.each([
    ['id: { value: ID1 }', 'b'],
    ['id: { value_in: ID1 }', 'b'],
    ['id: { value_in: [ID0, ID3, "x"] }', 'ad'],
    ['id: { not_value_in: [ID0] }', 'bcd'],
    ['id: { range: { gt: ID0, lte: ID2 } }', 'bc'],
    ['id: { value: "1e3" }', ''],
    ['id: { value: "99999999999999999999" }', ''],
    ['id: { value: "1 or true" }', ''],
    ['id: { value: "" }', ''],
    ['id: { value: "-1" }', ''],
    ['id: { value: " 1" }', ''],
    ['id: { value_in: [] }', ''],
    ['id: { not_value_in: ["x"] }', 'abcd'],
    ['user_id: { value: 7 }', 'a'],
    ['user_id: { not_value_in: [7] }', 'bcd'],
    ['user_id: { range: { gte: 8 } }', 'd'],
    ['table_id: { value: "99999999999" }', ''],
    ['external_id: { value: "one" }', 'a'],
    ['external_id: { value: "" }', 'bc'],
    ['external_id: { exact: "o\'ne" }', 'd'],
    ['external_id: { value_in: ["one", "o\'ne"] }', 'ad'],
    ['external_id: { value_in: ["one", ""] }', 'abc'],
    ['external_id: { not_value: "one" }', 'bcd'],
    ['external_id: { not_value_in: ["one", ""] }', 'd'],
    ['external_id: { contains: "ONE" }', 'a'],
    ['external_id: { contains: "ONE", case_sensitive: true }', ''],
    ['external_id: { starts_with: "o\'" }', 'd'],
    ['external_id: { not_ends_with: "ne" }', 'b'],
    ['user_id: { range: { gte: "", lte: 7 } }', 'a'],
    ['created_at: { gte: "", lte: "2019-06-01" }', 'c'],
    ['created_at: { lt: "2020-01-01" }', 'c'],
    ['created_at: { lt: "2019-06-01" }', ''],
    ['created_at: { lte: "2019-06-01" }', 'c'],
    ['created_at: { lte: "2019-05-31" }', ''],
    ['created_at: { gte: "2019-06-01", lte: "2019-06-01" }', 'c'],
    ['created_at: { gt: "2019-06-01", lte: "2020-12-31" }', 'ad'],
    ['created_at: { value: "2019-06-01T10:20:30.456Z" }', 'c'],
    ['created_at: { value_in: ["2021-01-01", "x"] }', 'b'],
    ['created_at: { not_value: "2021-01-01" }', 'acd'],
    ['created_at: { gte: "1609459200" }', 'b'],
    ['created_at: { gte: "soon" }', ''],
    ['created_at: { exists: false }', ''],
    ['deleted_at: { exists: true }', 'e'],
    ['deleted_at: { gt: "2021-12-31" }', 'e'],
    ['deleted_at: {}', 'abcde'],
    ['or: [{ deleted_at: { exists: true } }, { external_id: { value: "one" } }]', 'ae'],
    ['properties: [{ name: "price", value: "30" }]', 'a'],
    ['properties: [{ name: "price", range: { gt: "4" } }, { name: "used", value_boolean: false }]', 'c'],
    ['or: [{ properties: [{ name: "name", value: "a" }] }, { properties: [{ name: "name", value: "d" }] }]', 'ad'],
    [
      'or: [{ or: [{ id: { value: ID0 } }] }, { properties: [{ name: "name", value: "c" }], id: { value: ID2 } }]',
      'ac',
    ],
    ['fulltext: { keyword: "B" }', 'b'],
    ['fulltext: { keyword: "a b", operator: OR }', 'ab'],
    ['fulltext: { keyword: "x", match_type: CONTAINS }', 'a'],
    ['fulltext: { keyword: "on", fields: [{ name: "external_id" }] }', ''],
    ['fulltext: { keyword: "on", fields: [{ name: "external_id" }], match_type: STARTS_WITH }', 'a'],
    // Words with one typing error: a wrong, missing or extra letter, or two swapped neighbors.
    ...['oen', 'onx', 'ones', 'xone'].map((word): [string, string] => [
      `fulltext: { keyword: "${word}", fields: [{ name: "external_id" }], match_type: FUZZY }`,
      'a',
    ]),
    ['fulltext: { keyword: "noe", fields: [{ name: "external_id" }], match_type: FUZZY }', 'ad'],
    ['fulltext: { keyword: "xxe", fields: [{ name: "external_id" }], match_type: FUZZY }', ''],
    ['fulltext: { keyword: "?! one", operator: OR, fields: [{ name: "external_id" }], match_type: FUZZY }', 'ad'],
    ['fulltext: { keyword: "%_", match_type: CONTAINS }', 'abcd'],
  ])('%s finds %s', async (filter, expected) => {
    expect(await filtered(filter.replace(/ID(\d)/g, (_, at) => `"${ids[Number(at)]}"`))).toBe(expected)
  })

  it.each([
    ['{ created_at: { order: DESC } }', 'badc'],
    ['{ created_at: { order: ASC } }', 'cadb'],
    ['{ id: { order: DESC } }', 'dcba'],
    ['{ properties: [{ name: "price", order: ASC }] }', 'bacd'],
    ['{ properties: [{ name: "price", order: DESC }] }', 'dcab'],
    ['{ properties: [{ name: "built", order: ASC }] }', 'cabd'],
    ['{ properties: [{ name: "used", order: ASC }] }', 'cabd'],
    ['{ properties: [{ name: "used", order: DESC }, { name: "name", order: DESC }] }', 'dbac'],
    ['{ external_id: { order: ASC } }', 'bdac'],
    ['{ external_id: { order: ASC, order_by_values: ["o\'ne", "one"] } }', 'dabc'],
    ['{ table_id: { order: DESC } }, { properties: [{ name: "name", order: DESC }] }', 'dcba'],
    ['{ deleted_at: { order: ASC } }', 'abcd'],
  ])('sorted by %s is %s', async (sort, expected) => {
    expect(await sorted(sort)).toBe(expected)
  })

  it('sorted at random holds every row', async () => {
    expect([...(await sorted('{ random_sort: true }'))].toSorted().join('')).toBe('abcd')
    expect(await sorted('{ random_sort: false }')).toBe('abcd')
  })

  it('are of all tables, of several, or of those whose names match', async () => {
    expect(await cars('filter: {}')).toBe('abcdvwz')
    expect(await cars('filter: { table: { value_in: ["boat", "car"] } }')).toBe('abcdvw')
    expect(await cars('filter: { table: { starts_with: "modules/" } }')).toBe('z')
    expect(await cars('filter: { table: { not_value: "car" } }')).toBe('vwz')
    expect(await cars('filter: { table: { contains: "nothing" } }')).toBe('')
    expect(
      await cars(
        'filter: { or: [{ table: { value: "boat" }, properties: [{ name: "length", range: { gt: "10" } }] }, { table: { value: "car" }, properties: [{ name: "price", value: "4" }] }] }',
      ),
    ).toBe('bw')
    const head = 'query ($t: String, $ts: [String!]) '
    expect(await cars('filter: { table: { value: $t, value_in: $ts } }', { t: 'boat' }, head)).toBe('vw')
    expect(await cars('filter: { table: { value: $t, value_in: $ts } }', { ts: ['boat', 'car'] }, head)).toBe('abcdvw')
    expect(await cars('filter: { table: { value: $t, value_in: $ts } }', {}, head)).toBe('abcdvwz')
  })

  it('of several tables compare a property that one of them has', async () => {
    expect(
      await cars(
        'filter: { table: { value_in: ["boat", "car"] }, properties: [{ name: "length", range: { gt: "10" } }] }',
      ),
    ).toBe('w')
  })

  it('of unknown tables are errors', async () => {
    const document = 'query ($t: String) { records(per_page: 1, filter: { table: { value: $t } }) { total_entries } }'
    expect(await database.complaints(document, { t: 'caar' })).toEqual([
      'There is no table `caar`. Did you mean `car`?',
    ])
    expect(await database.complaints(document, { t: "car' or true --" })).toEqual([
      "There is no table `car' or true --`.",
    ])
  })

  it('have counters, with and without a total', async () => {
    const counters = 'current_page per_page has_next_page has_previous_page'
    const page = async (args: string, fields: string) =>
      (
        await database.ask(
          `{ records(filter: { table: { value: "car" } }, ${args}) { ${fields} results { name: property(name: "name") } } }`,
        )
      )['records']
    for (const totals of ['', 'total_entries total_pages']) {
      const rest = (entries: number, pages: number) =>
        totals === '' ? {} : { total_entries: entries, total_pages: pages }
      const fields = `${counters} ${totals}`
      const one = await page('per_page: 3', fields)
      expect(one).toMatchObject({
        current_page: 1,
        per_page: 3,
        has_next_page: true,
        has_previous_page: false,
        ...rest(4, 2),
      })
      expect(names(one)).toBe('abc')
      const two = await page('per_page: 3, page: 2', fields)
      expect(two).toMatchObject({ current_page: 2, has_next_page: false, has_previous_page: true, ...rest(4, 2) })
      expect(names(two)).toBe('d')
      const far = await page('per_page: 2147483647, page: 2147483647', fields)
      expect(far).toMatchObject({ has_next_page: false, results: [], ...rest(4, 1) })
      expect(await page('per_page: 2, page: 0', fields)).toMatchObject({ current_page: 1, has_next_page: true })
      expect(await page('per_page: 2, page: -5', fields)).toMatchObject({ current_page: 1 })
      expect(await page('per_page: 0', fields)).toMatchObject({
        per_page: 0,
        results: [],
        has_next_page: false,
        ...rest(4, 0),
      })
      expect(await page('per_page: -1', fields)).toMatchObject({ per_page: 0, results: [] })
      expect(await page('per_page: 4', fields)).toMatchObject({ has_next_page: false, ...rest(4, 1) })
    }
  })

  it('read the page from variables', async () => {
    const document = `query ($page: Int = 1, $per: Int!) { records(page: $page, per_page: $per, filter: { table: { value: "car" } }) {
      has_next_page a: results { name: property(name: "name") } results { id name: property(name: "name") } } }`
    const { records } = await database.ask(document, { page: 2, per: 1 })
    expect(records).toMatchObject({ has_next_page: true, a: [{ name: 'b' }], results: [{ id: ids[1], name: 'b' }] })
    expect((await database.ask(document, { per: 9 }))['records'].a).toHaveLength(4)
  })

  it('of models show deleted rows, by their old names', async () => {
    const document = `{ models(per_page: 9, filter: { model_schema_name: { value: "car" } }) { total_entries results { deleted_at model_schema_name } } }`
    const { models } = await database.ask(document)
    expect(models.total_entries).toBe(5)
    expect(models.results[4]).toEqual({ deleted_at: '2022-01-01T00:00:00.000Z', model_schema_name: 'car' })
  })

  it('answer many root fields at once', async () => {
    const many = Array.from(
      { length: 60 },
      (_, at) => `a${at}: records(per_page: 1, page: ${at + 1}) { results { id } }`,
    )
    const data = await database.ask(`{ ${many.join('\n')} }`)
    expect(Object.keys(data)).toHaveLength(60)
    expect(data['a1'].results[0].id).toBe(ids[1])
  })
})
