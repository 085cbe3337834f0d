/** Search indexes: documents are put, found by words and by values, sorted, counted, and part of transactions. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import type { SearchIndexDef } from '../../../../runtime/page/compiled.ts'
import { createCatalog } from '../../../../runtime/data/query/catalog.ts'
import { explainOperation } from '../../../../server/operate/explain/explain.ts'
import { createSession } from '../../../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../../../server/data/store/database-url.ts'
import { maintainIndexes } from '../../../../server/data/store/indexes.ts'
import { purge } from '../../../../server/data/store/purge.ts'
import { page, site } from '../../../support/server/site.ts'
import { schema, type Served, serve } from './served.ts'

const MAPPED: SearchIndexDef = {
  name: 'films',
  fields: [
    { name: 'title', path: ['title'], type: 'text' },
    { name: 'title.exact', path: ['title'], type: 'keyword' },
    { name: 'code', path: ['code'], type: 'keyword' },
    { name: 'out', path: ['out'], type: 'date' },
    { name: 'length', path: ['length'], type: 'integer' },
    { name: 'cast.age', path: ['cast', 'age'], type: 'integer' },
    { name: "cast.o'name", path: ['cast', "o'name"], type: 'keyword' },
    { name: 'rate', path: ['rate'], type: 'float' },
    { name: 'seen', path: ['seen'], type: 'boolean' },
  ],
}

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
  served = await serve(
    site([undone], { data: { ...schema({ note: { title: 'string' } }), searchIndexes: [MAPPED] } }),
    database.sql,
  )
})
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

/** Returns the ids of the found documents, in order. */
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
    // Words with one typing error: a letter that is wrong, missing, added, or swapped with its neighbor.
    ...['grxy', 'gry', 'gxrey', 'rgey', 'grye', 'grex'].map((word): [string, string] => [
      `keyword: "${word}", match_type: FUZZY`,
      '1',
    ]),
    ['keyword: "gxxy", match_type: FUZZY', ''],
    ...['obb', 'bo', 'bxb', 'xob', 'boob'].map((word): [string, string] => [
      `keyword: "${word}", match_type: FUZZY`,
      '2',
    ]),
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

