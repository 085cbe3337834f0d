/** Search indexes: documents are put, found by words and by values, sorted, counted, and part of transactions. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../database.ts'
import { page, site } from '../support.ts'
import { schema, type Served, serve } from './served.ts'

let database: TestDatabase
let served: Served

beforeAll(async () => {
  database = await testDatabase()
  const undone = page('undone', {
    async render(r) {
      const put = 'mutation { documents_insert_rc(search_index: "books", id: "x", document: { a: 1 }) }'
      await r.port('transactions', 'transaction').run({ timeout: null }, async () => {
        await r.port('graphql', 'graphql').run({ document: put }, {})
        r.port('transactions', 'transaction').rollback()
      })
      return ''
    },
  })
  served = await serve(site([undone], { data: schema({ note: { title: 'string' } }) }), database.sql)
}, 60_000)
afterAll(async () => {
  await served?.close()
  await database?.close()
})
beforeEach(async () => {
  await database.sql`truncate ingot.documents, ingot.document_words`
})

async function ask(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> {
  const { json } = await served.ask(query, { variables })
  expect(json.errors).toBeUndefined()
  return json.data ?? {}
}

const put = async (id: string, document: unknown, how = 'insert'): Promise<unknown> =>
  (
    await ask(
      `mutation($id: ID, $document: HashObject!) { r: documents_${how}_rc(search_index: "books", id: $id, document: $document) }`,
      { id, document },
    )
  )['r']

/** Ids of what is found, in their order. */
async function ids(args: string, variables: Readonly<Record<string, unknown>> = {}, declared = ''): Promise<string> {
  const { d } = (await ask(
    `query${declared} { d: documents_rc(search_index: "books", per_page: 20${args === '' ? '' : `, ${args}`}) { total_entries results { id } } }`,
    variables,
  )) as { d: { total_entries: number; results: { id: string }[] } }
  expect(d.results).toHaveLength(Math.min(20, d.total_entries))
  return d.results.map(({ id }) => id).join(' ')
}

describe('a document', () => {
  test('that is inserted replaces the one with its id, and one that is upserted changes it', async () => {
    expect(await put('1', { a: 1, b: { c: 2 } })).toEqual({ id: '1', result: 'created' })
    expect(await put('1', { b: { d: 3 } }, 'upsert')).toEqual({ id: '1', result: 'updated' })
    const read = 'query { d: documents_rc(search_index: "books", per_page: 1) { results { id properties } } }'
    expect(await ask(read)).toEqual({ d: { results: [{ id: '1', properties: { a: 1, b: { d: 3 } } }] } })
    expect(await put('1', { e: 1 })).toEqual({ id: '1', result: 'updated' })
    expect(await ask(read)).toEqual({ d: { results: [{ id: '1', properties: { e: 1 } }] } })
  })

  test('without an id gets one', async () => {
    const { r } = (await ask('mutation { r: documents_insert_rc(search_index: "books", document: { a: 1 }) }')) as {
      r: { id: string }
    }
    expect(r).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/), result: 'created' })
    expect(await ids('')).toBe(r.id)
  })

  test('is deleted, and one that is not there is none', async () => {
    await put('1', { a: 1 })
    const drop = 'mutation { r: documents_delete_rc(search_index: "books", id: 1) }'
    expect(await ask(drop)).toEqual({ r: { id: '1', result: 'deleted' } })
    expect(await ask(drop)).toEqual({ r: { id: '1', result: 'not_found' } })
    expect(await ids('')).toBe('')
  })

  test('must be an object, and hold no NUL', async () => {
    for (const document of [['a'], 'no', { a: 'a\0b' }, null]) {
      const { json } = await served.ask(
        'mutation($d: HashObject!) { documents_insert_rc(search_index: "books", document: $d) }',
        { variables: { d: document } },
      )
      expect(json.errors).toHaveLength(1)
    }
  })

  test('of many is put by the id that stands in it, the last of one id on top', async () => {
    const documents = [{ id: 1, a: 1 }, { id: 2 }, { id: '1', b: 2 }, { c: 'none' }]
    const { r } = (await ask(
      'mutation($d: [HashObject]!) { r: documents_bulk_upsert_rc(search_index: "books", documents: $d) }',
      { d: documents },
    )) as { r: { documents: { id: string; result: string }[] } }
    expect(r.documents.map(({ result }) => result)).toEqual(['created', 'created', 'created'])
    const [first] = await database.sql`select document from ingot.documents where id = '1'`
    expect(first?.['document']).toEqual({ id: '1', a: 1, b: 2 })
    expect(await ask('{ i: admin_search_index_rc(search_index: "books") }')).toEqual({
      i: { name: 'books', total_entries: 3 },
    })
  })

  test('is not there where its transaction was undone', async () => {
    expect((await served.page('/undone')).status).toBe(200)
    expect(await ids('')).toBe('')
  })

  test('shows its values by type, through paths and lists', async () => {
    await put('1', { t: 'x', n: 4, f: '4.5', b: true, l: ['a', 1], o: { p: [{ q: 'deep' }, { q: 2 }] }, __proto__x: 1 })
    const { d } = (await ask(`{ d: documents_rc(search_index: "books", per_page: 1) { results {
      t: property(name: "t") n: property_int(name: "n") f: property_float(name: "f") b: property_boolean(name: "b")
      l: property_array(name: "l") q: property_array(name: "o.p.q") o: property_object(name: "o") none: property(name: "o.x.y")
      proto: property_json(name: "__proto__.constructor") text: property(name: "n") some: properties(select: [{ name: "t", attribute_type: string }]) } } }`)) as {
      d: { results: unknown[] }
    }
    expect(d.results).toEqual([
      {
        t: 'x',
        n: 4,
        f: 4.5,
        b: true,
        l: ['a', '1'],
        q: ['deep', '2'],
        o: { p: [{ q: 'deep' }, { q: 2 }] },
        none: null,
        proto: null,
        text: '4',
        some: { t: 'x' },
      },
    ])
  })
})