describe('a mapping', () => {
  const FILMS = [
    { title: 'Red river', code: 'Red 9', out: '2024-02-05T01:00:00+02:00', length: 90, rate: '8.5', seen: true },
    { title: 'Blue', code: 'blue 10', out: '2024-02-04T22:30:00Z', length: '100', rate: 10, seen: 'false' },
    {
      title: 'Green',
      code: '100',
      out: '2024-02-05',
      length: 'long',
      rate: 'none',
      cast: [{ age: 20 }, { age: '40', "o'name": 'Zed' }],
    },
    { title: 'Grey', code: ['b', 'a'], out: 1_707_091_200, cast: { age: 30 }, seen: null },
    { title: 'x'.repeat(5000), code: 'y'.repeat(5000), out: 'soon', length: '1e400' },
  ]
  beforeEach(async () => {
    for (const [at, document] of FILMS.entries())
      await ask(
        'mutation($id: ID, $d: HashObject!) { documents_insert_rc(search_index: "films", id: $id, document: $d) }',
        { id: String(at + 1), d: document },
      )
  })

  async function films(args: string): Promise<string> {
    const { d } = (await ask(
      `query($index: String!) { d: documents_rc(search_index: $index, per_page: 20, ${args}) { results { id } } }`,
      { index: 'films' },
    )) as { d: { results: { id: string }[] } }
    return d.results.map(({ id }) => id).join(' ')
  }

  const CASES: readonly (readonly [string, string])[] = [
    ['sort: [{ name: "out" }]', '2 1 3 4 5'],
    ['sort: [{ name: "out", order: "desc" }]', '5 3 4 1 2'],
    ['sort: [{ name: "length" }]', '1 2 3 4 5'],
    ['sort: [{ name: "rate", order: "DESC" }]', '3 4 5 2 1'],
    ['sort: [{ name: "cast.age" }]', '3 4 1 2 5'],
    ['sort: [{ name: "code" }]', '3 1 4 2 5'],
    ['sort: [{ name: "properties.title.exact" }]', '2 3 4 1 5'],
    ['filter: [{ name: "out", value: "2024-02-04T23:00:00Z" }]', '1'],
    ['filter: [{ name: "out", value: "2024-02-05T00:00:00.000Z" }]', '3 4'],
    ['filter: [{ name: "out", not_value: "2024-02-05" }]', '1 2 5'],
    ['filter: [{ name: "out", range: { gte: "2024-02-05T00:30:00+01:00", lt: "2024-02-05T00:00:01Z" } }]', '3 4'],
    ['filter: [{ name: "out", range: { lt: "2024-02-05" } }]', '1 2'],
    ['filter: [{ name: "out", range: { lt: "whenever" } }]', ''],
    ['filter: [{ name: "length", value: "1.0e2" }]', '2'],
    ['filter: [{ name: "length", range: { gt: "9" } }]', '1 2'],
    ['filter: [{ name: "length", value_in: ["90", "100.0", "x"] }]', '1 2'],
    ['filter: [{ name: "length", not_value_in: ["90"] }]', '2 3 4 5'],
    ['filter: [{ name: "length", value_in: [] }]', ''],
    ['filter: [{ name: "length", value: null }]', '1 2 3 4 5'],
    ['filter: [{ name: "cast.age", range: { gt: "25", lt: "35" } }]', '4'],
    ['filter: [{ name: "cast.age", range: { gt: "35" } }]', '3'],
    ['filter: [{ name: "cast.age", value: "30" }]', '4'],
    ['filter: [{ name: "cast.age", value_in: ["20", "40"], value_in_operator: AND }]', '3'],
    ['filter: [{ name: "cast.age", exists: true }]', '3 4'],
    ['filter: [{ name: "cast.o\'name", value: "Zed" }]', '3'],
    ['filter: [{ name: "seen", value: "true" }]', '1'],
    ['filter: [{ name: "seen", value: "false" }]', '2'],
    ['filter: [{ name: "code", value: "100" }]', '3'],
    // Compared as texts. Without a mapping, the bound would be compared as a number.
    ['filter: [{ name: "code", range: { gte: "100", lt: "9" } }]', '3'],
    ['filter: [{ name: "code", prefix: "blue" }]', '2'],
    ['query: { keyword: "red" }', '1'],
    ['query: { keyword: "blue" }', '2'],
    // A keyword is found only if its property is named.
    ['query: { keyword: "10" }', ''],
    ['query: { keyword: "10", properties: [{ name: "code" }] }', '2'],
    ['query: { keyword: "zed" }', ''],
    ['query: { keyword: "gre", match_type: STARTS_WITH }', '3 4'],
  ]

  test.each(CASES)('makes %s give %s', async (args, found) => {
    expect(await films(args)).toBe(found)
  })

  test('is found by the variables that name an index and a field', async () => {
    const query =
      'query($i: String!, $n: String!, $v: String) { d: documents_rc(search_index: $i, per_page: 9, filter: [{ name: $n, range: { gt: $v } }], sort: [{ name: $n }]) { results { id } } }'
    const ids = async (i: string, n: string, v: string | null) =>
      ((await ask(query, { i, n, v })) as { d: { results: { id: string }[] } }).d.results.map(({ id }) => id).join(' ')
    expect(await ids('films', 'length', '9')).toBe('1 2')
    expect(await ids('films', 'out', '2024-02-04T22:59:00Z')).toBe('1 3 4')
    expect(await ids('books', 'out', '2024')).toBe('')
    expect(await ids('films', 'length', null)).toBe('1 2 3 4 5')
  })

  test('has indexes that hold whatever documents do, serve its ranges and its order, and go with it', async () => {
    const keep = async (searchIndexes: readonly SearchIndexDef[]) => {
      const session = createSession(readDatabaseUrl(database.url, 'DATABASE_URL'), 'tests', () => undefined)
      const data = { ...schema({}), searchIndexes }
      const told: string[] = []
      const log = { info: () => undefined, warn: (_fields: object, message: string) => void told.push(message) }
      await maintainIndexes(session, {
        specs: [],
        catalog: createCatalog(data, new Map()),
        log,
        signal: new AbortController().signal,
      })
      await session.end()
      expect(told).toEqual([])
      const rows = await database.sql`select indexname from pg_indexes where indexname like 'ix\\_d\\_%'`
      return rows.length
    }
    expect(await keep([MAPPED])).toBe(8)
    try {
      for (const [args, found] of CASES) expect(await films(args), args).toBe(found)
      await database.sql`insert into ingot.documents (search_index, id, document)
        select 'films', 'n' || n, jsonb_build_object('length', 1000 + n % 777, 'out', '2020-01-01') from generate_series(1, 20000) n`
      await database.sql`analyze ingot.documents`
      const explained = async (args: string): Promise<string> => {
        const { statements } = await explainOperation(
          database.sql,
          `{ documents_rc(search_index: "films", per_page: 20, ${args}) { results { id } } }`,
          {},
          {
            data: { ...schema({}), searchIndexes: [MAPPED] },
            ids: new Map(),
            build: { requireTableForDelete: true },
            analyze: false,
            viewer: null,
          },
        )
        return JSON.stringify(statements.map(({ plan }) => plan))
      }
      expect(await explained('filter: [{ name: "length", range: { gte: "1776" } }]')).toMatch(/ix_d_/)
      // For a page with a high number, sorting all keys is cheaper.
      expect(await explained('sort: [{ name: "length" }], page: 9')).toMatch(/ix_d_/)
      expect(
        await explained('sort: [{ name: "length" }], filter: [{ name: "length", range: { gte: "1776" } }]'),
      ).toMatch(/ix_d_/)
      expect(await explained('filter: [{ name: "length", value: "1776" }]')).toMatch(/ix_d_/)
      expect(await explained('page: 900')).toMatch(/documents_pkey/)
    } finally {
      expect(await keep([])).toBe(0)
    }
  })
})

describe('words', () => {
  test('are noted by two writers at once who do not wait for each other', async () => {
    const put = (words: string) =>
      database.sql`insert into ingot.documents (search_index, id, document) values ('books', ${words}, ${database.sql.json({ words })})`
    const [one, other] = [await database.sql.reserve(), await database.sql.reserve()]
    const write = (client: typeof one, words: string) =>
      client`insert into ingot.documents (search_index, id, document) values ('books', ${words + Math.random()}, ${database.sql.json({ words })})`
    try {
      await one`begin`
      await other`begin`
      await write(one, 'first')
      await write(other, 'second')
      await write(one, 'second')
      await write(other, 'first')
      await one`commit`
      await other`commit`
    } finally {
      one.release()
      other.release()
    }
    expect(await ids('query: { keyword: "irs", match_type: CONTAINS }')).toMatch(/^first.* first/)
    await put('third')
    await database.sql`delete from ingot.documents where id = 'third'`
    const words = async () =>
      (await database.sql`select word from ingot.document_words order by word`).map(({ word }) => word as string)
    expect(await words()).toEqual(['first', 'first', 'second', 'second', 'third'])
    const busy = await database.sql.reserve()
    await busy`begin`
    await write(busy, 'third')
    // While a transaction is writing, it may use a word that no visible document has, so no word is removed.
    expect(await purge(database.sql)).toBe(0)
    await busy`commit`
    busy.release()
    expect(await purge(database.sql)).toBe(2)
    expect(await words()).toEqual(['first', 'second', 'third'])
    await database.sql`delete from ingot.documents`
    await purge(database.sql)
    expect(await words()).toEqual([])
  })

  test.each([
    ['keyword: "ir", match_type: CONTAINS', '1 2'],
    ['keyword: "d", match_type: ENDS_WITH', '2'],
    ['keyword: "ird", match_type: ENDS_WITH', '2'],
    ['keyword: "irt", match_type: CONTAINS', ''],
    ['keyword: "thirt", match_type: FUZZY', '2'],
    ['keyword: "ab", match_type: FUZZY', '3'],
    ['keyword: "ac", match_type: FUZZY', ''],
  ])('%s finds %s', async (query, found) => {
    await put('1', { a: 'first' })
    await put('2', { a: 'third' })
    await put('3', { a: "ab \\ ' %" })
    expect(await ids(`query: { ${query} }`)).toBe(found)
  })
})