describe('a keyword', () => {
  beforeEach(async () => {
    await put('1', { title: 'The Elephant keeper', author: { name: 'Ann Keyword' }, tags: ['grey', 'large'] })
    await put('2', { title: 'Keepers of keys', author: { name: 'Bob' }, note: 'an elephant, elephant and elephant' })
    await put('3', { title: "O'Neill \\ backslash", author: { name: 'Zoë' } })
  })

  test.each([
    ['keyword: "ELEPHANT"', '2 1'],
    ['keyword: "elephant keeper"', '1'],
    ['keyword: "bob ann", operator: OR', '1 2'],
    ['keyword: "elephan"', ''],
    ['keyword: "keep", match_type: STARTS_WITH', '1 2'],
    ['keyword: "ers", match_type: ENDS_WITH', '2'],
    ['keyword: "leph", match_type: CONTAINS', '2 1'],
    ['keyword: "keywodr", match_type: FUZZY', '1'],
    ['keyword: "qqqqq", match_type: FUZZY', ''],
    ['keyword: "grey"', '1'],
    ['keyword: "zoë"', '3'],
    ['keyword: "o\'neill \\\\ | & ! ( :*", match_type: CONTAINS', '3'],
    ['keyword: "elephant", properties: [{ name: "title" }]', '1'],
    ['keyword: "ann elephant", properties: [{ name: "title" }, { name: "author.name" }]', '1'],
    ['keyword: "elephant", properties: [{ name: "title", priority: 100 }, { name: "note", priority: 1 }]', '1 2'],
    ['keyword: "elephant", properties: [{ name: "title", priority: 1 }, { name: "note", priority: 100 }]', '2 1'],
    ['keyword: " ?! "', '1 2 3'],
    ['keyword: null', '1 2 3'],
  ])('%s finds %s', async (query, found) => {
    expect(await ids(`query: { ${query} }`)).toBe(found)
  })

  test('that is a variable without a value restricts nothing', async () => {
    const args = 'query: { keyword: $k, match_type: FUZZY, properties: [{ name: "title", priority: 7 }] }'
    expect(await ids(args, {}, '($k: String)')).toBe('1 2 3')
    expect(await ids(args, { k: 'elefant' }, '($k: String)')).toBe('1')
  })
})

describe('a filter', () => {
  beforeEach(async () => {
    await put('1', { n: 1, price: '9.5', day: '2024-01-05', tags: ['a', 'b'], of: { name: 'x' }, on: true, gone: null })
    await put('2', { n: 12, price: 10, day: '2024-02-05T10:00:00Z', tags: ['b'], of: { name: 'y"' } })
    await put('3', { n: 2, tags: [], of: [{ name: 'x' }, { name: 'z' }] })
  })

  test.each([
    ['{ name: "n", value: "12" }', '2'],
    ['{ name: "n", not_value: "12" }', '1 3'],
    ['{ name: "on", value: "true" }', '1'],
    ['{ name: "tags", value: "a" }', '1'],
    ['{ name: "tags", value_in: ["a", "b"] }', '1 2'],
    ['{ name: "tags", value_in: ["a", "b"], value_in_operator: AND }', '1'],
    ['{ name: "tags", value_in: [] }', ''],
    ['{ name: "tags", not_value_in: ["a"] }', '2 3'],
    ['{ name: "of.name", value: "x" }', '1 3'],
    ['{ name: "of.name", value: "y\\"" }', '2'],
    ['{ name: "of.name", prefix: "y" }', '2'],
    ['{ name: "day", exists: true }', '1 2'],
    ['{ name: "gone", exists: false }', '1 2 3'],
    ['{ name: "n", range: { gt: "1", lte: "12" } }', '2 3'],
    ['{ name: "price", range: { gte: "9.5" } }', '1 2'],
    ['{ name: "day", range: { gte: "2024-01-01", lt: "2024-02-01" } }', '1'],
    ['{ name: "n", value: null }', '1 2 3'],
    ['{ name: "n", range: {} }', '1 2 3'],
    ['{ name: "tags", value: "b" }, { name: "n", value: "1" }', '1'],
    ['{ name: "a\\" ? (@ == 1) || $.n", value: "1" }', ''],
  ])('%s leaves %s', async (filter, found) => {
    expect(await ids(`filter: [${filter}]`)).toBe(found)
  })

  test('holds by the values of variables', async () => {
    const args = 'filter: [{ name: $name, value: $value }, { name: "of.name", prefix: $prefix }]'
    const declared = '($name: String!, $value: String, $prefix: String)'
    expect(await ids(args, { name: 'n', value: 1 }, declared)).toBe('1')
    expect(await ids(args, { name: 'n', value: '2' }, declared)).toBe('3')
    expect(await ids(args, { name: 'n', prefix: 'y' }, declared)).toBe('2')
  })
})

describe('a page', () => {
  beforeEach(async () => {
    const values = [3, 10, null, 'b', 'a', 2]
    for (const [at, v] of values.entries()) await put(String(at), { v, kind: at % 2 === 0 ? 'even' : 'odd' })
  })

  test('is sorted by JSON values, then by id', async () => {
    expect(await ids('sort: [{ name: "v" }]')).toBe('4 3 5 0 1 2')
    expect(await ids('sort: [{ name: "kind", order: "desc" }, { name: "v", order: "DESC" }]')).toBe('1 5 3 2 0 4')
    const variables = { sort: [{ name: 'kind' }] }
    expect(await ids('sort: $sort', variables, '($sort: [IndexSearchSortInput!] = [])')).toBe('0 2 4 1 3 5')
  })

  test('has its counters and its part of the rows', async () => {
    const { d } = (await ask(
      '{ d: documents_rc(search_index: "books", per_page: 4, page: 2) { total_entries total_pages current_page per_page has_next_page has_previous_page results { id } } }',
    )) as { d: unknown }
    expect(d).toEqual({
      total_entries: 6,
      total_pages: 2,
      current_page: 2,
      per_page: 4,
      has_next_page: false,
      has_previous_page: true,
      results: [{ id: '4' }, { id: '5' }],
    })
  })

  test('of an index that nothing was put in is empty', async () => {
    expect(
      await ask('{ d: documents_rc(search_index: "none", per_page: 4) { total_entries results { id } } }'),
    ).toEqual({
      d: { total_entries: 0, results: [] },
    })
  })

  test('counts values and finds extremes', async () => {
    const { d } =
      (await ask(`{ d: documents_rc(search_index: "books", per_page: 1, filter: [{ name: "v", exists: true }],
      aggregations: [{ fields: [{ name: "kinds", field_name: "kind" }, { name: "most", field_name: "v", type: max }] }]) { aggregations { compact raw } } }`)) as {
        d: { aggregations: { compact: unknown; raw: Record<string, unknown> } }
      }
    expect(d.aggregations.compact).toEqual({ kinds: { even: 2, odd: 3 }, most: 10 })
    expect(d.aggregations.raw['kinds']).toEqual({
      buckets: [
        { key: 'even', doc_count: 2 },
        { key: 'odd', doc_count: 3 },
      ],
    })
  })
})
